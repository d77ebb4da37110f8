import { isIP } from 'node:net'
import { z } from 'zod'
import { type Check, decidePermission, type Subject } from '../access/check'
import type { Context, Policy } from '../access/policy'
import {
  actionsAllowed,
  holdingRoles,
  instancesAllowed,
  patternsCovering,
  patternsOf,
  usersAllowed,
} from '../access/search'
import { inTurns, takingTurns } from '../access/turns'
import { type Incoming, json, NO_STORE, type Reply } from '../base/http'
import type { Op } from '../context/op'
import type { Endpoint } from '../oidc/endpoint'
import { groupsHolding, instancesOfRoles, type Source } from '../store/assignments'
import { rolesGranting } from '../store/grants'
import { identify, requireScopes } from './caller'
import { propertiesSchema } from './context-size'
import { contextOf, subjectOf, wantedFor } from './decision'
import { parseJson, problemAnswer, readJsonText } from './endpoint'
import { type Position, passOver, START } from './pass'
import { isProblem, PROBLEMS, Problem } from './problem'

/**
 * OpenID AuthZEN Authorization API 1.0. `resource.type` is the prefix of an API and `action.name`
 * is the part after the colon, so `record` and `read` ask for `record:read`; `resource.id` is the
 * resource instance. Unknown members are ignored (§10.1.1); a deny is 200.
 */

export const AUTHZEN_PATHS = {
  access_evaluation_endpoint: '/access/v1/evaluation',
  access_evaluations_endpoint: '/access/v1/evaluations',
  search_subject_endpoint: '/access/v1/search/subject',
  search_resource_endpoint: '/access/v1/search/resource',
  search_action_endpoint: '/access/v1/search/action',
} as const

const BODY_LIMIT = 256 * 1024
const MOST_AT_ONCE = 50
const PAGE_LIMIT = 100

const text = z.string().min(1).max(255)
const properties = propertiesSchema.optional()
const subject = z.object({ type: text, id: text, properties })
const action = z.object({ name: text, properties })
const resource = z.object({ type: text, id: text, properties })
const context = propertiesSchema.optional()
const evaluation = z.object({ subject, action, resource, context })
type Evaluation = z.infer<typeof evaluation>
const decided = z.object({ decision: z.boolean() })

// ---------------------------------------------------------------- the question

async function whoIs(op: Op, { type, id }: { type: string; id: string }): Promise<Subject | null> {
  if (type === 'user') return subjectOf(op, { user: id })
  if (type === 'client') return subjectOf(op, { client: id })
  return null
}

/** The subject of a question, and the policy that contains it; null for an unknown type. */
async function withSubject(
  op: Op,
  asked: { type: string; id: string },
): Promise<{ who: Subject; policy: Policy } | null> {
  const who = await whoIs(op, asked)
  return who && { who, policy: (await op.snapshot(wantedFor(who))).policy }
}

type Occasion = {
  subject?: z.infer<typeof subject>
  action?: z.infer<typeof action>
  resource?: z.infer<typeof type>
  context?: z.infer<typeof context>
}

function occasionContext(op: Op, policy: Policy, who: Subject, asked: Occasion): Context {
  const ip = String(asked.context?.ip ?? '')
  return contextOf(op, policy, who, {
    given: {
      ...(isIP(ip) !== 0 && { ip }),
      ...(asked.context && { properties: asked.context }),
    },
    subject: { ...clean(asked.subject), type: 'user', id: who.id },
    action: clean(asked.action),
    resource: clean(asked.resource),
  })
}

/** Without the members that were not sent. */
function clean<T extends object>(value: T | undefined): Sent<T> {
  const entries = Object.entries(value ?? {}).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries) as Sent<T>
}

type Sent<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

async function decisionOn(op: Op, asked: Evaluation): Promise<boolean> {
  const found = await withSubject(op, asked.subject)
  if (!found) return false
  const { who, policy } = found
  const check: Check = {
    subject: who,
    permission: `${asked.resource.type}:${asked.action.name}`,
    instance: asked.resource.id,
    context: occasionContext(op, policy, who, asked),
  }
  const { allowed } = decidePermission(policy, check)
  op.meter.checked(allowed)
  return allowed
}

// ---------------------------------------------------------------- evaluation and evaluations

async function evaluate(op: Op, body: unknown): Promise<Decided> {
  return { decision: await decisionOn(op, read(evaluation, body)) }
}

