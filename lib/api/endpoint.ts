import type { z } from 'zod'
import { takingTurns } from '../access/turns'
import {
  BodyTooLarge,
  ClientGone,
  type Incoming,
  json,
  NO_STORE,
  pathOf,
  queryOf,
  type Reply,
} from '../base/http'
import type { Op } from '../context/op'
import { type Endpoint, URL_LIMIT } from '../oidc/endpoint'
import { wasAuthorized } from './authorize'
import { type Caller, identify, requireScopes } from './caller'
import { compileInTurns, conditionsIn } from './conditions'
import { onlyOnce } from './idempotency'
import { type Matcher, matcher } from './match'
import { type FieldProblem, invalidField, isProblem, Problem, problemReply } from './problem'
import { API_BASE, type Call, type Result, type Route, writes } from './route'
import { routes } from './table'
import { etagOf } from './version'

/** From a request to a route of the table and back; the only try/catch of the API. */

const BODY_LIMIT = 2 * 1024 * 1024

const table: Matcher = matcher(routes)

export const apiEndpoint: Endpoint<Op> = {
  name: 'api',
  methods: {},
  any: (op, incoming) => answerApi(op, incoming),
}

type Identify = (op: Op, incoming: Incoming) => Promise<Caller>

/** `who`: the portal's own pages know already who is signed in. */
export async function answerApi(
  op: Op,
  incoming: Incoming,
  who: Identify = identify,
): Promise<Reply> {
  try {
    return await dispatch(op, incoming, who)
  } catch (error) {
    return toldReply(op, incoming, error)
  }
}

export function toldReply(op: Op, { requestId }: Incoming, error: unknown): Reply {
  if (error instanceof ClientGone) return { status: 499, headers: {}, body: '' }
  if (isProblem(error)) return problemReply(error, requestId)
  op.report(error, requestId)
  return problemReply(faultOf(op, error), requestId)
}

function faultOf(op: Op, cause: unknown): Problem {
  if (!op.isUnavailable(cause))
    return new Problem('fault', 'try again; the request id helps us find it')
  return new Problem('unavailable', 'try again', { headers: { 'Retry-After': '5' } })
}

async function dispatch(op: Op, incoming: Incoming, who: Identify): Promise<Reply> {
  if (incoming.url.length > URL_LIMIT) throw new Problem('too_large', 'the URL is too long')
  const path = pathOf(incoming.url).slice(API_BASE.length)
  const method = incoming.method === 'HEAD' ? 'GET' : incoming.method
  const found = table.find(method, path)
  if (!found) return notThere(path, method)
  const { route, params } = found
  const caller = route.scope === 'public' ? NOBODY : await who(op, incoming)
  if (route.scope !== 'public') requireScopes(op, caller, [route.scope, ...route.also])
  const text = route.body ? await readJsonText(incoming) : ''
  const call = await toCall(op, incoming, route, params, caller, text)
  const work = async () => toReply(route, call, await handled(op, route, call))
  const key = incoming.headers.get('idempotency-key')
  if (method !== 'POST' || key === null) return work()
  const request = `${method} ${incoming.url}\n${text}`
  return onlyOnce(op, `${caller.kind}:${caller.id}`, key, request, () =>
    // A refusal is an answer like any other, and is repeated like one.
    work().catch((error) => {
      if (isProblem(error)) return problemReply(error, incoming.requestId)
      throw error
    }),
  )
}

type AnyCall = Call<Record<string, string>, unknown, unknown>

