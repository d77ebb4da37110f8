import type { Op, Transaction } from '../context/op'
import { enqueue, logoutTargetsOf } from '../store/delivery/outbox'
import { logoutMessage } from './backchannel-logout'

type Told = Pick<Op, 'now' | 'outboxKey'>

/** Notifies the applications that registered for it that sessions of a user have ended. */
export async function announceLogout(
  op: Told,
  tx: Transaction,
  userId: string,
  ended: string[],
): Promise<void> {
  const targets = await logoutTargetsOf(tx, ended)
  await enqueue(
    tx,
    targets.map((target) => logoutMessage(op.outboxKey, { ...target, userId }, op.now())),
  )
}

type Closed = { id: string; userId: string; sessionId: string | null }

/** Notifies one application that a user may no longer use it; the session itself stays open. */
export async function announceClosedGrant(
  op: Told,
  tx: Transaction,
  { id, userId, sessionId }: Closed,
  applicationId: string,
): Promise<void> {
  if (sessionId === null) return
  const targets = await logoutTargetsOf(tx, [sessionId])
  const here = targets.filter((target) => target.applicationId === applicationId)
  await enqueue(
    tx,
    here.map((target) => logoutMessage(op.outboxKey, { ...target, userId }, op.now(), id)),
  )
}
