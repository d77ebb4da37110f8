import type { Op } from '../context/op'
import { announceLogout } from '../delivery/logout'
import { expireImpersonationsOf } from '../store/accounts/impersonations'
import {
  endSessionOf,
  endSessionsOf,
  listSessionsOf,
  type OpenSession,
  type Session,
} from '../store/accounts/sessions'
import { distrustAllOf } from '../store/accounts/trusted-devices'
import { type Origin, ownEvent } from './audit-event'

/**
 * The sessions of a user. Ending one is a logout: applications that registered for it are notified.
 */

export type OwnSession = OpenSession & { current: boolean }

export async function listOwnSessions(op: Op, { id, user }: Session): Promise<OwnSession[]> {
  const open = await op.read((db) => listSessionsOf(db, user.id, op.now()))
  return open.map((session) => ({ ...session, current: session.id === id }))
}

/** False if it has ended already, or belongs to another user. */
export async function endOwnSession(
  op: Op,
  session: Session,
  id: string,
  origin: Origin,
): Promise<boolean> {
  return op.write(async (tx, audit) => {
    if (!(await endSessionOf(tx, session.user.id, id, op.now()))) return false
    await announceLogout(op, tx, session.user.id, [id])
    audit(ownEvent('session.ended', session, origin, { targetKind: 'session', targetId: id }))
    return true
  })
}

export async function endOtherSessions(op: Op, session: Session, origin: Origin): Promise<void> {
  await op.write(async (tx, audit) => {
    const ended = await endSessionsOf(tx, session.user.id, op.now(), session.id)
    await announceLogout(op, tx, session.user.id, ended)
    audit(ownEvent('sessions.ended', session, origin, { detail: { count: ended.length } }))
  })
}

/** Including this device. */
export async function endEverySession(op: Op, session: Session, origin: Origin): Promise<void> {
  await op.write(async (tx, audit) => {
    const ended = await endSessionsOf(tx, session.user.id, op.now())
    await expireImpersonationsOf(tx, session.user.id, op.now())
    await announceLogout(op, tx, session.user.id, ended)
    await distrustAllOf(tx, session.user.id)
    audit(ownEvent('sessions.ended', session, origin, { detail: { count: ended.length } }))
  })
}
