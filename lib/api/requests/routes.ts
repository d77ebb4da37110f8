import { z } from 'zod'
import { decidePermission } from '../../access/check'
import { explainCheck } from '../../access/explain'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { tokensWith } from '../../store/permissions/last-granted'
import {
  type AccessRequest,
  EMERGENCY_REVIEWS,
  findAccessRequest,
  listAskedBefore,
  listRequestPage,
  REQUEST_STATUSES,
} from '../../store/requests/access-requests'
import { contextOf, explanationSchema } from '../decision/decision'
import { actorOf } from '../http/caller'
import { type Call, operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { invalidField, notFound, Problem } from '../http/problem'
import { dateOf, dateSchema, idSchema, iso, wordsSchema } from '../http/schemas'
import { approverWire } from './approver-schema'
import { becauseOf } from './approvers'
import { requireRequest } from './create'
import { cancel, grantsOf, vote } from './decide'
import { mayTakeBack, takeBack } from './revoke'
import { requirePerson, requireVisible, seesAll, wireFor } from './seen'
import { toReviewFor, waitingFor } from './waiting'
import { requestSchema } from './wire'

/** Requests for access, and the decisions about them. */

const SCOPE = 'permissions:request'
const MAX_LISTED = 200
const MAX_BEFORE = 10

/** Whoever may end all access to an API sees who asked for it. */
async function governs(op: Op, { caller }: Call, apiId: string | undefined): Promise<boolean> {
  return apiId !== undefined && mayTakeBack(op, caller, { userId: '', apiId })
}

// ---------------------------------------------------------------- reading

/** What waits for a user, the most urgent first. */
const WAITING = {
  decide: { list: waitingFor, known: { decides: true } },
  review: { list: toReviewFor, known: { reviews: true } },
}

export const listAccessRequests = operation({
  id: 'listAccessRequests',
  method: 'GET',
  path: '/access-requests',
  summary: 'List requests for access: one’s own, those to decide or to review, or all for admins',
  scope: SCOPE,
  query: listQuery(['createdAt'], {
    view: z
      .enum(['own', 'decide', 'review', 'all'])
      .optional()
      .describe('Default: `own` for a user, `all` for an application'),
    status: z.enum(REQUEST_STATUSES).optional(),
    overdue: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: only those about which nobody decided in the time of their step'),
    review: z
      .enum(EMERGENCY_REVIEWS)
      .optional()
      .describe('Only what was opened in an emergency. `overdue`: nobody reviewed it in time'),
    api: idSchema.optional().describe('ID of an API: its owners list all requests for it, too'),
  }),
  answers: { 200: pageSchema(requestSchema) },
  async handle(op, call) {
    const { view = call.caller.kind === 'user' ? 'own' : 'all', limit } = call.query
    const { status, review, api: apiId } = call.query
    if (view === 'decide' || view === 'review') {
      const { list, known } = WAITING[view]
      const waiting = await list(op, requirePerson(call), MAX_LISTED)
      const data = await Promise.all(waiting.map((one) => wireFor(op, call, one, known)))
      return { status: 200, body: { data, page: { next: null, previous: null, limit } } }
    }
    if (view === 'all' && !seesAll(call) && !(await governs(op, call, apiId))) {
      throw new Problem('forbidden', errorMessage('scope_needed', { scope: 'assignments:read' }))
    }
    const userId = view === 'all' ? undefined : requirePerson(call)
    const overdue = call.query.overdue === 'true'
    const filters = { status, apiId, userId, overdue, review }
    const list = { name: 'access requests', filters, list: listRequestPage }
    const { body } = await listed(op, call.query, list, (row) => row)
    const data = await Promise.all(body.data.map((one) => wireFor(op, call, one)))
    return { status: 200, body: { data, page: body.page } }
  },
})

const detailSchema = requestSchema.extend({
  because: z.array(approverWire).describe('Why the caller is asked'),
  askedBefore: z.array(
    z.object({
      id: z.string(),
      scope: z.string(),
      status: z.enum(REQUEST_STATUSES),
      review: z
        .object({ justified: z.boolean().nullable() })
        .nullable()
        .describe('Of what the user opened alone in an emergency'),
      createdAt: z.string(),
      decidedAt: z.string().nullable(),
    }),
  ),
  gives: z
    .array(
      z.object({
        to: z.enum(['user', 'application']),
        id: z.string(),
        permission: z.string(),
        condition: z.string().nullable(),
      }),
    )
    .describe('The grants that an approval makes'),
  explanation: explanationSchema.nullable().describe('Why it is refused; for those who decide'),
  longestUntil: z.string().describe('The latest end that an approval now could have'),
  used: z
    .object({
      count: z.number().describe('Tokens of this user that had the permission'),
      lastAt: z.string().nullable(),
      complete: z
        .boolean()
        .describe('False: the audit log was not read as a whole, or begins later'),
    })
    .nullable()
    .describe(
      'Of what was opened in an emergency, from then to its end; null for what was asked for',
    ),
})
export type AccessRequestDetail = z.infer<typeof detailSchema>

/** What was done with it is not known here; whether applications got it is. */
async function usedOf(op: Op, request: AccessRequest): Promise<AccessRequestDetail['used']> {
  const { userId, scope, createdAt: from, reviewDeadline, approvedUntil } = request
  if (reviewDeadline === null) return null
  const during = { userId, scope, from, until: approvedUntil ?? op.now() }
  const { lastAt, ...rest } = await op.readReplica((db) => tokensWith(db, during))
  return { ...rest, lastAt: iso(lastAt) }
}

export const getAccessRequest = operation({
  id: 'getAccessRequest',
  method: 'GET',
  path: '/access-requests/{request}',
  summary: 'Read a request for access, with what helps to decide about it',
  scope: SCOPE,
  answers: { 200: detailSchema },
  async handle(op, call) {
    const request = await requireVisible(op, call, call.params.request)
    const wire = await wireFor(op, call, request)
    const isAsker = request.userId === call.caller.id
    const before = isAsker ? [] : await op.read((db) => listAskedBefore(db, request, MAX_BEFORE))
    const longest = op.now().getTime() + request.terms.maxSeconds * 1000
    const ends = [request.requestedUntil, request.approvedUntil].flatMap((end) => end ?? [])
    const longestUntil = new Date(Math.min(longest, ...ends.map((end) => end.getTime())))
    return {
      status: 200,
      body: {
        ...wire,
        because: wire.may.decide ? await becauseOf(op, request, call.caller.id) : [],
        askedBefore: before.map((one) => ({
          id: one.id,
          scope: one.scope,
          status: one.status,
          review: one.reviewDeadline && { justified: one.justified },
          createdAt: iso(one.createdAt),
          decidedAt: iso(one.decidedAt),
        })),
        gives: grantsOf(request, longestUntil).map((grant) => ({
          ...('userId' in grant
            ? { to: 'user' as const, id: grant.userId }
            : { to: 'application' as const, id: grant.applicationId }),
          permission: grant.pattern,
          condition: grant.condition,
        })),
        explanation: wire.may.decide || seesAll(call) ? await explanationOf(op, request) : null,
        longestUntil: iso(longestUntil),
        used: await usedOf(op, request),
      },
    }
  },
})

async function explanationOf(op: Op, { userId, scope, resourceId }: AccessRequest) {
  const { policy } = await op.snapshot({ users: [userId] })
  const subject = { kind: 'user', id: userId } as const
  const resource = resourceId === null ? {} : { id: resourceId }
  const context = contextOf(op, policy, subject, { given: undefined, resource })
  const check = { subject, permission: scope, instance: resourceId, context }
  return explainCheck(policy, scope, decidePermission(policy, check), context)
}

// ---------------------------------------------------------------- deciding

const said = z.strictObject({ reason: wordsSchema.nullable().default(null) })

export const approveAccessRequest = operation({
  id: 'approveAccessRequest',
  method: 'POST',
  path: '/access-requests/{request}/approval',
  summary: 'Approve a request for access, for a shorter time if the caller says so',
  scope: SCOPE,
  body: said.extend({ until: dateSchema.nullable().default(null).describe('An earlier end') }),
  example: { reason: 'Agreed with finance' },
  answers: { 200: requestSchema },
  async handle(op, call) {
    const request = await requireVisible(op, call, call.params.request)
    const { reason } = call.body
    const until = dateOf(call.body.until)
    if (until && until <= op.now()) throw invalidField('/until', errorMessage('future_needed'))
    if (until && request.requestedUntil && until > request.requestedUntil)
      throw invalidField('/until', errorMessage('narrower_needed'))
    await vote(op, call.caller, request, { approve: true, reason, until }, actorOf(call))
    return { status: 200, body: await wireFor(op, call, await requireRequest(op, request.id)) }
  },
})

export const denyAccessRequest = operation({
  id: 'denyAccessRequest',
  method: 'POST',
  path: '/access-requests/{request}/denial',
  summary: 'Deny a request for access',
  scope: SCOPE,
  body: said,
  example: { reason: 'Not needed for this' },
  answers: { 200: requestSchema },
  async handle(op, call) {
    const request = await requireVisible(op, call, call.params.request)
    const { reason } = call.body
    await vote(op, call.caller, request, { approve: false, reason, until: null }, actorOf(call))
    return { status: 200, body: await wireFor(op, call, await requireRequest(op, request.id)) }
  },
})

export const cancelAccessRequest = operation({
  id: 'cancelAccessRequest',
  method: 'POST',
  path: '/access-requests/{request}/cancellation',
  summary: 'Withdraw a request of one’s own',
  scope: SCOPE,
  body: z.strictObject({}),
  example: {},
  answers: { 200: requestSchema },
  async handle(op, call) {
    const request = await requireVisible(op, call, call.params.request)
    if (request.userId !== call.caller.id) throw notFound('no_access_request', request.id)
    await cancel(op, request, actorOf(call))
    return { status: 200, body: await wireFor(op, call, await requireRequest(op, request.id)) }
  },
})

/** For clients too; to everybody else it does not exist, or is not theirs to take back. */
async function requireRevocable(op: Op, call: Call, id: string): Promise<AccessRequest> {
  const request = await op.read((db) => findAccessRequest(db, { id }))
  if (request && (await mayTakeBack(op, call.caller, request))) return request
  await requireVisible(op, call, id)
  throw new Problem('forbidden', errorMessage('scope_needed', { scope: 'assignments:write' }))
}

export const revokeAccessRequest = operation({
  id: 'revokeAccessRequest',
  method: 'POST',
  path: '/access-requests/{request}/revocation',
  summary: 'Take back what an approved request gave; for the asker, API owners and admins',
  scope: SCOPE,
  body: said,
  example: { reason: 'The work is done' },
  answers: { 200: requestSchema },
  async handle(op, call) {
    const request = await requireRevocable(op, call, call.params.request)
    await takeBack(op, request, actorOf(call), call.body.reason)
    return { status: 200, body: await wireFor(op, call, await requireRequest(op, request.id)) }
  },
})

export const accessRequestRoutes = tagged('Access requests', [
  listAccessRequests,
  getAccessRequest,
  approveAccessRequest,
  denyAccessRequest,
  cancelAccessRequest,
  revokeAccessRequest,
])