type Decided = z.infer<typeof decided>

const entity = z.looseObject({})
const batch = z.object({
  subject: entity.optional(),
  action: entity.optional(),
  resource: entity.optional(),
  context,
  evaluations: z.array(z.looseObject({})).max(MOST_AT_ONCE).optional(),
  options: z
    .object({
      evaluations_semantic: z
        .enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'])
        .default('execute_all'),
    })
    .optional(),
})

const decidedAll = z.object({
  evaluations: z.array(
    decided.extend({
      context: z
        .object({ error: z.object({ status: z.number(), message: z.string() }) })
        .optional(),
    }),
  ),
})
type DecidedAll = z.infer<typeof decidedAll>

async function evaluateAll(op: Op, body: unknown): Promise<Decided | DecidedAll> {
  const { evaluations = [], options, ...defaults } = read(batch, body)
  if (evaluations.length === 0) return evaluate(op, body)
  const stopAt = { execute_all: null, deny_on_first_deny: false, permit_on_first_permit: true }[
    options?.evaluations_semantic ?? 'execute_all'
  ]
  const answers: DecidedAll['evaluations'] = []
  const turn = takingTurns()
  for (const one of evaluations) {
    await turn()
    const parsed = evaluation.safeParse(merged(defaults, one))
    const decision = parsed.success && (await decisionOn(op, parsed.data))
    answers.push(
      parsed.success ? { decision } : { decision, context: { error: told(parsed.error) } },
    )
    if (decision === stopAt) break
  }
  return { evaluations: answers }
}

/** An entity replaces the default as a whole; only `type` and `id` are filled in from it. */
function merged(defaults: Record<string, unknown>, one: Record<string, unknown>) {
  const both = { ...defaults, ...one }
  for (const name of ['subject', 'resource']) {
    const [given, fallback] = [one[name], defaults[name]].map((value) => asObject(value))
    if (given && fallback) {
      both[name] = { ...pick(fallback, 'type'), ...pick(fallback, 'id'), ...given }
    }
  }
  return both
}

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
}

function pick(value: Record<string, unknown>, name: string): Record<string, unknown> {
  return value[name] === undefined ? {} : { [name]: value[name] }
}

function told(error: z.ZodError): { status: number; message: string } {
  return { status: 400, message: firstOf(error) }
}

// ---------------------------------------------------------------- searches

const page = z
  .object({ token: z.string().max(1_000).optional(), limit: z.number().int().min(1).optional() })
  .optional()
const type = z.object({ type: text, properties })
const subjectSearch = z.object({ subject: type, action, resource, context, page })
const resourceSearch = z.object({ subject, action, resource: type, context, page })
const actionSearch = z.object({ subject, resource, context, page })

const foundPage = z.object({ next_token: z.string(), count: z.number() }).optional()
const entities = z.object({
  results: z.array(z.object({ type: z.string(), id: z.string() })),
  page: foundPage,
})
const actions = z.object({ results: z.array(z.object({ name: z.string() })), page: foundPage })
type Entities = z.infer<typeof entities>
type Actions = z.infer<typeof actions>

async function searchSubject(op: Op, body: unknown): Promise<Entities> {
  const asked = read(subjectSearch, body)
  if (asked.subject.type !== 'user') return { results: [] }
  const limit = Math.min(asked.page?.limit ?? PAGE_LIMIT, PAGE_LIMIT)
  const permission = `${asked.resource.type}:${asked.action.name}`
  const found: Position[] = []
  const look = async (policy: Policy, subjects: readonly Subject[], { source }: Position) => {
    const question = {
      permission,
      instance: asked.resource.id,
      context: (who: Subject) =>
        occasionContext(op, policy, who, {
          ...asked,
          subject: { ...asked.subject, id: who.id, properties: asked.subject.properties },
        }),
    }
    const ids = subjects.map(({ id }) => id)
    const allowed = await inTurns(usersAllowed(policy, question, ids))
    found.push(...allowed.map((after) => ({ source, after })))
    return found.length > limit
  }
  const from = positionIn(asked.page?.token)
  const next = await passOver(op, await holdersOf(op, permission), from, look)
  const shown = found.slice(0, limit)
  const next_token = tokenOf(found.length > limit ? (shown.at(-1) ?? null) : next)
  const results = shown.map(({ after: id }) => ({ type: 'user', id }))
  return { results, page: { next_token, count: shown.length } }
}

