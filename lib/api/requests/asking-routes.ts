import { z } from 'zod'
import { decidePermission } from '../../access/check'
import { nextForCheck } from '../../access/next-action'
import { takingTurns } from '../../access/turns'
import type { Op } from '../../context/op'
import { errorMessage, rule } from '../../i18n/error-message'
import { findItem } from '../../store/permissions/apis'
import { findAccessRequest } from '../../store/requests/access-requests'
import { contextOf } from '../decision/decision'
import { actorOf } from '../http/caller'
import { type Call, operation, tagged } from '../http/operation'
import { searchedSchema } from '../http/page'
import { isProblem, notFound, Problem } from '../http/problem'
import { dateOf, dateSchema, idSchema, iso, scopeSchema, wordsSchema } from '../http/schemas'
import { approverWire } from './approver-schema'
import {
  agrees,
  askFor,
  pendingKeyOf,
  type RefusedScopeRef,
  type RequestableItem,
  refusedNow,
  requireBinding,
  requireRequest,
  requireRequestable,
} from './create'
import { type KnownOf, knownOf, mayOpen, openInEmergency } from './emergency'
import { requirePerson, wireFor } from './seen'
import { apiOf, apiWire, requestSchema, stagesWire } from './wire'

/** Users ask for what was refused to them. */

const SCOPE = 'permissions:request'
const MAX_LISTED = 200

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
  emergency: z
    .object({
      seconds: z.number(),
      reviewSeconds: z.number(),
      reviewers: z.array(approverWire),
      missingReview: z.string().nullable().describe('It has to be done before anything is opened'),
      barredUntil: z
        .string()
        .nullable()
        .describe('Until then nothing is opened: what was opened before was not justified'),
    })
    .nullable()
    .describe('For those who may open it alone in an emergency, on the pages of the portal'),
})
export type RequestableWire = z.infer<typeof requestableSchema>

/** An application with the user's token is not the user in person. */
function madeByIn({ caller }: Call): string | null {
  return caller.through?.application.id ?? null
}

async function emergencyFor(
  op: Op,
  { caller }: Call,
  requestable: RequestableItem,
  known: KnownOf,
): Promise<RequestableWire['emergency']> {
  const { emergency, maxSeconds } = requestable.rule
  if (emergency === null || !(await mayOpen(op, caller, requestable, known))) return null
  const { missing, unjustified } = await known.barred(requestable.item.api.id)
  const { seconds, reviewSeconds, reviewers } = emergency
  return {
    seconds: Math.min(seconds, maxSeconds),
    reviewSeconds,
    reviewers: [...reviewers],
    missingReview: missing?.id ?? null,
    barredUntil: iso(unjustified?.until ?? null),
  }
}

async function requestableWire(
  op: Op,
  call: Call,
  refused: RefusedScopeRef,
  pointer: string,
  known: KnownOf = knownOf(op, call.caller),
) {
  const requestable = await requireRequestable(op, refused, pointer)
  const { item, rule: found } = requestable
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
      id,
      name,
      reasonRequired,
      maxSeconds,
      stages: stages.map((stage) => ({
        ...stage,
        approvers: [...stage.approvers],
        escalateTo: [...stage.escalateTo],
      })),
    },
    request: pending?.id ?? null,
    emergency: refused.lacks.includes('application')
      ? null
      : await emergencyFor(op, call, requestable, known),
  }
}

/** Null if somebody has given it meanwhile: the list goes on. */
async function requestableNow(op: Op, call: Call, scope: string, known: KnownOf) {
  try {
    const refused = await refusedNow(op, call.caller.id, scope)
    return await requestableWire(op, call, refused, '/scope', known)
  } catch (error) {
    if (isProblem(error)) return null
    throw error
  }
}

/** What the caller lacks and a rule lets them ask for. */
async function requestableScopes(op: Op, userId: string): Promise<string[]> {
  const { policy } = await op.snapshot({ users: [userId] })
  const subject = { kind: 'user', id: userId } as const
  const context = contextOf(op, policy, subject, { given: undefined })
  const turn = takingTurns()
  const found: string[] = []
  for (const { scope, api } of policy.items.values()) {
    if (!api.requestRules) continue
    await turn()
    const check = { subject, permission: scope, instance: null, context }
    const decision = decidePermission(policy, check)
    if (decision.allowed || nextForCheck(policy, check, decision).action !== 'request') continue
    found.push(scope)
  }
  return found
}

/** By its name, its API, or what it means in any language. */
async function matching(op: Op, scopes: readonly string[], q: string): Promise<string[]> {
  const described = await op.consents.describe(scopes)
  const wanted = q.toLocaleLowerCase()
  return scopes.filter((scope) => {
    const { apiName = '', sentences = {} } = described.get(scope) ?? {}
    const words = [scope, apiName, ...Object.values(sentences)]
    return words.some((text) => text.toLocaleLowerCase().includes(wanted))
  })
}

