import type { Audit, Op, Transaction } from '../../context/op'
import { BY_SYSTEM } from '../../oidc/audit-event'
import type { AccessRequest } from '../../store/requests/access-requests'
import { finishRequest } from '../../store/requests/steps'
import { requestEvent, tellEnd } from './news'

/** The end of a request that nobody decided about. */

/** Nobody can decide about it any more, and no others are asked. */
export function isOverdue(request: AccessRequest, now: Date): boolean {
  if (request.expiresAt <= now) return true
  return request.stageDeadline <= now && othersToAsk(request).length === 0
}

/** Who is asked once the deadline of the stage has passed. */
export function othersToAsk({ terms, stage, escalated }: AccessRequest) {
  return escalated ? [] : (terms.stages[stage]?.escalateTo ?? [])
}

export async function endUndecided(
  op: Op,
  tx: Transaction,
  audit: Audit,
  request: AccessRequest,
  how: 'expired' | 'failed',
): Promise<void> {
  if (!(await finishRequest(tx, request, how, op.now()))) return
  audit(requestEvent(`access_request.${how}`, request, BY_SYSTEM))
  await tellEnd(op, tx, request, how)
}
