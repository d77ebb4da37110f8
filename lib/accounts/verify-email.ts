import type { Op } from '../context/op'
import { orderMail } from '../delivery/mail/order'
import type { Locale } from '../i18n'
import { mailRequestWait } from '../limits/mail-requests'
import { closeLinks, type LinkBearer, takeLink } from '../store/accounts/links'
import type { Session } from '../store/accounts/sessions'
import { confirmEmail, findUser } from '../store/accounts/users'
import { ownEvent } from './audit-event'

/**
 * An address belongs to an account after the signed-in user opened the link that was sent there. A
 * reader of the mail who did not create the account confirms nothing for those who did (attack M25,
 * M30).
 */

export async function openVerification(op: Op, token: string): Promise<LinkBearer | null> {
  return op.links.findBearer(op.hashSecret(token), 'verify', op.now())
}

/**
 * False if the link belongs to another user, was used or has expired, or if the account has another
 * address meanwhile.
 */
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

/** The address that is not verified yet; null if there is none. */
export async function unverifiedAddress(op: Op, userId: string): Promise<string | null> {
  const user = await op.read((db) => findUser(db, userId))
  return user && !user.emailVerified ? user.email : null
}

type VerificationRequest = {
  userId: string
  locale: Locale
  returnTo: string
  ip: string | null
}

/** Seconds to wait, or 0 if it was accepted. */
export async function requestVerification(op: Op, request: VerificationRequest): Promise<number> {
  const { ip, ...order } = request
  const wait = await mailRequestWait(op, 'verify', { name: order.userId, ip })
  if (wait > 0) return wait
  await op.write((tx) => orderMail(op, tx, { letter: 'verify', ...order }))
  return 0
}
