import { z } from 'zod'
import { decidePermission } from '../../access/check'
import { explainCheck } from '../../access/explain'
import { nextForCheck } from '../../access/next-action'
import { takingTurns } from '../../access/turns'
import type { Op } from '../../context/op'
import { mistake, rule } from '../../i18n/mistake'
import {
  type AccessRequest,
  findAccessRequest,
  listAskedBefore,
  listRequestPage,
  REQUEST_STATUSES,
} from '../../store/access-requests'
import { findItem } from '../../store/apis'
import { contextOf, explanationSchema } from '../decision'
import { type Call, operation } from '../operation'
import { listed, listQuery, pageSchema } from '../page'
import { invalidField, notFound, Problem } from '../problem'
import { becauseOf, decidersIn } from '../requests/approvers'
import {
  askFor,
  pendingKeyOf,
  type Refused,
  refusedNow,
  requireBinding,
  requireRequest,
  requireRequestable,
} from '../requests/create'
import { cancel, grantsOf, vote } from '../requests/decide'
import type { Actor } from '../requests/news'
import { isInForce, mayTakeBack, takeBack } from '../requests/revoke'
import { waitingFor } from '../requests/waiting'
import { apiOf, apiWire, requestSchema, stagesWire, toWire } from '../requests/wire'
import { dateOf, dateSchema, idSchema, iso, scopeSchema, textSchema } from '../schemas'
import { approverWire } from './request-rules'

/** Users ask for what was refused to them, and others decide about it. */

const TAG = 'Access requests'
const SCOPE = 'permissions:request'
const MOST_LISTED = 200
const MOST_BEFORE = 10

type AnyCall = Call<unknown, unknown, unknown>

function requirePerson({ caller }: AnyCall): string {
  if (caller.kind === 'user') return caller.id
  throw new Problem('forbidden', mistake('person_needed'))
}

function actorOf({ caller, incoming }: AnyCall): Actor {
  return {
    ...{ actorKind: caller.kind, actorId: caller.id },
    ...{ ip: incoming.ip, requestId: incoming.requestId },
  }
}

/** Admins and auditors see all requests. */
function seesAll({ caller }: AnyCall): boolean {
  return caller.scopes.has('assignments:read')
}

/** Whoever may end all access to an API sees who asked for it. */
async function governs(op: Op, { caller }: AnyCall, apiId: string | undefined): Promise<boolean> {
  return apiId !== undefined && mayTakeBack(op, caller, { userId: '', apiId })
}

async function mayDecide(op: Op, userId: string, request: AccessRequest): Promise<boolean> {
  if (request.status !== 'pending' || request.userId === userId) return false
  if (request.votes.some(({ approver }) => approver.id === userId)) return false
  const deciders = await decidersIn(op, request)
  return (await op.read((db) => deciders(db, [userId]))).length > 0
}

async function wireFor(op: Op, call: AnyCall, request: AccessRequest, decides?: boolean) {
  const { id } = call.caller
  const may = {
    decide: decides ?? (await mayDecide(op, id, request)),
    cancel: request.status === 'pending' && request.userId === id,
    revoke: isInForce(request, op.now()) && (await mayTakeBack(op, call.caller, request)),
  }
  const { policy } = call.snapshot
  return toWire(request, { policy, may, api: await apiOf(op, request.apiId) })
}

/** To everybody else, it does not exist. */
async function requireVisible(op: Op, call: AnyCall, id: string): Promise<AccessRequest> {
  const userId = requirePerson(call)
  const request = await op.read((db) => findAccessRequest(db, { id }))
  if (!request) throw notFound('no_access_request', id)
  const voted = request.votes.some(({ approver }) => approver.id === userId)
  if (request.userId === userId || voted || seesAll(call)) return request
  if (await mayDecide(op, userId, request)) return request
  if (await mayTakeBack(op, call.caller, request)) return request
  throw notFound('no_access_request', id)
}

// ---------------------------------------------------------------- what can be asked for

const ruleWire = z.object({
  id: z.string(),
  name: z.string(),
  reasonRequired: z.boolean(),
  maxSeconds: z.number(),
  stages: stagesWire,
})
const requestableSchema = z.object({
  scope: z.string(),
  api: apiWire.nullable(),
  descriptions: z.record(z.string(), z.string()),
  sensitive: z.boolean(),
  rule: ruleWire,
  request: z.string().nullable().describe('The caller’s own request that is pending'),
})
export type RequestableWire = z.infer<typeof requestableSchema>

/** An application with the user's token is not the user in person. */
function madeByIn({ caller }: AnyCall): string | null {
  return caller.through?.application.id ?? null
}

