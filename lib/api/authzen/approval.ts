import { z } from 'zod'
import type { Subject } from '../../access/check'
import type { Op } from '../../context/op'
import { type AccessRequest, findAccessRequest } from '../../store/requests/access-requests'
import {
  type APPROVAL_REFUSALS,
  type AskedBy,
  type DecisionResult,
  type Evaluation,
  evaluationDigest,
} from './question'

/**
 * An approval is sent back with the next evaluation (`context.approval`). It opens nothing by itself:
 * the policy decides, and an approval that does not fit refuses.
 */

type ApprovalRefusal = (typeof APPROVAL_REFUSALS)[number]

const approval = z.object({
  id: z.string().max(255),
  approved_at: z.string().max(100),
  approved_until: z.string().max(100),
})

const NEXT = {
  approval_expired: 'request',
  out_of_scope: 'request',
  grant_pending: 'retry',
  policy_denied: 'none',
  approval_unverifiable: 'none',
} as const satisfies Record<ApprovalRefusal, string>

/** The decision with what is wrong with its approval, if one was sent. */
export async function withApproval(
  op: Op,
  asked: Evaluation,
  who: Subject | null,
  by: AskedBy,
  decided: () => DecisionResult,
): Promise<DecisionResult> {
  const { approval: sent } = asked.context ?? {}
  if (sent === undefined) return decided()
  const wrong = await refusalOf(op, asked, who, by, sent)
  if (wrong) return refused(wrong, {})
  const answer = decided()
  if (answer.decision) return answer
  // It was asked for already: the answer to a refusal is not another request.
  const {
    access_request: _a,
    evaluation_id: _i,
    evaluated_at: _t,
    ...context
  } = answer.context ?? {}
  return refused('policy_denied', context)
}

function refused(
  reason: ApprovalRefusal,
  { reason: _, ...context }: NonNullable<DecisionResult['context']>,
): DecisionResult {
  return { decision: false, context: { ...context, reason, next_action: NEXT[reason] } }
}

async function refusalOf(
  op: Op,
  asked: Evaluation,
  who: Subject | null,
  { applicationId }: AskedBy,
  sent: unknown,
): Promise<ApprovalRefusal | null> {
  const parsed = approval.safeParse(sent)
  if (!parsed.success) return 'approval_unverifiable'
  const { id, approved_at, approved_until } = parsed.data
  const request = await op.read((db) => findAccessRequest(db, { id }))
  if (!request || request.madeBy === null || request.madeBy !== applicationId)
    return 'approval_unverifiable'
  if (request.status === 'pending') return 'grant_pending'
  if (request.status !== 'approved' || request.decidedAt?.toISOString() !== approved_at)
    return 'approval_unverifiable'
  // Also what was taken back before the end that the approval names.
  if (request.approvedUntil && request.approvedUntil <= op.now()) return 'approval_expired'
  if (request.approvedUntil?.toISOString() !== approved_until) return 'approval_unverifiable'
  const covers =
    who?.kind === 'user' &&
    request.userId === who.id &&
    request.scope === `${asked.resource.type}:${asked.action.name}` &&
    isAbout(request, asked)
  return covers ? null : 'out_of_scope'
}

/** What was refused for a token is given for every instance, in every context. */
function isAbout(
  { resourceId, contextDigest }: Pick<AccessRequest, 'resourceId' | 'contextDigest'>,
  asked: Evaluation,
): boolean {
  if (resourceId === null) return true
  return resourceId === asked.resource.id && contextDigest === evaluationDigest(asked)
}
