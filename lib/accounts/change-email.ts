import { parseEmail } from '../base/email'
import type { Op, Transaction } from '../context/op'
import { orderNotice } from '../delivery/mail/notices'
import { orderMail } from '../delivery/mail/order'
import { mailRequestWait } from '../limits/mail-requests'
import type { SlowDown } from '../limits/tries'
import { closeLinks, type LinkBearer, takeLink } from '../store/accounts/links'
import type { Session } from '../store/accounts/sessions'
import { changeEmail, findByIdentifier, findUser } from '../store/accounts/users'
import { foldedKey } from '../store/database/folded-key'
import { isUniqueViolation } from '../store/database/unique'
import { type Origin, ownEvent } from './audit-event'

/**
 * Changes the e-mail address: the new one counts after the signed-in user opened the link that was
 * sent there. The old address gets a notice.
 */

export type EmailAsked = { ok: true } | { ok: false; problem: 'email' | 'same' } | SlowDown

/** Only the reader of its mail learns whether somebody else has the address (attack M1). */
export async function requestEmailChange(
  op: Op,
  session: Session,
  typed: string,
  { ip, locale = op.settings.known().languages.default }: Origin,
): Promise<EmailAsked> {
  const email = parseEmail(typed)
  const { user } = session
  if (!email) return { ok: false, problem: 'email' }
  if (foldedKey(email) === foldedKey(user.email ?? '')) return { ok: false, problem: 'same' }
  const wait = await mailRequestWait(op, 'email', { name: user.id, ip })
  if (wait > 0) return { ok: false, problem: 'slow_down', retryAfterSeconds: wait }
  await op.write(async (tx, audit) => {
    const owner = await findByIdentifier(tx, email)
    const order = owner
      ? { letter: 'address_taken' as const, userId: owner.id, locale, returnTo: '/' }
      : { letter: 'change_email' as const, userId: user.id, locale, email }
    await orderMail(op, tx, order)
    audit(ownEvent('email.change_requested', session, { ip }))
  })
  return { ok: true }
}

export function openEmailChange(op: Op, token: string): Promise<LinkBearer | null> {
  return op.links.findBearer(op.hashSecret(token), 'email', op.now())
}

/**
 * False if the link belongs to another user, was used or has expired, or if the address was taken
 * meanwhile.
 */
export async function confirmEmailChange(
  op: Op,
  session: Pick<Session, 'user'>,
  token: string,
  origin: Origin,
): Promise<boolean> {
  try {
    return await op.write(async (tx, audit) => {
      const tokenHash = op.hashSecret(token)
      const bearer = await takeLink(tx, tokenHash, 'email', op.now(), session.user.id)
      const user = bearer && (await findUser(tx, bearer.userId))
      if (!bearer || !user || !(await changeEmail(tx, bearer, op.now()))) return false
      await closeOldLinks(op, tx, bearer.userId)
      await orderNotice(op, tx, user.id, { notice: 'email_changed' }, origin)
      if (user.email !== null) {
        await orderNotice(op, tx, user.id, { notice: 'email_left', to: user.email }, origin)
      }
      audit(ownEvent('email.changed', { user }, origin))
      return true
    })
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/** Links and codes that were sent to the previous address no longer work. */
async function closeOldLinks(op: Op, tx: Transaction, userId: string): Promise<void> {
  await closeLinks(tx, userId, ['reset', 'verify', 'email', 'sign_in'], op.now())
}
