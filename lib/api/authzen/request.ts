import { z } from 'zod'
import { isPlainlyRefused } from '../../base/address-guard'
import { type Incoming, json, NO_STORE, pathOf, type Reply } from '../../base/http'
import type { Op } from '../../context/op'
import { callbackSecret } from '../../delivery/request-callback'
import { errorMessage } from '../../i18n/error-message'
import {
  ACCESS_REQUEST_PATH,
  type AccessRequestBinding,
  openBinding,
} from '../../oidc/access-request'
import type { Application } from '../../oidc/client'
import type { Endpoint } from '../../oidc/endpoint'
import { outboundHostsFor } from '../../settings/outbound-hosts'
import { type AccessRequest, findAccessRequest } from '../../store/requests/access-requests'
import { actorOf, type Caller, identify, requireScopes } from '../http/caller'
import { parseJson, problemAnswer, readJsonText } from '../http/endpoint'
import { onlyOnce } from '../http/idempotency'
import { isProblem, Problem, problemReply } from '../http/problem'
import { wordsSchema } from '../http/schemas'
import { askFor, requireRequest, requireRequestable } from '../requests/create'
import { cancel } from '../requests/decide'
import { action, context, evaluationDigest, read, resource, subject, whoIs } from './question'

/**
 * AuthZEN Access Request and Approval Profile, draft 1: a client asks for what an evaluation refused
 * to a user, and follows the task. Only the client that made a task sees it.
 */

const BODY_LIMIT = 64 * 1024
const ERRORS = 'urn:openid:authzen:access-request:error:'
export const ACCESS_REQUEST_CAPABILITY = 'urn:openid:authzen:capability:access-request'
const SCOPE = 'permissions:request'

const time = z.iso.datetime({ offset: true })
export const submission = z.object({
  subject,
  resource,
  action,
  context,
  requested_access: z
    .object({
      requested_until: time.optional(),
      emergency: z.boolean().optional(),
      reason: wordsSchema.optional(),
    })
    .optional(),
  denial: z.object({
    binding_token: z.string().max(4_000).optional(),
    evaluation_id: z.string().max(255).optional(),
  }),
  callback: z.object({ url: z.string().max(2_000) }).optional(),
})
type Submission = z.infer<typeof submission>

/** Errors that the profile names; others are those of the API. */
class TaskError extends Error {
  readonly word: 'invalid_denial_binding' | 'invalid_task_state' | 'invalid_callback'

  constructor(word: TaskError['word'], message: string) {
    super(message)
    this.word = word
  }
}

const STATUS = { invalid_denial_binding: 400, invalid_callback: 400, invalid_task_state: 409 }

function taskError({ word, message }: TaskError): Reply {
  const status = STATUS[word]
  const body = { type: ERRORS + word, title: message, status, detail: message }
  const reply = json(status, body, NO_STORE)
  return { ...reply, headers: { ...reply.headers, 'Content-Type': 'application/problem+json' } }
}

// ---------------------------------------------------------------- asking

/** The binding must be for this client and cover exactly what is asked. */
async function requireBound(
  op: Op,
  applicationId: string,
  asked: Submission,
): Promise<AccessRequestBinding> {
  const { binding_token: token } = asked.denial
  const binding = token === undefined ? null : openBinding(op, token)
  const who = await whoIs(op, asked.subject)
  const covers =
    binding !== null &&
    binding.applicationId === applicationId &&
    who?.kind === 'user' &&
    binding.userId === who.id &&
    binding.scope === `${asked.resource.type}:${asked.action.name}` &&
    (binding.resourceId ?? binding.audience) === asked.resource.id &&
    (asked.context === undefined || binding.resourceId === null || isSameContext(binding, asked))
  if (covers) return binding
  throw new TaskError('invalid_denial_binding', 'the denial does not cover what is asked for')
}

function isSameContext({ contextDigest }: AccessRequestBinding, asked: Submission): boolean {
  return evaluationDigest(asked) === contextDigest
}

/** Addresses that the portal would never call are refused. */
function requireCallback(
  { config }: Op,
  { registration }: Application,
  callback: Submission['callback'],
): string | null {
  if (!callback) return null
  const url = URL.canParse(callback.url) ? new URL(callback.url) : null
  const isPlain =
    url && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === ''
  if (isPlain && !isPlainlyRefused(url, outboundHostsFor(config, registration))) return callback.url
  throw new TaskError('invalid_callback', 'the callback must be a public https address')
}

const POINTERS = {
  reason: '/requested_access/reason',
  until: '/requested_access/requested_until',
}

async function submit(op: Op, incoming: Incoming, caller: Caller, text: string): Promise<Reply> {
  const asked = read(submission, parseJson(text))
  const application = requireClient(caller)
  const { id: applicationId } = application
  const callback = requireCallback(op, application, asked.callback)
  const refused = await requireBound(op, applicationId, asked)
  const requestable = await requireRequestable(op, refused, '/denial/binding_token')
  const { requested_until: until, emergency = false, reason = null } = asked.requested_access ?? {}
  const wanted = { refused, reason, emergency, callback, madeBy: applicationId, pointers: POINTERS }
  const end = until === undefined ? null : new Date(until)
  const request = await askFor(
    op,
    { ...wanted, until: end },
    requestable,
    actorOf({ caller, incoming }),
  )
  const secret =
    request.callback === null ? {} : { callback_secret: callbackSecret(op, request.id) }
  const status = request.status === 'pending' ? 202 : 201
  return json(status, { task: { ...taskOf(op, request), ...secret } }, NO_STORE)
}

