import type { Op, Transaction } from '../context/op'
import { enqueue, logoutTargetsOf } from '../store/outbox'
import { logoutMessage } from './backchannel-logout'

/** Notifies the applications that registered for it that sessions of a user have ended. */
export async function announceLogout(
  op: Pick<Op, 'now' | 'outboxKey'>,
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
