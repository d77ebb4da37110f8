import { z } from 'zod'
import type { Subject } from '../../access/check'
import { takingTurns } from '../../access/turns'
import { type Incoming, json, NO_STORE, type Reply } from '../../base/http'
import type { Op } from '../../context/op'
import { ACCESS_REQUEST_PATH } from '../../oidc/access-request'
import type { Endpoint } from '../../oidc/endpoint'
import { wantedFor } from '../decision/decision'
import { identify, requireScopes } from '../http/caller'
import { parseJson, problemAnswer, readJsonText, wantsLatest } from '../http/endpoint'
import { isProblem, PROBLEMS, Problem } from '../http/problem'
import { withApproval } from './approval'
import {
  type AskedBy,
  context,
  type DecisionResult,
  decided,
  decisionOn,
  type Evaluation,
  evaluation,
  firstOf,
  read,
  whoIs,
} from './question'
import { ACCESS_REQUEST_CAPABILITY } from './request'
import {
  actionSearch,
  actions,
  entities,
  resourceSearch,
  searchAction,
  searchResource,
  searchSubject,
  subjectSearch,
} from './search'

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
const MAX_AT_ONCE = 50

// ---------------------------------------------------------------- evaluation and evaluations

async function evaluate(op: Op, body: unknown, by: AskedBy): Promise<DecisionResult> {
  const asked = read(evaluation, body)
  const who = await whoIs(op, asked.subject)
  const snapshot = await snapshotFor(op, who ? [who] : [], isApproved(asked))
  return withApproval(op, asked, who, by, () => decisionOn(op, snapshot, who, asked, by))
}

function isApproved({ context }: Evaluation): boolean {
  return context?.approval !== undefined
}

/** What was just approved counts at once for whoever sends the approval. */
function snapshotFor(op: Op, subjects: readonly Subject[], approved: boolean) {
  const wanted = wantedFor(...subjects)
  return approved ? op.latestSnapshot(wanted) : op.snapshot(wanted)
}

const entity = z.looseObject({})
const batch = z.object({
  subject: entity.optional(),
  action: entity.optional(),
  resource: entity.optional(),
  context,
  evaluations: z.array(z.looseObject({})).max(MAX_AT_ONCE).optional(),
  options: z
    .object({
      evaluations_semantic: z
        .enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'])
        .default('execute_all'),
    })
    .optional(),
})

const decidedAll = z.object({ evaluations: z.array(decided) })
type DecidedAll = z.infer<typeof decidedAll>

async function evaluateAll(
  op: Op,
  body: unknown,
  by: AskedBy,
): Promise<DecisionResult | DecidedAll> {
  const { evaluations = [], options, ...defaults } = read(batch, body)
  if (evaluations.length === 0) return evaluate(op, body, by)
  const stopAt = { execute_all: null, deny_on_first_deny: false, permit_on_first_permit: true }[
    options?.evaluations_semantic ?? 'execute_all'
  ]
  const all = () => evaluateEach(op, evaluations, defaults, stopAt, by)
  return op.recordingMany(evaluations.length, all)
}

async function evaluateEach(
  op: Op,
  evaluations: readonly Record<string, unknown>[],
  defaults: Record<string, unknown>,
  stopAt: boolean | null,
  by: AskedBy,
): Promise<DecidedAll> {
  const turn = takingTurns()
  const asked = []
  for (const one of evaluations) {
    await turn()
    const parsed = evaluation.safeParse(merged(defaults, one))
    asked.push({ parsed, who: parsed.success ? await whoIs(op, parsed.data.subject) : null })
  }
  // All answers are over one snapshot.
  const snapshot = await snapshotFor(
    op,
    asked.flatMap(({ who }) => who ?? []),
    asked.some(({ parsed }) => parsed.success && isApproved(parsed.data)),
  )
  const answers: DecidedAll['evaluations'] = []
  for (const { parsed, who } of asked) {
    await turn()
    const answered: DecisionResult = parsed.success
      ? await withApproval(op, parsed.data, who, by, () =>
          decisionOn(op, snapshot, who, parsed.data, by),
        )
      : { decision: false, context: { error: told(parsed.error) } }
    answers.push(answered)
    if (answered.decision === stopAt) break
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

// ---------------------------------------------------------------- HTTP

type Answering = (op: Op, body: unknown, by: AskedBy) => Promise<object>

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
    summary: `Up to ${MAX_AT_ONCE} evaluations in one request; common members are defaults for all of them`,
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
    const caller = await identify(op, incoming)
    requireScopes(op, caller, [AUTHZEN_SCOPE])
    const body = parseJson(await readJsonText(incoming, BODY_LIMIT))
    const latest = wantsLatest(incoming)
    const { version } = await (latest ? op.latestSnapshot() : op.snapshot())
    const headers = { ...NO_STORE, 'X-Policy-Version': String(version), ...echoed }
    const by = { caller, incoming, applicationId: caller.through?.application.id ?? null }
    return json(200, await work(op, body, by), headers)
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

/** GET /.well-known/authzen-configuration (AuthZEN §9) */
async function metadata(op: Op): Promise<Reply> {
  const endpoints = Object.entries(AUTHZEN_PATHS).map(([name, path]) => [name, op.origin + path])
  return json(
    200,
    {
      policy_decision_point: op.origin,
      ...Object.fromEntries(endpoints),
      access_request_endpoint: op.origin + ACCESS_REQUEST_PATH,
      capabilities: [ACCESS_REQUEST_CAPABILITY],
    },
    { 'Cache-Control': 'public, max-age=300' },
  )
}

export const authzenMetadataEndpoint: Endpoint<Op> = {
  name: 'authzen_configuration',
  methods: { GET: metadata },
  cors: 'any',
}