/** Everybody who may hold the permission: by a role that gives it, or by a group with such a role. */
async function holdersOf(op: Op, permission: string): Promise<Source[]> {
  const { policy } = await op.snapshot()
  const granting = await op.read((db) => rolesGranting(db, patternsCovering(permission)))
  const roles = holdingRoles(policy, granting).sort()
  const groups = await op.read((db) => groupsHolding(db, roles))
  return [
    ...roles.map((role) => ({ of: 'users', role }) as const),
    ...groups.sort().map((group) => ({ of: 'users', group }) as const),
  ]
}

function tokenOf(position: Position | null): string {
  return position === null ? '' : toToken(`${position.source} ${position.after}`)
}

function positionIn(token: string | undefined): Position {
  const [source = '', ...after] = fromToken(token).split(' ')
  const at = Number(source)
  return Number.isSafeInteger(at) && at >= 0 ? { source: at, after: after.join(' ') } : START
}

const INSTANCES_AT_ONCE = 200
const SEARCH_MS = 1_500

async function searchResource(op: Op, body: unknown): Promise<Entities> {
  const asked = read(resourceSearch, body)
  const subjectFound = await withSubject(op, asked.subject)
  if (!subjectFound) return { results: [] }
  const { who, policy } = subjectFound
  const { type } = asked.resource
  const check: Check = {
    subject: who,
    permission: `${type}:${asked.action.name}`,
    instance: null,
    context: occasionContext(op, policy, who, asked),
  }
  const granting = await op.read((db) => rolesGranting(db, patternsOf(policy, type)))
  const roles = holdingRoles(policy, granting)
  const limit = Math.min(asked.page?.limit ?? PAGE_LIMIT, PAGE_LIMIT)
  const deadline = performance.now() + SEARCH_MS
  const found: string[] = []
  let after: string | null = fromToken(asked.page?.token)
  while (after !== null && found.length <= limit && performance.now() < deadline) {
    const from: string = after
    const some = await op.read((db) => instancesOfRoles(db, roles, from, INSTANCES_AT_ONCE))
    found.push(...(await inTurns(instancesAllowed(policy, check, some))))
    after = some.length < INSTANCES_AT_ONCE ? null : (some.at(-1) ?? null)
  }
  const ids = found.slice(0, limit)
  const last = found.length > limit ? (ids.at(-1) ?? null) : after
  const results = ids.map((id) => ({ type, id }))
  return { results, page: { next_token: last === null ? '' : toToken(last), count: ids.length } }
}

async function searchAction(op: Op, body: unknown): Promise<Actions> {
  const asked = read(actionSearch, body)
  const found = await withSubject(op, asked.subject)
  if (!found) return { results: [] }
  const { who, policy } = found
  const search = actionsAllowed(policy, asked.resource.type, {
    subject: who,
    instance: asked.resource.id,
    context: occasionContext(op, policy, who, asked),
  })
  return paged(asked.page, await inTurns(search), (name) => ({ name }))
}

function paged<T>(asked: z.infer<typeof page>, all: string[], toResult: (name: string) => T) {
  const after = fromToken(asked?.token)
  const limit = Math.min(asked?.limit ?? PAGE_LIMIT, PAGE_LIMIT)
  const rest = all.filter((name) => name > after)
  const names = rest.slice(0, limit)
  const next_token = rest.length > limit ? toToken(names.at(-1) ?? '') : ''
  return { results: names.map(toResult), page: { next_token, count: names.length } }
}

/** The token is only a position: it needs no protection, because the caller may start anywhere. */
function toToken(last: string): string {
  return Buffer.from(last).toString('base64url')
}

function fromToken(token: string | undefined): string {
  return token === undefined ? '' : Buffer.from(token, 'base64url').toString('utf8')
}

// ---------------------------------------------------------------- HTTP

type Answering = (op: Op, body: unknown) => Promise<object>

type Name = keyof typeof AUTHZEN_PATHS

export const AUTHZEN_SCOPE = 'permissions:check'

const ALICE = { type: 'user', id: 'alice' }
const READ = { name: 'read' }
const RECORD = { type: 'record', id: 'record-1' }

/** What the API reference says about these calls. The endpoints parse with the same schemas. */
export const AUTHZEN_CALLS: Record<
  Name,
  { summary: string; body: z.ZodType; example: object; answer: z.ZodType }