export const listRequestable = operation({
  id: 'listRequestable',
  method: 'GET',
  path: '/requestable-permissions',
  summary: 'List the permissions that the caller lacks and may ask for',
  scope: SCOPE,
  query: z.strictObject({ q: searchedSchema }),
  answers: {
    200: z.object({
      data: z.array(requestableSchema),
      complete: z.boolean().describe(`False: there are more than ${MAX_LISTED}; search for them`),
    }),
  },
  async handle(op, call) {
    const { q } = call.query
    const all = await requestableScopes(op, requirePerson(call))
    const wanted = q === undefined ? all : await matching(op, all, q)
    const known = knownOf(op, call.caller)
    const data: RequestableWire[] = []
    for (const scope of wanted.slice(0, MAX_LISTED)) {
      const one = await requestableNow(op, call, scope, known)
      if (one) data.push(one)
    }
    return { status: 200, body: { data, complete: wanted.length <= MAX_LISTED } }
  },
})

const what = {
  binding: z.string().max(4_000).optional().describe('From a refusal'),
  scope: scopeSchema.optional().describe('From the list of what can be asked for'),
  request: idSchema
    .optional()
    .describe('The caller’s own request that is pending: to open the same in an emergency'),
}

type What = { [Name in keyof typeof what]?: string | undefined }

function oneOfThem({ binding, scope, request }: What): boolean {
  return [binding, scope, request].filter((one) => one !== undefined).length === 1
}

async function refusedIn(op: Op, userId: string, what: What): Promise<RefusedScopeRef> {
  const { binding, scope, request } = what
  if (binding !== undefined) return requireBinding(op, userId, binding)
  return request === undefined ? refusedNow(op, userId, scope ?? '') : askedIn(op, userId, request)
}

/** What is asked for already: exactly this can be opened. */
async function askedIn(op: Op, userId: string, id: string): Promise<RefusedScopeRef> {
  const found = await op.read((db) => findAccessRequest(db, { id }))
  if (found?.userId !== userId) throw notFound('no_access_request', id)
  if (found.status !== 'pending') throw new Problem('conflict', errorMessage('request_over'))
  const { applicationId, scope, audience, contextDigest, resourceType, resourceId } = found
  return {
    userId,
    applicationId,
    scope,
    audience,
    contextDigest,
    resourceType,
    resourceId,
    lacks: found.lacks,
    policyVersion: found.policyVersion,
    decisionId: found.decisionId ?? op.newTokenId(),
  }
}

function pointerOf({ binding, request }: What): string {
  if (binding !== undefined) return '/binding'
  return request === undefined ? '/scope' : '/request'
}

export const previewAccessRequest = operation({
  id: 'previewAccessRequest',
  method: 'POST',
  path: '/access-requests/preview',
  summary: 'Show what a request would ask for, without making it',
  scope: SCOPE,
  body: z.strictObject(what).refine(oneOfThem, { error: rule('required'), path: ['binding'] }),
  example: { scope: 'orders:refund' },
  answers: {
    200: requestableSchema.extend({
      application: z.object({ id: z.string(), name: z.string() }).nullable(),
      lacks: z.array(z.enum(['user', 'application'])),
      consents: z
        .boolean()
        .describe('Whoever asks allows the application to use it, once it is given'),
      resource: z.object({ type: z.string().nullable(), id: z.string() }).nullable(),
    }),
  },
  async handle(op, call) {
    const refused = await refusedIn(op, requirePerson(call), call.body)
    const wire = await requestableWire(op, call, refused, pointerOf(call.body))
    const { applicationId, resourceType: type, resourceId } = refused
    const clients = applicationId === null ? [] : [applicationId]
    const { credentials } = await op.snapshot({ clients })
    const known = applicationId === null ? null : credentials.get(applicationId)
    return {
      status: 200,
      body: {
        ...wire,
        request: call.body.request ?? wire.request,
        application: known ? { id: known.application.id, name: known.application.name } : null,
        lacks: [...refused.lacks],
        consents: agrees({ refused, madeBy: madeByIn(call) }),
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
  summary: 'Ask for access; whoever asks for the same again joins the pending request',
  scope: SCOPE,
  body: z
    .strictObject({
      ...what,
      reason: wordsSchema.nullable().default(null),
      until: dateSchema.nullable().default(null).describe('The end; null for the longest time'),
      emergency: z
        .boolean()
        .default(false)
        .describe('It is urgent. Whoever the rule names opens it at once, in person'),
    })
    .refine(oneOfThem, { error: rule('required'), path: ['binding'] }),
  example: { scope: 'orders:refund', reason: 'Return of order 4711' },
  answers: { 201: requestSchema },
  async handle(op, call) {
    const userId = requirePerson(call)
    const refused = await refusedIn(op, userId, call.body)
    const requestable = await requireRequestable(op, refused, pointerOf(call.body))
    const { reason, until, emergency, request: pending } = call.body
    const asked = { refused, reason, until: dateOf(until), emergency }
    const all = { ...asked, callback: null, madeBy: madeByIn(call) }
    const opens = emergency && (await mayOpen(op, call.caller, requestable))
    const request = opens
      ? await openInEmergency(op, call.caller, all, requestable, actorOf(call))
      : pending === undefined
        ? await askFor(op, all, requestable, actorOf(call))
        : await requireRequest(op, pending)
    return { status: 201, body: await wireFor(op, call, request) }
  },
})

export const accessRequestAskingRoutes = tagged('Access requests', [
  listRequestable,
  previewAccessRequest,
  createAccessRequest,
])
