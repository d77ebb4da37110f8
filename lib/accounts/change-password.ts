import type { Op } from '../context/op'
import { orderNotice } from '../delivery/mail/notices'
import { countTry, type SlowDown, takeBackTry, tries } from '../limits/tries'
import { closeLinks } from '../store/accounts/links'
import type { Session } from '../store/accounts/sessions'
import { findPasswordHash, replacePassword } from '../store/accounts/users'
import { type Origin, ownEvent } from './audit-event'
import type { StartedSession } from './new-session'
import {
  hashPassword,
  newPasswordProblem,
  type PasswordProblem,
  passwordOwner,
  verifyPassword,
} from './passwords'
import { rotateSession } from './rotate-session'
import { signOutEverywhere } from './sign-out-everywhere'

export type PasswordChangeResult =
  | { ok: true; started: StartedSession }
  | { ok: false; problem: 'current_wrong' | 'same' | PasswordProblem }
  | SlowDown

/**
 * Locks out everybody else who knew the old password: every other session ends, and every token
 * from outside this session is revoked, including offline access.
 */
export async function changePassword(
  op: Op,
  session: Session,
  typed: { current: string; next: string },
  origin: Origin,
): Promise<PasswordChangeResult> {
  const userId = session.user.id
  const problem = await newPasswordProblem(op, typed.next, await passwordOwner(op, userId))
  if (problem) return { ok: false, problem }
  const slowDown = await countTry(op, tries.password, userId)
  if (slowDown) return slowDown
  const old = await op.read((db) => findPasswordHash(db, userId))
  if (!(await verifyPassword(old, typed.current)) || old === null) {
    return refuse(op, session, origin)
  }
  await takeBackTry(op, tries.password, userId)
  if (typed.next.normalize('NFC') === typed.current.normalize('NFC')) {
    return { ok: false, problem: 'same' }
  }
  const hash = { old, new: await hashPassword(typed.next) }
  const started = await op.write(async (tx, audit) => {
    if (!(await replacePassword(tx, userId, hash, op.now()))) return null
    await closeLinks(tx, userId, 'email', op.now())
    await signOutEverywhere(op, tx, userId, 'password_changed', session.id)
    audit(ownEvent('password.changed', session, origin))
    await orderNotice(op, tx, userId, { notice: 'password_changed' }, origin)
    return rotateSession(op, tx, session)
  })
  return started ? { ok: true, started } : { ok: false, problem: 'current_wrong' }
}

function refuse(op: Op, session: Session, origin: Origin): PasswordChangeResult {
  op.record(ownEvent('password.changed', session, origin, { result: 'failure' }))
  return { ok: false, problem: 'current_wrong' }
}
