import type { Op } from '../../context/op'

type MailMode = 'smtp' | 'printed' | 'off'

/** Without a mail server: printed in development, off in production, where others could read it. */
export function mailMode({ settings, config }: Pick<Op, 'settings' | 'config'>): MailMode {
  if (settings.known().smtp) return 'smtp'
  return config.production ? 'off' : 'printed'
}
