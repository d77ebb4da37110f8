import type { Op } from '../../context/op'

export type MailMode = 'smtp' | 'printed' | 'off'

/** Without a server: readable where somebody builds, and nowhere where strangers could read it. */
export function mailMode({ settings, config }: Pick<Op, 'settings' | 'config'>): MailMode {
  if (settings.known().smtp) return 'smtp'
  return config.production ? 'off' : 'printed'
}