/** A route that changes something has asked the rule of authority, or it is broken. */
export async function handled(op: Op, route: Route, call: AnyCall): Promise<Result> {
  const result = await route.handle(op, call)
  if (writes(route) && !wasAuthorized(call)) throw new Error(`${route.id} did not ask authorize()`)
  return result
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

function notThere(path: string, method: string): Reply {
  const methods = table.methodsAt(path)
  if (methods.length === 0) throw new Problem('not_found', 'there is no such path')
  const Allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  if (method === 'OPTIONS') return { status: 204, headers: { Allow }, body: '' }
  throw new Problem('method_not_allowed', `use ${Allow}`, { headers: { Allow } })
}

async function toCall(
  op: Op,
  incoming: Incoming,
  route: Route,
  params: Record<string, string>,
  caller: Caller,
  text: string,
): Promise<AnyCall> {
  const latest = incoming.headers.get('consistency') === 'higher'
  return {
    params,
    query: route.query ? parse(route.query, queryObject(incoming), '/query') : noQuery(incoming),
    body: route.body ? await parseBody(route.body, text) : undefined,
    caller,
    snapshot: await (latest ? op.latestSnapshot() : op.snapshot()),
    ifMatch: incoming.headers.get('if-match'),
    incoming,
  }
}

/** A change has made a newer version than the one that the caller was answered from. */
function toReply(
  { scope }: Route,
  { snapshot }: Call<unknown, unknown, unknown>,
  result: Result,
): Reply {
  const changes = scope.endsWith(':write')
  const headers = {
    ...NO_STORE,
    ...(!changes && { 'X-Policy-Version': String(snapshot.version) }),
    ...(result.version !== undefined && { ETag: etagOf(result.version) }),
    ...result.headers,
  }
  if (result.file) return fileReply(result.file, result.status, headers)
  if (result.body === undefined) return { status: result.status, headers, body: '' }
  return json(result.status, result.body, headers)
}

function fileReply(
  { type, name, text }: NonNullable<Result['file']>,
  status: number,
  headers: Record<string, string>,
): Reply {
  const disposition = `attachment; filename="${name}"`
  const own = { 'Content-Type': type, 'Content-Disposition': disposition }
  return { status, headers: { ...headers, ...own }, body: text }
}

// ---------------------------------------------------------------- reading

const UTF8 = new TextDecoder('utf-8', { fatal: true })

export async function readJsonText(incoming: Incoming, limit = BODY_LIMIT): Promise<string> {
  const type = (incoming.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new Problem('unsupported_media_type', 'the body is JSON, and says so')
  }
  try {
    return UTF8.decode(await incoming.body(limit))
  } catch (error) {
    if (error instanceof BodyTooLarge) {
      throw new Problem('too_large', `at most ${limit / 1024} KiB`, {
        headers: { Connection: 'close' },
      })
    }
    if (error instanceof TypeError) throw new Problem('malformed', 'the body is not UTF-8')
    throw error
  }
}

export function parseJson(text: string): unknown {
  const value = tryJson(text)
  requireStorable(value, [])
  return value
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('malformed', 'the body is not JSON')
  }
}

const DEEPEST = 64

/**
 * What no database, hash or object of ours can hold is refused before anything looks at it. A body
 * may hold a million values, so nothing is made for each of them: `path` is one list for all.
 */
function requireStorable(value: unknown, path: (string | number)[]): void {
  if (typeof value === 'string') requireText(value)
  if (typeof value !== 'object' || value === null) return
  if (path.length === DEEPEST) throw new Problem('malformed', `nested deeper than ${DEEPEST}`)
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) requireMember(at, value[at], path)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    requireText(name)
    if (name === '__proto__') {
      throw unknownField(`/${[...path, name].join('/')}`, 'there is no such field')
    }
    requireMember(name, member, path)
  }
}

function requireMember(name: string | number, member: unknown, path: (string | number)[]): void {
  path.push(name)
  requireStorable(member, path)
  path.pop()
}

/** PostgreSQL has no text with a NUL or half a character. */
function requireText(text: string): void {
  if (text.isWellFormed() && !text.includes('\0')) return
  throw new Problem('malformed', 'a text holds a NUL or half a character')
}

function unknownField(pointer: string, detail: string): Problem {
  return invalidField(pointer, detail, 'unrecognized_keys')
}

function queryObject({ url }: Incoming): Record<string, string> {
  const entries = [...new URLSearchParams(queryOf(url))]
  const query = Object.fromEntries(entries)
  if (entries.length !== Object.keys(query).length) {
    throw new Problem('malformed', 'a parameter is there twice')
  }
  for (const text of entries.flat()) requireText(text)
  return query
}

function noQuery(incoming: Incoming): undefined {
  if (queryOf(incoming.url) === '') return undefined
  const [name] = Object.keys(queryObject(incoming))
  if (name === undefined) return undefined
  throw unknownField(`/query/${name}`, 'there is no such parameter')
}

/** Conditions are compiled in turns, so that the schema, which reads all at once, finds them made. */
async function parseBody<T extends z.ZodType>(schema: T, text: string): Promise<z.infer<T>> {
  const turn = takingTurns()
  const value = parseJson(text)
  const conditions = conditionsIn(value)
  await turn()
  if (conditions.size > 0) await compileInTurns(conditions)
  await turn()
  const body = parse(schema, value, '')
  await turn()
  return body
}

function parse<T extends z.ZodType>(schema: T, value: unknown, base: string): z.infer<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.flatMap((issue) => toFields(issue, base))
  throw new Problem('invalid', errors[0]?.detail ?? 'not valid', { errors })
}

function toFields(issue: z.core.$ZodIssue, base: string): FieldProblem[] {
  const at = `${base}${issue.path.map((part) => `/${String(part)}`).join('')}`
  if (issue.code !== 'unrecognized_keys') {
    return [{ pointer: at, code: issue.code, detail: issue.message }]
  }
  return issue.keys.map((key) => ({
    pointer: `${at}/${key}`,
    code: issue.code,
    detail: 'there is no such field',
  }))
}
