import type { Headers } from '../../base/headers'
import {
  BodyTooLarge,
  ClientGone,
  type Incoming,
  json,
  jsonText,
  NO_STORE,
  pathOf,
  queryOf,
  type Reply,
} from '../../base/http'
import { parsedJson } from '../../base/json-text'
import { onceFor } from '../../base/once-for'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { type Endpoint, URL_LIMIT } from '../../oidc/endpoint'
import { type Caller, identify } from './caller'
import { onlyOnce } from './idempotency'
import { longJson } from './long-json'
import { type Matcher, matcher } from './match'
import { type AnyOperation, API_BASE, LATEST, type Result } from './operation'
import { type AnyCall, handled, permit, prepare } from './perform'
import { faultOf, invalidField, isProblem, Problem, problemReply } from './problem'
import { requireStorable, requireText } from './storable'
import { etagOf } from './version'

/**
 * HTTP: from a request to an operation and back to a reply. The only try/catch of the API is here.
 */

const BODY_LIMIT = 2 * 1024 * 1024

type Identify = (op: Op, incoming: Incoming) => Promise<Caller>
type Answer = (op: Op, incoming: Incoming, who?: Identify) => Promise<Reply>

/** The API of these operations. `answer` takes another way to tell who calls. */
export function apiOf(operations: readonly AnyOperation[]): {
  endpoint: Endpoint<Op>
  answer: Answer
} {
  const table = matcher(operations)
  const answer: Answer = async (op, incoming, who = identify) => {
    try {
      return await dispatch(table, op, incoming, who)
    } catch (error) {
      return problemAnswer(op, incoming, error)
    }
  }
  return { endpoint: { name: 'api', methods: {}, any: (...call) => answer(...call) }, answer }
}

export function problemAnswer(op: Op, { requestId }: Incoming, error: unknown): Reply {
  if (error instanceof ClientGone) return { status: 499, headers: {}, body: '' }
  const asked = { origin: op.origin, requestId }
  if (isProblem(error)) return problemReply(error, asked)
  op.report(error, requestId)
  return problemReply(faultOf(op, error), asked)
}

async function dispatch(table: Matcher, op: Op, incoming: Incoming, who: Identify): Promise<Reply> {
  if (incoming.url.length > URL_LIMIT)
    throw new Problem('uri_too_long', `the URL may have at most ${URL_LIMIT / 1024} KiB`)
  const path = pathOf(incoming.url).slice(API_BASE.length)
  const method = incoming.method === 'HEAD' ? 'GET' : incoming.method
  const found = table.find(method, path)
  if (!found) return notThere(table, path, method)
  const { operation, params } = found
  const caller = operation.scope === 'public' ? NOBODY : await who(op, incoming)
  permit(op, operation, caller)
  const text = operation.body ? await readJsonText(incoming) : ''
  const call = await prepare(op, operation, {
    params,
    caller,
    incoming,
    query: queryObject(incoming),
    body: operation.body ? parseJson(text) : undefined,
    ifMatch: incoming.headers.get('if-match'),
    latest: wantsLatest(incoming),
  })
  const work = async () => toReply(operation, call, await handled(op, operation, call))
  const key = incoming.headers.get('idempotency-key')
  if (method !== 'POST' || key === null) return work()
  const request = `${method} ${incoming.url}\n${text}`
  return onlyOnce(op, `${caller.kind}:${caller.id}`, key, request, () =>
    // A refusal is stored and repeated like any other answer.
    work().catch((error) => {
      if (isProblem(error))
        return problemReply(error, { origin: op.origin, requestId: incoming.requestId })
      throw error
    }),
  )
}

const NOBODY: Caller = {
  kind: 'client',
  id: '',
  scopes: new Set(),
  lost: new Set(),
  adminRole: null,
  ownOnly: true,
  through: null,
}

function notThere(table: Matcher, path: string, method: string): Reply {
  const methods = table.methodsAt(path)
  if (methods.length === 0) throw new Problem('not_found', errorMessage('no_path'))
  const Allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  if (method === 'OPTIONS') return { status: 204, headers: { Allow }, body: '' }
  throw new Problem('method_not_allowed', `this path supports only ${Allow}`, {
    headers: { Allow },
  })
}

/** X-Policy-Version is left out after a change: the change raised the version of the snapshot. */
function toReply(
  { scope, long }: AnyOperation,
  { snapshot }: Pick<AnyCall, 'snapshot'>,
  result: Result,
): Reply | Promise<Reply> {
  const changes = scope.endsWith(':write')
  const common = changes ? NO_STORE : ofPolicy(snapshot)
  const headers =
    result.version === undefined && !result.headers
      ? common
      : {
          ...common,
          ...(result.version !== undefined && { ETag: etagOf(result.version) }),
          ...result.headers,
        }
  if (result.file) return fileReply(result.file, result.status, headers)
  if (result.body === undefined) return { status: result.status, headers, body: '' }
  if (long) return longReply(result.status, result.body as object, headers)
  return json(result.status, result.body, headers)
}

async function longReply(status: number, body: object, headers: Headers): Promise<Reply> {
  return jsonText(status, await longJson(body), headers)
}

const ofPolicy = onceFor(({ version }: AnyCall['snapshot']) =>
  Object.freeze({ ...NO_STORE, 'X-Policy-Version': String(version) }),
)

function fileReply(
  { type, name, text }: NonNullable<Result['file']>,
  status: number,
  headers: Headers,
): Reply {
  const disposition = `attachment; filename="${name}"`
  const own = { 'Content-Type': type, 'Content-Disposition': disposition }
  return { status, headers: { ...headers, ...own }, body: text }
}

// ---------------------------------------------------------------- reading

/** An enum like any other: a value that has no meaning is refused, and not read as another. */
export function wantsLatest({ headers }: Incoming): boolean {
  const consistency = headers.get('consistency')
  if (consistency === null || consistency === LATEST) return consistency === LATEST
  throw invalidField('/headers/Consistency', errorMessage('exactly', { value: LATEST }))
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

export async function readJsonText(incoming: Incoming, limit = BODY_LIMIT): Promise<string> {
  const type = (incoming.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new Problem(
      'unsupported_media_type',
      'the body must be JSON, with Content-Type application/json',
    )
  }
  try {
    return UTF8.decode(await incoming.body(limit))
  } catch (error) {
    if (error instanceof BodyTooLarge) {
      throw new Problem('too_large', `the body may have at most ${limit / 1024} KiB`, {
        headers: { Connection: 'close' },
      })
    }
    if (error instanceof TypeError) throw new Problem('malformed', 'the body is not UTF-8')
    throw error
  }
}

export function parseJson(text: string): unknown {
  const value = parsedJson(text)
  if (value === undefined) throw new Problem('malformed', 'the body is not JSON')
  requireStorable(value, [])
  return value
}

function queryObject({ url }: Incoming): Record<string, string> {
  const entries = [...new URLSearchParams(queryOf(url))]
  const query = Object.fromEntries(entries)
  if (entries.length !== Object.keys(query).length) {
    throw new Problem('malformed', 'a query parameter occurs twice')
  }
  for (const text of entries.flat()) requireText(text)
  return query
}
