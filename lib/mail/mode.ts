import type { Config } from '../config'

export type MailMode = 'smtp' | 'printed' | 'off'

/** Without a server: readable where somebody builds, and nowhere where strangers could read it. */
export function mailMode({ smtp, production }: Pick<Config, 'smtp' | 'production'>): MailMode {
  if (smtp) return 'smtp'
  return production ? 'off' : 'printed'
}
