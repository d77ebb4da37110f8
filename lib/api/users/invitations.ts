import { z } from 'zod'
import { invite } from '../../accounts/invitation'
import type { Op, Transaction } from '../../context/op'
import { mailMode } from '../../delivery/mail/mode'
import { errorMessage } from '../../i18n/error-message'
import { locales } from '../../i18n/locales'
import { localeOf } from '../../settings/model'
import { hasWayIn } from '../../store/accounts/sign-in-methods'
import type { UserFields, UserRecord } from '../../store/accounts/users'
import type { Call } from '../http/operation'
import { invalidField, Problem } from '../http/problem'
import { iso } from '../http/schemas'

/** The link by which a user gets into an account that somebody else created. */

export const invitationSchema = z.strictObject({
  locale: z
    .enum(locales)
    .optional()
    .describe('The language of the mail; by default the language of the user'),
  returnLink: z
    .boolean()
    .default(false)
    .describe(
      'True: the answer contains the link, once. Whoever has the link can take over the account',
    ),
})

export const invitedSchema = z.object({
  to: z.string(),
  mailed: z.boolean().describe('False if no mail server is set'),
  expiresAt: z.string(),
  link: z.string().nullable(),
})

/** An invitation must not open an account that somebody uses already. */
export async function requireInvitable(
  op: Op,
  { id, email, disabledAt, locale }: UserRecord,
  returnLink: boolean,
) {
  if (email === null) throw new Problem('conflict', errorMessage('email_missing'))
  if (disabledAt !== null) throw new Problem('conflict', errorMessage('user_disabled'))
  if (await op.read((db) => hasWayIn(db, id))) {
    throw new Problem('conflict', errorMessage('user_has_way_in'))
  }
  requireReadable(op, returnLink)
  return { id, email, locale }
}

/** As `requireInvitable`, for somebody who does not exist yet. */
export function requireInvitableSoon(
  op: Op,
  { email, disabledAt }: UserFields,
  returnLink: boolean,
) {
  if (email === null) throw invalidField('/invite', errorMessage('email_missing'))
  if (disabledAt !== null) throw invalidField('/invite', errorMessage('user_disabled'))
  requireReadable(op, returnLink)
}

type Asked = z.infer<typeof invitationSchema>

/** In the transaction of the change. */
export async function sendInvitation(
  op: Op,
  tx: Transaction,
  { caller }: Call,
  { email, id: userId, locale: own }: Pick<UserRecord, 'id' | 'locale'> & { email: string },
  { returnLink, locale = localeOf(own, op.settings.known().languages) }: Asked,
) {
  const invitedBy = caller.kind === 'user' ? caller.id : null
  const sent = await invite(op, tx, { bearer: { userId, email, invitedBy }, locale, returnLink })
  return { ...sent, expiresAt: iso(sent.expiresAt), to: email }
}

function requireReadable(op: Op, returnLink: boolean): void {
  if (returnLink || mailMode(op) !== 'off') return
  throw new Problem('conflict', errorMessage('mail_off_for_invitation'))
}