/** A task belongs to the client that made it; people ask on the portal’s own pages. */
function requireClient({ through }: Caller): Application {
  if (through) return through.application
  throw new Problem('forbidden', errorMessage('application_needed'))
}

// ---------------------------------------------------------------- the task

function taskOf(op: Op, request: AccessRequest) {
  const { id, status, approvedUntil, decidedAt, terms, stage, votes } = request
  const address = `${op.origin}${ACCESS_REQUEST_PATH}/${id}`
  const here = votes.filter((vote) => vote.stage === stage && vote.approved).length
  return {
    id,
    status,
    status_endpoint: address,
    expires_at: request.expiresAt.toISOString(),
    ...(request.requestedUntil && { requested_until: request.requestedUntil.toISOString() }),
    progress: {
      stage: stage + 1,
      stages: terms.stages.length,
      approvals: here,
      needed: terms.stages[stage]?.needed ?? 0,
    },
    links: {
      review: `${op.origin}/account/approvals/${id}`,
      ...(status === 'pending' && { cancel: `${address}/cancel` }),
    },
    ...(status === 'approved' && {
      result: {
        mode: 'reevaluate',
        approval: {
          id,
          approved_at: decidedAt?.toISOString(),
          approved_until: approvedUntil?.toISOString(),
          state: 'approved',
        },
      },
    }),
  }
}

async function requireTask(op: Op, caller: Caller, id: string): Promise<AccessRequest> {
  const { id: applicationId } = requireClient(caller)
  const request = await op.read((db) => findAccessRequest(db, { id }))
  // With the token of one of its users, it acts for this user only.
  const isTheirs = caller.kind !== 'user' || caller.id === request?.userId
  if (request?.madeBy === applicationId && isTheirs) return request
  throw new Problem('not_found', { code: 'no_access_request', values: { id } })
}

async function withdraw(op: Op, incoming: Incoming, caller: Caller, id: string): Promise<Reply> {
  const request = await requireTask(op, caller, id)
  const over = () => new TaskError('invalid_task_state', 'the task is in a final state')
  if (request.status !== 'pending') throw over()
  await cancel(op, request, actorOf({ caller, incoming })).catch((error) => {
    throw isProblem(error) && error.code === 'conflict' ? over() : error
  })
  return json(200, { task: taskOf(op, await requireRequest(op, id)) }, NO_STORE)
}

// ---------------------------------------------------------------- HTTP

const BELOW = new RegExp(`^${ACCESS_REQUEST_PATH}/(arq_[\\w-]{10,40})(/cancel)?$`)

function taskIn(path: string): string {
  return path.slice(ACCESS_REQUEST_PATH.length).split('/')[1] ?? ''
}

export function isTaskPath(path: string): boolean {
  return BELOW.test(path)
}

async function answer(op: Op, incoming: Incoming): Promise<Reply> {
  try {
    return await dispatch(op, incoming)
  } catch (error) {
    return error instanceof TaskError ? taskError(error) : problemAnswer(op, incoming, error)
  }
}

async function dispatch(op: Op, incoming: Incoming): Promise<Reply> {
  const path = pathOf(incoming.url)
  const [, id, below] = BELOW.exec(path) ?? []
  if (id === undefined && path !== ACCESS_REQUEST_PATH)
    throw new Problem('not_found', errorMessage('no_access_request', { id: taskIn(path) }))
  const wanted = id !== undefined && below === undefined ? 'GET' : 'POST'
  const Allow = `${wanted}, OPTIONS`
  if (incoming.method === 'OPTIONS') return { status: 204, headers: { Allow }, body: '' }
  if (incoming.method !== wanted)
    throw new Problem('method_not_allowed', `use ${wanted}`, { headers: { Allow } })
  const caller = await identify(op, incoming)
  requireScopes(op, caller, [SCOPE])
  if (id === undefined) return submitOnce(op, incoming, caller)
  if (below !== undefined) return withdraw(op, incoming, caller, id)
  return json(200, { task: taskOf(op, await requireTask(op, caller, id)) }, NO_STORE)
}

async function submitOnce(op: Op, incoming: Incoming, caller: Caller): Promise<Reply> {
  const text = await readJsonText(incoming, BODY_LIMIT)
  const work = () => submit(op, incoming, caller, text)
  const key = incoming.headers.get('idempotency-key')
  if (key === null) return work()
  const asked = { origin: op.origin, requestId: incoming.requestId }
  return onlyOnce(op, `${caller.kind}:${caller.id}`, key, `POST ${incoming.url}\n${text}`, () =>
    work().catch((error) => {
      if (error instanceof TaskError) return taskError(error)
      if (isProblem(error)) return problemReply(error, asked)
      throw error
    }),
  )
}

export const accessRequestEndpoint: Endpoint<Op> = {
  name: 'access_request',
  methods: {},
  any: answer,
}
