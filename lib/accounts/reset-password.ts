import type { Op, Transaction } from '../context/op'
import { orderNotice } from '../delivery/mail/notices'
import { orderMail } from '../delivery/mail/order'
import type { Locale } from '../i18n'
import { mailRequestWait } from '../limits/mail-requests'
import { closeLinks, type LinkBearer, takeLink } from '../store/accounts/links'
import { removeUnprovenWaysIn } from '../store/accounts/sign-in-methods'
import { confirmEmail, findUser, setPassword, type UserRecord } from '../store/accounts/users'
import { type Origin, ownEvent } from './audit-event'
import { hashPassword, newPasswordProblem, type PasswordProblem, passwordOwner } from './passwords'
import { forgiveSignIns } from './sign-in'
import { signOutEverywhere } from './sign-out-everywhere'

/** A new password by mail, for a forgotten one. */

const MAX_IDENTIFIER_LENGTH = 254

type ResetRequest = {
  identifier: string
  locale: Locale
  returnTo: string
  ip: string | null
}

/**
 * Seconds to wait, or 0 if it was accepted: only the mail shows whether there is an account (attack
 * M1).
 */
export async function requestReset(op: Op, request: ResetRequest): Promise<number> {
  const { ip, ...order } = request
  const identifier = order.identifier.slice(0, MAX_IDENTIFIER_LENGTH)
  const wait = await mailRequestWait(op, 'forgot', { name: identifier, ip })
  if (wait > 0) return wait
  await op.write(async (tx, audit) => {
    await orderMail(op, tx, { letter: 'reset', ...order, identifier })
    audit({
      event: 'password.reset_requested',
      result: 'success',
      actorKind: 'user',
      actorId: null,
      ip,
      detail: {},
    })
  })
  return 0
}

/** For an admin who manages the account, in the admin's transaction. */
export function requestResetFor(
  op: Op,
  tx: Transaction,
  identifier: string,
  locale: Locale,
): Promise<void> {
  return orderMail(op, tx, { letter: 'reset', identifier, locale, returnTo: '/' })
}

/** The user of a link; null if it no longer works. */
export async function openReset(op: Op, token: string): Promise<LinkBearer | null> {
  return op.links.findBearer(op.hashSecret(token), 'reset', op.now())
}

type Reset = Origin & { token: string; password: string }
type ResetResult = { ok: true } | { ok: false; problem: 'link' | PasswordProblem }

/** Only holders of a link cause hashing; if several send it at the same time, one succeeds. */
export async function resetPassword(op: Op, input: Reset): Promise<ResetResult> {
  const holder = await openReset(op, input.token)
  if (!holder) return { ok: false, problem: 'link' }
  const problem = await newPasswordProblem(
    op,
    input.password,
    await passwordOwner(op, holder.userId),
  )
  if (problem) return { ok: false, problem }
  const hash = await hashPassword(input.password)
  const done = await op.write(async (tx, audit) => {
    const bearer = await takeLink(tx, op.hashSecret(input.token), 'reset', op.now())
    if (!bearer) return null
    // Whoever signed in before the address was verified may be somebody else (attack M30).
    const waysInRemoved = await removeUnprovenWaysIn(tx, bearer)
    // The reader of the mail owns the address; if the user has another address meanwhile, the link
    // is void.
    if (!(await confirmEmail(tx, bearer, op.now()))) return null
    await setPassword(tx, bearer.userId, hash, op.now())
    await closeLinks(tx, bearer.userId, ['reset', 'verify', 'email', 'not_me'], op.now())
    await signOutEverywhere(op, tx, bearer.userId, 'password_reset')
    await orderNotice(op, tx, bearer.userId, { notice: 'password_changed' }, input)
    audit(
      ownEvent('password.reset', { user: { id: bearer.userId } }, input, {
        detail: waysInRemoved > 0 ? { waysInRemoved } : {},
      }),
    )
    return identifiersOf(await findUser(tx, bearer.userId))
  })
  if (done === null) return { ok: false, problem: 'link' }
  await forgiveSignIns(op, done)
  return { ok: true }
}

function identifiersOf(user: UserRecord | null): string[] {
  return [user?.email, user?.username].filter((name) => typeof name === 'string')
}
