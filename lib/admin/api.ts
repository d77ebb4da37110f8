import { headers } from 'next/headers'
import { forbidden, notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import type { z } from 'zod'
import type { PortalScope } from '../access/portal-api'
import { lacksAdminFactor, wayToFactor } from '../accounts/admin-factor'
import { signedInCaller } from '../api/http/caller'
import { type AnswerOf, clientFor, type Input, type VersionedBody } from '../api/http/client'
import type { Answers, Operation } from '../api/http/operation'
import { faultOf, isProblem, PROBLEMS, type Problem, problemDocument } from '../api/http/problem'
import type { Incoming } from '../base/http'
import { requestContext } from '../base/request-context'
import type { ApiProblem } from '../browser/api-form'
import { currentPath } from '../browser/locale'
import { requestOrigin, requireUser, type Session } from '../browser/session'
import type { Op } from '../context/op'
import { newRequestId } from '../crypto/secrets'
import { op } from '../op'
import { askedHost } from './asked-host'
import { ADMIN_PAGES, type AdminPath, NAVIGATION } from './pages'

/**
 * How the admin pages reach the portal: through the operations of the API, in process, as the
 * signed-in user. A page can do what the API can, with the same checks, and nothing else.
 */

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

export type { VersionedBody } from '../api/http/client'
export type { ApiProblem } from '../browser/api-form'

export type ApiResult<T> = ({ ok: true } & VersionedBody<T>) | { ok: false; problem: ApiProblem }

export type Page<T> = {
  data: T[]
  page: { next: string | null; previous: string | null; limit: number; total?: number | undefined }
}

export type AdminApi = {
  session: Session
  may(scope: PortalScope): boolean
  /** If the object does not exist or the user may not see it, an error page is shown. */
  read: Ask<'seen'>
  get: Ask<'body'>
  /** Null if it does not exist. */
  find: Ask<'found'>
  send: Ask<'sent'>
}

/** How a page gets an answer. */
type Ways<T> = { seen: VersionedBody<T>; body: T; found: T | null; sent: ApiResult<T> }

type Ask<Way extends keyof Ways<unknown>> = <
  Path extends string,
  Q extends z.ZodObject | undefined,
  B extends z.ZodType | undefined,
  A extends Answers,
>(
  operation: Operation<Path, Q, B, A>,
  input: Input<Path, Q, B>,
) => Promise<Ways<AnswerOf<A>>[Way]>

/** For a page: a user who may not open it is asked to sign in, or gets an error page. */
export async function adminPage(path: AdminPath): Promise<AdminApi> {
  const api = await adminApi()
  if (api.may(ADMIN_PAGES[path])) return api
  const first = NAVIGATION.flat().find((page) => api.may(ADMIN_PAGES[page]))
  if (path === '/admin' && first) redirect(first)
  forbidden()
}

/** For actions: each operation checks the call. The title of a page and the page share one. */
export const adminApi = cache(async (): Promise<AdminApi> => apiFor(await requireUser()))

/** As a user who is signed in at this browser, even if another account is active. */
export async function apiFor(session: Session): Promise<AdminApi> {
  if (session.user.adminRole === null) forbidden()
  return callsFor(session)
}

/** For the account pages: every user may ask for access, and decide where a rule says so. */
export async function ownApi(): Promise<AdminApi> {
  return callsFor(await requireUser())
}

async function callsFor(session: Session): Promise<AdminApi> {
  const portal = await op()
  if (await lacksAdminFactor(portal, session.user, session.acr)) {
    redirect(await wayToFactor(portal, session.user, await currentPath()))
  }
  const caller = signedInCaller(session)

  const call = clientFor(portal, caller, await incomingOf())
  const api: AdminApi = {
    session,
    may: (scope) => caller.scopes.has(scope),
    read: (operation, input) => call(operation, input).catch(toPage(portal)),
    get: async (operation, input) => (await api.read(operation, input)).body,
    find: (operation, input) =>
      call(operation, input)
        .then(({ body }) => body)
        .catch((error) => {
          if (isProblem(error) && error.code === 'not_found') return null
          return toPage(portal)(error)
        }),
    send: (operation, input) =>
      call(operation, input)
        .then((seen) => ({ ok: true as const, ...seen }))
        .catch((error) => ({ ok: false as const, problem: problemIn(portal, error) })),
  }
  return api
}

/** A refusal as a page; a wrong address is not found. */
function toPage(portal: Op): (error: unknown) => never {
  return (error) => {
    const code = isProblem(error) ? PROBLEMS[error.code][0] : 500
    if (code === 400 || code === 404) notFound()
    if (code === 403) forbidden()
    portal.report(error, requestIdNow())
    throw new Error('an admin page could not be read', { cause: error })
  }
}

/** An internal error is reported, and shown like a refusal. */
function problemIn(portal: Op, error: unknown): ApiProblem {
  const requestId = requestIdNow()
  const asked = { origin: portal.origin, requestId }
  if (isProblem(error)) return toldAs(error, asked)
  portal.report(error, requestId)
  return toldAs(faultOf(portal, error), asked)
}

function toldAs(problem: Problem, asked: Parameters<typeof problemDocument>[1]): ApiProblem {
  return { ...problemDocument(problem, asked), reason: problem.reason }
}

export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return given.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${search}`
}

function requestIdNow(): string {
  return requestContext().getStore()?.requestId ?? newRequestId()
}

/** The browser's request, as far as operations may see it. */
async function incomingOf(): Promise<Incoming> {
  const from = await headers()
  const { ip } = await requestOrigin()
  const told: Record<string, string | null> = {
    'user-agent': from.get('user-agent'),
    host: askedHost(from),
  }
  return {
    method: 'GET',
    url: '',
    headers: { get: (name) => told[name] ?? null },
    ip,
    claimed: requestContext().getStore()?.claimed,
    requestId: requestIdNow(),
    body: async () => new Uint8Array(),
  }
}
