import type { Op } from '../../context/op'

type MailMode = 'smtp' | 'printed' | 'off'

/** Whether what is sent now leaves the portal: only then may a page say that it was sent. */
export function sendsMail({ settings }: Pick<Op, 'settings'>): boolean {
  return settings.known().smtp !== null
}

/** Without a mail server: printed in development, off in production, where others could read it. */
export function mailMode({ settings, config }: Pick<Op, 'settings' | 'config'>): MailMode {
  if (settings.known().smtp) return 'smtp'
  return config.production ? 'off' : 'printed'
}
