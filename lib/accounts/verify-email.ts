import type { Op } from '../context/op'
import { orderMail } from '../delivery/mail/order'
import type { Locale } from '../i18n'
import { mailRequestWait } from '../limits/mail-requests'
import { closeLinks, type LinkBearer, takeLink } from '../store/links'
import type { Session } from '../store/sessions'
import { confirmEmail, findUser } from '../store/users'
import { ownEvent } from './audit-event'

/**
 * An address is an account's when a link that was sent there is used by the account itself: whoever
 * reads the mail and did not make the account confirms nothing for those who did (attack M25, M30).
 */

export async function openVerification(op: Op, token: string): Promise<LinkBearer | null> {
  return op.links.findBearer(op.hashSecret(token), 'verify', op.now())
}

/** False when it is another's, spent or expired, or the account has another address by now. */
export async function verifyEmail(
  op: Op,
  { user }: Pick<Session, 'user'>,
  { token, ip }: { token: string; ip: string | null },
): Promise<boolean> {
  return op.write(async (tx, audit) => {
    const bearer = await takeLink(tx, op.hashSecret(token), 'verify', op.now(), user.id)
    if (!bearer || !(await confirmEmail(tx, bearer, op.now()))) return false
    await closeLinks(tx, bearer.userId, 'verify', op.now())
    audit(ownEvent('email.verified', { user }, { ip }))
    return true
  })
}

/** The address that still has to be confirmed; null when there is none. */
export async function unverifiedAddress(op: Op, userId: string): Promise<string | null> {
  const user = await op.read((db) => findUser(db, userId))
  return user && !user.emailVerified ? user.email : null
}

export type VerificationRequest = {
  userId: string
  locale: Locale
  returnTo: string
  ip: string | null
}

/** Seconds to wait, or 0 when it was taken. */
export async function requestVerification(op: Op, request: VerificationRequest): Promise<number> {
  const { ip, ...order } = request
  const wait = await mailRequestWait(op, 'verify', { name: order.userId, ip })
  if (wait > 0) return wait
  await op.write((tx) => orderMail(op, tx, { letter: 'verify', ...order }))
  return 0
}
