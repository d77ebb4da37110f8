import type { Op, Transaction } from '../context/op'
import { announceLogout } from '../delivery/logout'
import { expireImpersonationsOf } from '../store/accounts/impersonations'
import { closeLinks } from '../store/accounts/links'
import { endSessionsOf } from '../store/accounts/sessions'
import { distrustAllOf } from '../store/accounts/trusted-devices'
import { revokeGrantsOf } from '../store/tokens/token-grants'

/**
 * Ends all sessions of a user in the caller's transaction, and every sign-in that is under way;
 * applications are notified, and no device is trusted any more. One session may be kept, with its
 * tokens.
 */
export async function signOutEverywhere(
  op: Pick<Op, 'now' | 'outboxKey'>,
  tx: Transaction,
  userId: string,
  reason: string,
  keep?: string,
): Promise<void> {
  const now = op.now()
  const ended = await endSessionsOf(tx, userId, now, keep)
  await closeLinks(tx, userId, ['second_factor', 'sign_in'], now)
  await announceLogout(op, tx, userId, ended)
  await expireImpersonationsOf(tx, userId, now)
  await distrustAllOf(tx, userId)
  await revokeGrantsOf(tx, userId, reason, now, keep === undefined ? {} : { keepSession: keep })
}
