import { PORTAL_SCOPE_NAMES } from '../../lib/access/portal-api'
import { scopesOf } from '../../lib/api/http/caller'
import { matcher } from '../../lib/api/http/match'
import { API_BASE } from '../../lib/api/http/operation'
import { routes } from '../../lib/api/table'
import { ask, askToken, type Fields, machineFields } from './ask'
import { OldBrowser } from './old-browser'
import type { AnyPortal } from './portal'

/** Calls of /api/v1 in which every answer is held against what its route says of itself. */

// biome-ignore lint/suspicious/noExplicitAny: what the schema has accepted, a test may look into
export type ApiAnswer = { status: number; headers: Record<string, string>; raw: string; json: any }

const table = matcher(routes)

/** `caller`: an access token, or headers that say who calls. A text for a body is sent as it is. */
export async function callApi(
  portal: AnyPortal,
  caller: string | Fields,
  method: string,
  path: string,
  body?: unknown,
  headers: Fields = {},
): Promise<ApiAnswer> {
  const who = typeof caller === 'string' ? { authorization: `Bearer ${caller}` } : caller
  const sent = await ask(portal.origin, {
    method,
    path: `${API_BASE}${path}`,
    headers: { ...who, ...(body !== undefined && JSON_TYPE), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const isJson = /^application\/(problem\+)?json$/.test(sent.headers['content-type'] ?? '')
  const json = isJson && sent.body !== '' ? JSON.parse(sent.body) : undefined
  const answer = { status: sent.status, headers: sent.headers, raw: sent.body, json }
  if (answer.status < 300) requireDeclared(method, path, answer)
  else requireProblem(answer)
  return answer
}

const JSON_TYPE = { 'content-type': 'application/json' }

function requireDeclared(method: string, path: string, answer: ApiAnswer): void {
  const { status, headers, json, raw } = answer
  const found = table.find(method, path.split('?')[0] ?? '')
  if (!found) throw new Error(`${method} ${path} answered ${status} and is not in the table`)
  const { answers, id, media } = found.operation
  const schema = answers[status]
  if (schema === undefined) throw new Error(`${id} does not say that it answers ${status}`)
  if (schema === null) {
    if (raw !== '') throw new Error(`${id} answers ${status} with a body`)
    return
  }
  const type = headers['content-type'] ?? ''
  if (!media.includes(type)) throw new Error(`${id} answers ${type}, which it does not say`)
  if (json === undefined) return
  // What the schema does not know it drops, so an answer that says more is not equal any more.
  const known = canonical(schema.parse(json))
  if (known !== canonical(json)) throw new Error(`${id} says more than its schema: ${raw}`)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

function requireProblem({ status, headers, json }: ApiAnswer): void {
  const isProblem =
    headers['content-type'] === 'application/problem+json' &&
    json?.status === status &&
    typeof json.code === 'string' &&
    typeof json.requestId === 'string'
  if (!isProblem) throw new Error(`no problem+json: ${status} ${JSON.stringify(json)}`)
}

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Fields,
) => Promise<ApiAnswer>

/** Somebody who calls again and again; null: nobody. */
export function caller(portal: AnyPortal, token: string | null): Call {
  return (method, path, body, headers) => callApi(portal, token ?? {}, method, path, body, headers)
}

/** What a machine holds that can do what an admin can, and no more. */
export const ADMIN_SCOPES = [...scopesOf('admin')].join(' ')

/** A token of the demo's machine, which holds every scope of the portal. */
export async function machineToken(
  portal: AnyPortal,
  scope = PORTAL_SCOPE_NAMES.join(' '),
): Promise<string> {
  const answer = await askToken(portal.origin, machineFields(portal, { scope }))
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.body}`)
  return JSON.parse(answer.body).access_token
}

/** The headers of somebody who signed in, as our own pages send them. */
export async function sessionOf(
  portal: AnyPortal,
  login: { email: string; password: string } | undefined,
): Promise<Fields> {
  if (!login) throw new Error('nobody to sign in')
  const browser = new OldBrowser(portal.origin)
  await browser.signIn(await browser.open('/login'), login)
  return { cookie: browser.cookieHeader(), origin: portal.origin, 'x-gatehouse-request': '1' }
}