async function requestableWire(op: Op, call: AnyCall, refused: Refused, pointer: string) {
  const { item, rule: found } = await requireRequestable(op, refused, pointer)
  const { id, name, reasonRequired, maxSeconds, stages } = found
  const described = await op.read((db) => findItem(db, item.api.spaceId, item.scope))
  const pendingKey = pendingKeyOf(refused, madeByIn(call))
  const pending = await op.read((db) => findAccessRequest(db, { pendingKey }))
  return {
    scope: item.scope,
    api: await apiOf(op, item.api.id),
    descriptions: (described?.descriptions ?? {}) as Record<string, string>,
    sensitive: item.sensitive,
    rule: {
      ...{ id, name, reasonRequired, maxSeconds },
      stages: stages.map((stage) => ({
        ...stage,
        approvers: [...stage.approvers],
        escalateTo: [...stage.escalateTo],
      })),
    },
    request: pending?.id ?? null,
  }
}

export const listRequestable = operation({
  id: 'listRequestable',
  method: 'GET',
  path: '/requestable-permissions',
  tag: TAG,
  summary: 'List the permissions that the caller lacks and may ask for',
  scope: SCOPE,
  answers: { 200: z.object({ data: z.array(requestableSchema) }) },
  async handle(op, call) {
    const userId = requirePerson(call)
    const { policy } = await op.snapshot({ users: [userId] })
    const subject = { kind: 'user', id: userId } as const
    const context = contextOf(op, policy, subject, { given: undefined })
    const turn = takingTurns()
    const data: RequestableWire[] = []
    for (const { scope, api } of policy.items.values()) {
      if (!api.requestRules || data.length >= MOST_LISTED) continue
      await turn()
      const check = { subject, permission: scope, instance: null, context }
      const decision = decidePermission(policy, check)
      if (decision.allowed || nextForCheck(policy, check, decision).action !== 'request') continue
      data.push(await requestableWire(op, call, await refusedNow(op, userId, scope), '/scope'))
    }
    return { status: 200, body: { data } }
  },
})

const what = {
  binding: z.string().max(4_000).optional().describe('From a refusal'),
  scope: scopeSchema.optional().describe('From the list of what can be asked for'),
}

type What = { binding?: string | undefined; scope?: string | undefined }

function oneOfThem({ binding, scope }: What): boolean {
  return (binding === undefined) !== (scope === undefined)
}

async function refusedIn(op: Op, userId: string, { binding, scope }: What): Promise<Refused> {
  if (binding !== undefined) return requireBinding(op, userId, binding)
  return refusedNow(op, userId, scope ?? '')
}

export const previewAccessRequest = operation({
  id: 'previewAccessRequest',
  method: 'POST',
  path: '/access-requests/preview',
  tag: TAG,
  summary: 'Show what a request would ask for, without making it',
  scope: SCOPE,
  body: z.strictObject(what).refine(oneOfThem, { error: rule('required'), path: ['binding'] }),
  example: { scope: 'orders:refund' },
  answers: {
    200: requestableSchema.extend({
      application: z.object({ id: z.string(), name: z.string() }).nullable(),
      resource: z.object({ type: z.string().nullable(), id: z.string() }).nullable(),
    }),
  },
  async handle(op, call) {
    const refused = await refusedIn(op, requirePerson(call), call.body)
    const pointer = call.body.binding === undefined ? '/scope' : '/binding'
    const wire = await requestableWire(op, call, refused, pointer)
    const { applicationId, resourceType: type, resourceId } = refused
    const clients = applicationId === null ? [] : [applicationId]
    const { credentials } = await op.snapshot({ clients })
    const known = applicationId === null ? null : credentials.get(applicationId)
    return {
      status: 200,
      body: {
        ...wire,
        application: known ? { id: known.application.id, name: known.application.name } : null,
        resource: resourceId === null ? null : { type, id: resourceId },
      },
    }
  },
})

// ---------------------------------------------------------------- asking

export const createAccessRequest = operation({
  id: 'createAccessRequest',
  method: 'POST',
  path: '/access-requests',
  tag: TAG,
  summary: 'Ask for access; whoever asks for the same again joins the pending request',
  scope: SCOPE,
  body: z
    .strictObject({
      ...what,
      reason: textSchema.trim().min(1).nullable().default(null),
      until: dateSchema.nullable().default(null).describe('The end; null for the longest time'),
      emergency: z.boolean().default(false),
    })
    .refine(oneOfThem, { error: rule('required'), path: ['binding'] }),
  example: { scope: 'orders:refund', reason: 'Return of order 4711' },
  answers: { 201: requestSchema },
  async handle(op, call) {
    const userId = requirePerson(call)
    const refused = await refusedIn(op, userId, call.body)
    const pointer = call.body.binding === undefined ? '/scope' : '/binding'
    const requestable = await requireRequestable(op, refused, pointer)
    const { reason, until, emergency } = call.body
    const asked = { refused, reason, until: dateOf(until), emergency }
    const by = { callback: null, madeBy: madeByIn(call) }
    const request = await askFor(op, { ...asked, ...by }, requestable, actorOf(call))
    return { status: 201, body: await wireFor(op, call, request) }
  },
})

// ---------------------------------------------------------------- reading

