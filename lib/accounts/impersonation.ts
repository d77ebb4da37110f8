import type { Audit, Op, Transaction } from '../context/op'
import { type Actor, BY_SYSTEM } from '../oidc/audit-event'
import { sessionTimes } from '../settings/session-times'
import {
  type EndedImpersonation,
  endImpersonations,
  listLapsed,
} from '../store/accounts/impersonations'

/** How an admin leaves the account of somebody else. Each end is recorded once. */

export async function endImpersonation(
  op: Pick<Op, 'now'>,
  tx: Transaction,
  audit: Audit,
  which: Parameters<typeof endImpersonations>[1],
  by: Actor,
): Promise<EndedImpersonation[]> {
  const ended = await endImpersonations(tx, which, op.now())
  for (const { id, userId, adminId } of ended) {
    audit({
      ...by,
      event: 'impersonation.ended',
      result: 'success',
      targetKind: 'user',
      targetId: userId,
      detail: { impersonation: id, admin: adminId },
    })
  }
  return ended
}

/** Time ended it, or the end of a session or of an account. Returns how many there were. */
export async function recordLapsed(op: Op): Promise<number> {
  const times = sessionTimes(await op.settings.current())
  const lapsed = await op.read((db) => listLapsed(db, op.now(), times))
  for (const id of lapsed) {
    await op.write((tx, audit) => endImpersonation(op, tx, audit, { id }, BY_SYSTEM))
  }
  return lapsed.length
}
