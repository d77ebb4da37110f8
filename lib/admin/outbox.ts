import type { MessageWire } from '../api/delivery/outbox-messages'
import { NOTICES } from '../delivery/mail/order'
import type { Messages } from '../i18n'

/** What a message of the outbox is called, where its receiver is, and what can be done with it. */

type Letters = Messages['mail']['letters']

const LETTERS = {
  reset: 'reset',
  sign_in: 'signIn',
  verify: 'verify',
  invitation: 'invitation',
  change_email: 'changeEmail',
  address_taken: 'addressTaken',
} as const

function isLetter(about: string | null): about is keyof typeof LETTERS {
  return about !== null && Object.hasOwn(LETTERS, about)
}

/** The subject of a letter in the language of the reader; null if it is not known. */
export function letterName(letters: Letters, about: string | null): string | null {
  const notice = NOTICES.find((one) => one === about)
  if (notice) return letters.notices[notice].subject
  return isLetter(about) ? letters[LETTERS[about]].subject : null
}

const FOLDERS = { user: 'users', application: 'applications', webhook: 'webhooks' } as const

export function targetHref({ type, id }: NonNullable<MessageWire['target']>): string {
  return `/admin/${FOLDERS[type]}/${encodeURIComponent(id)}`
}

/** Notices are sent whatever an admin wants; see requireCancellable of the API. */
export function mayCancel({ kind, about, state }: MessageWire): boolean {
  if (state !== 'waiting') return false
  return kind !== 'mail' || (about !== null && !NOTICES.some((notice) => notice === about))
}