export const listAccessRequests = operation({
  id: 'listAccessRequests',
  method: 'GET',
  path: '/access-requests',
  tag: TAG,
  summary: 'List requests for access: the caller’s own, those to decide, or all for admins',
  scope: SCOPE,
  query: listQuery(['createdAt'], {
    view: z
      .enum(['own', 'decide', 'all'])
      .optional()
      .describe('Default: `own` for a user, `all` for an application'),
    status: z.enum(REQUEST_STATUSES).optional(),
    api: idSchema.optional().describe('ID of an API: its owners list all requests for it, too'),
  }),
  answers: { 200: pageSchema(requestSchema) },
  async handle(op, call) {
    const { view = call.caller.kind === 'user' ? 'own' : 'all', limit } = call.query
    const { status, api: apiId } = call.query
    if (view === 'decide') {
      const userId = requirePerson(call)
      const mine = await waitingFor(op, userId, MOST_LISTED)
      const data = await Promise.all(mine.map((one) => wireFor(op, call, one, true)))
      return { status: 200, body: { data, page: { next: null, previous: null, limit } } }
    }
    if (view === 'all' && !seesAll(call) && !(await governs(op, call, apiId))) {
      throw new Problem('forbidden', mistake('scope_needed', { scope: 'assignments:read' }))
    }
    const userId = view === 'all' ? undefined : requirePerson(call)
    const filters = { status, apiId, userId }
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
      status: z.string(),
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
})
export type AccessRequestDetail = z.infer<typeof detailSchema>

export const getAccessRequest = operation({
  id: 'getAccessRequest',
  method: 'GET',
  path: '/access-requests/{request}',
  tag: TAG,
  summary: 'Read a request for access, with what helps to decide about it',
  scope: SCOPE,
  answers: { 200: detailSchema },
  async handle(op, call) {
    const request = await requireVisible(op, call, call.params.request)
    const wire = await wireFor(op, call, request)
    const isAsker = request.userId === call.caller.id
    const before = isAsker ? [] : await op.read((db) => listAskedBefore(db, request, MOST_BEFORE))
    const longest = op.now().getTime() + request.terms.maxSeconds * 1000
    const ends = [request.requestedUntil, request.approvedUntil].flatMap((end) => end ?? [])
    const longestUntil = new Date(Math.min(longest, ...ends.map((end) => end.getTime())))
    return {
      status: 200,
      body: {
        ...wire,
        because: wire.may.decide ? await becauseOf(op, request, call.caller.id) : [],
        askedBefore: before.map((one) => ({
          ...{ id: one.id, scope: one.scope, status: one.status },
          ...{ createdAt: iso(one.createdAt), decidedAt: iso(one.decidedAt) },
        })),
        gives: grantsOf(request, longestUntil).map((grant) => ({
          ...('userId' in grant
            ? { to: 'user' as const, id: grant.userId }
            : { to: 'application' as const, id: grant.applicationId }),
          ...{ permission: grant.pattern, condition: grant.condition },
        })),
        explanation: wire.may.decide || seesAll(call) ? await explanationOf(op, request) : null,
        longestUntil: iso(longestUntil),
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

const said = z.strictObject({ reason: textSchema.trim().min(1).nullable().default(null) })

export const approveAccessRequest = operation({
  id: 'approveAccessRequest',
  method: 'POST',
  path: '/access-requests/{request}/approval',
  tag: TAG,
  summary: 'Approve a request for access, for a shorter time if the caller says so',
  scope: SCOPE,
  body: said.extend({ until: dateSchema.nullable().default(null).describe('An earlier end') }),
  example: { reason: 'Agreed with finance' },
  answers: { 200: requestSchema },
  async handle(op, call) {
    const request = await requireVisible(op, call, call.params.request)
    const { reason } = call.body
    const until = dateOf(call.body.until)
    if (until && until <= op.now()) throw invalidField('/until', mistake('future_needed'))
    if (until && request.requestedUntil && until > request.requestedUntil)
      throw invalidField('/until', mistake('narrower_needed'))
    await vote(op, call.caller, request, { approve: true, reason, until }, actorOf(call))
    return { status: 200, body: await wireFor(op, call, await requireRequest(op, request.id)) }
  },
})

export const denyAccessRequest = operation({
  id: 'denyAccessRequest',
  method: 'POST',
  path: '/access-requests/{request}/denial',
  tag: TAG,
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
  tag: TAG,
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
async function requireRevocable(op: Op, call: AnyCall, id: string): Promise<AccessRequest> {
  const request = await op.read((db) => findAccessRequest(db, { id }))
  if (request && (await mayTakeBack(op, call.caller, request))) return request
  await requireVisible(op, call, id)
  throw new Problem('forbidden', mistake('scope_needed', { scope: 'assignments:write' }))
}

export const revokeAccessRequest = operation({
  id: 'revokeAccessRequest',
  method: 'POST',
  path: '/access-requests/{request}/revocation',
  tag: TAG,
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

export const accessRequestRoutes = [
  listRequestable,
  previewAccessRequest,
  createAccessRequest,
  listAccessRequests,
  getAccessRequest,
  approveAccessRequest,
  denyAccessRequest,
  cancelAccessRequest,
  revokeAccessRequest,
]