> = {
  access_evaluation_endpoint: {
    summary: 'May this subject do this with this resource?',
    body: evaluation,
    example: { subject: ALICE, action: READ, resource: RECORD },
    answer: decided,
  },
  access_evaluations_endpoint: {
    summary: `Up to ${MOST_AT_ONCE} evaluations in one request; common members are defaults for all of them`,
    body: batch,
    example: {
      subject: ALICE,
      action: READ,
      evaluations: [{ resource: RECORD }, { resource: { type: 'record', id: 'record-2' } }],
    },
    answer: decidedAll,
  },
  search_subject_endpoint: {
    summary: 'Which subjects may do this with this resource?',
    body: subjectSearch,
    example: { subject: { type: 'user' }, action: READ, resource: RECORD },
    answer: entities,
  },
  search_resource_endpoint: {
    summary: 'With which resources may this subject do this?',
    body: resourceSearch,
    example: { subject: ALICE, action: READ, resource: { type: 'record' } },
    answer: entities,
  },
  search_action_endpoint: {
    summary: 'What may this subject do with this resource?',
    body: actionSearch,
    example: { subject: ALICE, resource: RECORD },
    answer: actions,
  },
}

export const authzen: Record<Name, Endpoint<Op>> = {
  access_evaluation_endpoint: endpoint('evaluation', evaluate),
  access_evaluations_endpoint: endpoint('evaluations', evaluateAll),
  search_subject_endpoint: endpoint('search_subject', searchSubject),
  search_resource_endpoint: endpoint('search_resource', searchResource),
  search_action_endpoint: endpoint('search_action', searchAction),
}

function endpoint(name: string, work: Answering): Endpoint<Op> {
  return { name, methods: {}, any: (op, incoming) => answer(op, incoming, work) }
}

export const authzenEndpoints: [path: string, endpoint: Endpoint<Op>][] = Object.entries(
  authzen,
).map(([name, one]) => [AUTHZEN_PATHS[name as Name], one])

async function answer(op: Op, incoming: Incoming, work: Answering): Promise<Reply> {
  const echoed = echoedId(incoming)
  try {
    if (incoming.method === 'OPTIONS') return { status: 204, headers: ALLOW, body: '' }
    if (incoming.method !== 'POST') {
      throw new Problem('method_not_allowed', 'use POST', { headers: ALLOW })
    }
    requireScopes(op, await identify(op, incoming), [AUTHZEN_SCOPE])
    const body = parseJson(await readJsonText(incoming, BODY_LIMIT))
    const latest = incoming.headers.get('consistency') === 'higher'
    const { version } = await (latest ? op.latestSnapshot() : op.snapshot())
    const headers = { ...NO_STORE, 'X-Policy-Version': String(version), ...echoed }
    return json(200, await work(op, body), headers)
  } catch (error) {
    if (!isProblem(error)) return problemAnswer(op, incoming, error)
    return plain(error, echoed)
  }
}

const ALLOW = { Allow: 'POST, OPTIONS' }

/** Every bad request is 400 here, also a wrong content type; the message is plain text. */
function plain({ code, message, options }: Problem, echoed: Record<string, string>): Reply {
  const [status] = PROBLEMS[code]
  return {
    status: status === 415 ? 400 : status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      ...NO_STORE,
      ...echoed,
      ...options.headers,
    },
    body: message,
    note: message,
  }
}

function echoedId({ headers }: Incoming): Record<string, string> {
  const id = headers.get('x-request-id')
  return id !== null && /^[\x21-\x7E]{1,128}$/.test(id) ? { 'X-Request-Id': id } : {}
}

function read<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Problem('invalid', firstOf(parsed.error))
}

function firstOf({ issues }: z.ZodError): string {
  const [issue] = issues
  return `${issue?.path.join('.') || 'body'}: ${issue?.message}`
}

/** GET /.well-known/authzen-configuration (AuthZEN §9) */
async function metadata(op: Op): Promise<Reply> {
  const endpoints = Object.entries(AUTHZEN_PATHS).map(([name, path]) => [name, op.origin + path])
  return json(
    200,
    { policy_decision_point: op.origin, ...Object.fromEntries(endpoints) },
    { 'Cache-Control': 'public, max-age=300' },
  )
}

export const authzenMetadataEndpoint: Endpoint<Op> = {
  name: 'authzen_configuration',
  methods: { GET: metadata },
  cors: 'any',
}
