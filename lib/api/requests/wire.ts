import { z } from 'zod'
import type { Policy } from '../../access/policy'
import type { Op } from '../../context/op'
import { findApiById } from '../../store/permissions/apis'
import { type AccessRequest, REQUEST_STATUSES } from '../../store/requests/access-requests'
import { iso } from '../http/schemas'
import { wireOf } from '../http/wire'
import { approverWire } from './approver-schema'

/** A request as its asker, its approvers and admins see it. */

const namedSchema = z.object({ id: z.string(), name: z.string() })

export const stagesWire = z.array(
  z.object({
    approvers: z.array(approverWire),
    needed: z.number(),
    escalateTo: z.array(approverWire),
    deadlineSeconds: z.number(),
  }),
)

export const apiWire = z.object({ id: z.string(), name: z.string(), prefix: z.string() })

export const requestSchema = z.object({
  id: z.string(),
  status: z.enum(REQUEST_STATUSES),
  scope: z.string(),
  api: apiWire.nullable(),
  sensitive: z.boolean(),
  user: namedSchema,
  application: namedSchema.nullable().describe('Where it was refused'),
  madeBy: namedSchema
    .nullable()
    .describe('The application that asked for the user; null: the user'),
  lacks: z.array(z.enum(['user', 'application'])).describe('Whom an approval gives it to'),
  resource: z.object({ type: z.string().nullable(), id: z.string() }).nullable(),
  reason: z.string().nullable(),
  emergency: z.boolean(),
  requestedUntil: z.string().nullable(),
  approvedUntil: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string().describe('Until then it can be decided'),
  stageDeadline: z.string(),
  decidedAt: z.string().nullable(),
  decisionId: z.string().nullable().describe('The refusal that it came from'),
  rule: namedSchema,
  stage: z.number().describe('From 0'),
  stages: z.array(stagesWire.element.extend({ approvals: z.number() })),
  escalated: z.boolean(),
  votes: z.array(
    z.object({
      stage: z.number(),
      approver: namedSchema,
      approved: z.boolean(),
      reason: z.string().nullable(),
      until: z.string().nullable(),
      at: z.string(),
    }),
  ),
  review: z
    .object({
      deadline: z.string(),
      missedAt: z.string().nullable(),
      reviewedAt: z.string().nullable(),
      reviewer: namedSchema.nullable(),
      justified: z.boolean().nullable(),
      reason: z.string().nullable(),
      reviewers: z.array(approverWire),
    })
    .nullable()
    .describe('Of what was opened in an emergency'),
  may: z.object({
    decide: z.boolean(),
    review: z.boolean(),
    cancel: z.boolean(),
    revoke: z.boolean(),
  }),
})
export type AccessRequestWire = z.infer<typeof requestSchema>

export async function apiOf(op: Op, apiId: string) {
  const api = await op.read((db) => findApiById(db, apiId))
  return api && { id: api.id, name: api.name, prefix: api.prefix }
}

type Whole = { policy: Policy } & Pick<AccessRequestWire, 'api' | 'may' | 'madeBy'>

export function toWire(request: AccessRequest, whole: Whole): AccessRequestWire {
  const { policy, api, may, madeBy } = whole
  const { status, scope, resourceId, votes, terms } = request
  return wireOf(requestSchema, request, {
    api,
    madeBy,
    may,
    sensitive: policy.items.get(scope)?.sensitive ?? false,
    resource: resourceId === null ? null : { type: request.resourceType, id: resourceId },
    approvedUntil: status === 'approved' ? iso(request.approvedUntil) : null,
    rule: { id: request.ruleId, name: terms.name },
    stages: terms.stages.map((stage, at) => ({
      approvers: [...stage.approvers],
      needed: stage.needed,
      escalateTo: [...stage.escalateTo],
      deadlineSeconds: stage.deadlineSeconds,
      approvals: votes.filter((vote) => vote.stage === at && vote.approved).length,
    })),
    review: reviewIn(request),
    votes: votes.map(({ until, at, ...vote }) => ({ ...vote, until: iso(until), at: iso(at) })),
  })
}

function reviewIn(request: AccessRequest): AccessRequestWire['review'] {
  const { reviewDeadline, terms, reviewer, justified, reviewReason } = request
  if (reviewDeadline === null) return null
  return {
    deadline: iso(reviewDeadline),
    missedAt: iso(request.reviewMissedAt),
    reviewedAt: iso(request.reviewedAt),
    reviewer,
    justified,
    reason: reviewReason,
    reviewers: [...(terms.emergency?.reviewers ?? [])],
  }
}
