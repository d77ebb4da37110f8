import type { PortalScope } from '../../access/portal-api'
import { AUTHZEN_CALLS, AUTHZEN_PATHS, AUTHZEN_SCOPE } from '../authzen/endpoints'
import { AUTHZEN_TASK_CALLS } from '../authzen/tasks'
import { API_BASE, type ApiMethod, type TaggedOperation } from '../http/operation'
import { PROBLEMS } from '../http/problem'
import {
  type DescribedOperation,
  type Parameter,
  parametersOf,
  problemsOf,
  toSchema,
} from '../openapi/openapi'
import { routes } from '../table'
import type { Header, Sample } from './samples'
import { type Field, fieldsOf, type JsonSchema, typeOf } from './schema-fields'

/** What the API reference shows, from the same tables that answer the calls. */

export type ReferenceBody = { type: string; fields: Field[] }

export type ReferenceCall = {
  id: string
  tag: string
  method: ApiMethod
  /** The path after the origin, with parameters in braces. */
  path: string
  summary: string
  /** All required scopes; empty if no token is needed. */
  scopes: readonly PortalScope[]
  parameters: readonly Parameter[]
  body: ReferenceBody | null
  example: unknown
  answers: readonly { status: number; body: ReferenceBody | null }[]
  problems: readonly { status: number; codes: string[] }[]
  /** True if the call changes something. */
  changes: boolean
}

/** `slug`: the page below /docs/api. */
export type ReferenceTag = { name: string; slug: string; calls: ReferenceCall[] }

const AUTHZEN_TAG = 'AuthZEN'

let made: ReferenceTag[] | null = null

/** Computed once: the tables do not change while the portal runs. */
export function reference(): readonly ReferenceTag[] {
  made ??= byTag([...routes.map(ofRoute), ...authzenCalls(), ...AUTHZEN_TASK_CALLS.map(ofTask)])
  return made
}

function byTag(calls: ReferenceCall[]): ReferenceTag[] {
  const tags = [...new Set(calls.map(({ tag }) => tag))]
  return tags.map((name) => ({
    name,
    slug: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    calls: calls.filter(({ tag }) => tag === name),
  }))
}

function ofRoute(route: TaggedOperation): ReferenceCall {
  return { ...described(route), path: API_BASE + route.path }
}

function described(call: DescribedOperation): ReferenceCall {
  const { id, tag, method, path, summary, scope, also, body, example } = call
  return {
    id,
    tag,
    method,
    path,
    summary,
    scopes: scope === 'public' ? [] : [scope, ...also],
    parameters: parametersOf(call),
    body: body ? shown(toSchema(body, 'input')) : null,
    example,
    answers: Object.entries(call.answers).map(([status, schema]) => ({
      status: Number(status),
      body: schema && shown(toSchema(schema, 'output')),
    })),
    problems: problemsOf(call).map((status) => ({ status, codes: codesOf(status) })),
    changes: method !== 'GET' && scope.endsWith(':write'),
  }
}

function shown(schema: JsonSchema): ReferenceBody {
  return { type: typeOf(schema), fields: fieldsOf(schema) }
}

function codesOf(wanted: number): string[] {
  return Object.entries(PROBLEMS).flatMap(([code, [status]]) => (status === wanted ? [code] : []))
}

/**
 * The errors of AuthZEN are plain text, a wrong content type is 400, and a POST has no
 * Idempotency-Key.
 */
function authzenCalls(): ReferenceCall[] {
  const names = Object.keys(AUTHZEN_PATHS) as (keyof typeof AUTHZEN_PATHS)[]
  return names.map((id) => {
    const { summary, body, example, answer } = AUTHZEN_CALLS[id]
    const call = described({
      id,
      tag: AUTHZEN_TAG,
      method: 'POST',
      path: AUTHZEN_PATHS[id],
      summary,
      scope: AUTHZEN_SCOPE,
      also: [],
      query: undefined,
      body,
      example,
      versioned: false,
      mayBeMissing: false,
      mayConflict: false,
      media: ['application/json'],
      answers: { 200: answer },
    })
    return {
      ...call,
      parameters: call.parameters.filter(({ name }) => name !== 'Idempotency-Key'),
      problems: [400, 401, 403, 405, 413, 414, 431, 500, 503].map((status) => ({
        status,
        codes: [],
      })),
    }
  })
}

/** A task is always the latest, and to withdraw it again changes nothing. */
function ofTask(task: DescribedOperation): ReferenceCall {
  const call = described(task)
  const isRead = ({ name }: Parameter) =>
    name !== 'Consistency' && (task.body !== undefined || name !== 'Idempotency-Key')
  return { ...call, parameters: call.parameters.filter(isRead), changes: task.method !== 'GET' }
}

// ---------------------------------------------------------------- samples

const STAND_INS: Record<string, string> = {
  space: 'shop',
  role: 'clerk',
  key: 'orders:read',
  user: 'alice',
}

/** The example value of a parameter in a sample; otherwise the name of the parameter. */
export function standIn(name: string, { path }: Pick<ReferenceCall, 'path'>): string {
  // A key is unique only within a space; without a space, a role is named by its ID.
  if (name === 'role' && !path.includes('{space}')) return 'rol_...'
  return Object.hasOwn(STAND_INS, name) ? (STAND_INS[name] ?? name) : name.toUpperCase()
}

export function sampleOf(call: ReferenceCall, origin: string): Sample {
  const { method, parameters, scopes, body, example } = call
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(standIn(name, call)))
  const query = parameters.filter((one) => one.in === 'query' && one.required)
  const search = new URLSearchParams(
    query.map(({ name }) => [name, standIn(name, call)]),
  ).toString()
  const headers: Header[] = [
    ...(scopes.length === 0 ? [] : [{ name: 'Authorization', value: { fill: 'token' as const } }]),
    ...(body ? [{ name: 'Content-Type', value: 'application/json' }] : []),
    ...parameters.flatMap((one) => headerOf(one, call.changes)),
  ]
  return {
    method,
    url: `${origin}${path}${search && `?${search}`}`,
    headers,
    ...(body && { body: example ?? {} }),
  }
}

/** A colon may stay in a path unencoded, and is easier to read. */
function encoded(segment: string): string {
  return encodeURIComponent(segment).replaceAll('%3A', ':')
}

/** Repeating a read does no harm, so only calls that change something show an Idempotency-Key. */
function headerOf({ name }: Parameter, changes: boolean): Header[] {
  if (name === 'If-Match') return [{ name, value: '"1"' }]
  if (name === 'Idempotency-Key' && changes) return [{ name, value: { fill: 'key' } }]
  return []
}
