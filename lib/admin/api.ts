import { headers } from 'next/headers'
import { forbidden, notFound, redirect } from 'next/navigation'
import type { AdminRole } from '../access/authority'
import type { PortalScope } from '../access/portal-api'
import { lacksAdminFactor, wayToFactor } from '../accounts/admin-factor'
import { signedInCaller } from '../api/caller'
import { answerApi } from '../api/endpoint'
import type { FieldProblem, ProblemCode } from '../api/problem'
import { API_BASE, type ApiMethod } from '../api/route'
import type { Incoming, Reply } from '../base/http'
import { requestContext } from '../base/request-context'
import { currentPath } from '../browser/locale'
import { requestOrigin, requireUser, type Session } from '../browser/session'
import type { Op } from '../context/op'
import { newRequestId } from '../crypto/secrets'
import { op } from '../op'
import { ADMIN_PAGES, type AdminPath, NAVIGATION } from './pages'

/**
 * The admin pages' way into the portal: the API's own table, asked in process by whoever is signed
 * in. What a page can do, the API can, with the same checks; nothing exists in only one of them.
 */

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

export type ApiProblem = {
  status: number
  code: ProblemCode
  detail: string
  errors?: readonly FieldProblem[]
  /** What the rule of authority refused to give, and who could. */
  missing?: readonly string[]
  couldBeGivenBy?: readonly Giver[]
}

export type Giver = { role: AdminRole } | { api: string; owners: readonly { name: string }[] }

/** What was read, and the version to send back with a change of it. */
export type Seen<T> = { body: T; version: string | null }
export type Sent<T> =
  | { ok: true; body: T; version: string | null }
  | { ok: false; problem: ApiProblem }

export type Page<T> = {
  data: T[]
  page: { next: string | null; previous: string | null; limit: number; total?: number }
}

export type AdminApi = {
  session: Session
  may(scope: PortalScope): boolean
  /** What is not there, or not for them, ends in the page that says so. */
  read<T>(path: string, query?: Query): Promise<Seen<T>>
  get<T>(path: string, query?: Query): Promise<T>
  /** Null where there is no such thing. */
  find<T>(path: string, query?: Query): Promise<T | null>
  /** `version`: what was seen; `'*'` for whatever is there. */
  send<T>(
    method: Exclude<ApiMethod, 'GET'>,
    path: string,
    body?: unknown,
    version?: string,
  ): Promise<Sent<T>>
}

/** For a page: whoever may not open it is sent to sign in, or told. */
export async function adminPage(path: AdminPath): Promise<AdminApi> {
  const api = await adminApi()
  if (api.may(ADMIN_PAGES[path])) return api
  const first = NAVIGATION.flat().find((page) => api.may(ADMIN_PAGES[page]))
  if (path === '/admin' && first) redirect(first)
  forbidden()
}

/** For actions: each call is checked by the route that it asks. */
export async function adminApi(): Promise<AdminApi> {
  return apiFor(await requireUser())
}

/** As somebody who is signed in at this browser, whoever it acts as now. */
export async function apiFor(session: Session): Promise<AdminApi> {
  if (session.user.adminRole === null) forbidden()
  const house = await op()
  if (await lacksAdminFactor(house, session.user, session.acr)) {
    redirect(await wayToFactor(house, session.user, await currentPath()))
  }
  const caller = signedInCaller(session)

  async function ask(method: ApiMethod, path: string, query: Query, body: unknown, version = '') {
    const incoming = await incomingFor(method, withQuery(path, query), body, version)
    return answerApi(house, incoming, async () => caller)
  }

  const api: AdminApi = {
    session,
    may: (scope) => caller.scopes.has(scope),
    async read<T>(path: string, query: Query = {}) {
      const reply = await ask('GET', path, query, undefined)
      if (reply.status !== 200) throw pageOf(house, reply)
      return seen<T>(reply)
    },
    async get<T>(path: string, query?: Query) {
      return (await api.read<T>(path, query)).body
    },
    async find<T>(path: string, query: Query = {}) {
      const reply = await ask('GET', path, query, undefined)
      if (reply.status === 404) return null
      if (reply.status !== 200) throw pageOf(house, reply)
      return seen<T>(reply).body
    },
    async send<T>(
      method: Exclude<ApiMethod, 'GET'>,
      path: string,
      body?: unknown,
      version?: string,
    ): Promise<Sent<T>> {
      const reply = await ask(method, path, {}, body, version)
      if (reply.status < 400) return { ok: true, ...seen<T>(reply) }
      return { ok: false, problem: JSON.parse(reply.body) as ApiProblem }
    },
  }
  return api
}

function seen<T>({ body, headers: sent }: Reply): Seen<T> {
  return { body: (body === '' ? null : JSON.parse(body)) as T, version: sent.ETag ?? null }
}

/** A refusal of the API, as a page; a mistyped address is one that does not exist. */
function pageOf(house: Op, { status, body }: Reply): Error {
  if (status === 400 || status === 404) notFound()
  if (status === 403) forbidden()
  house.log.error({ status, body }, 'an admin page could not be read')
  return new Error('an admin page could not be read')
}

export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return given.length === 0 ? path : `${path}?${search}`
}

/** What the API may learn of the browser's request. */
const BROWSERS_OWN = new Set(['user-agent', 'host'])

async function incomingFor(
  method: ApiMethod,
  url: string,
  body: unknown,
  version: string,
): Promise<Incoming> {
  const from = await headers()
  const own: Record<string, string> = {
    'content-type': 'application/json',
    consistency: 'higher',
    ...(version !== '' && { 'if-match': version }),
  }
  const { ip } = await requestOrigin()
  return {
    method,
    url: `${API_BASE}${url}`,
    headers: {
      get: (name) => own[name] ?? (BROWSERS_OWN.has(name) ? from.get(name) : null),
    },
    ip,
    requestId: requestContext().getStore()?.requestId ?? newRequestId(),
    body: async () => new TextEncoder().encode(JSON.stringify(body ?? {})),
  }
}
