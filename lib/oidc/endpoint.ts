import { type Headers, joined } from '../base/headers'
import { ClientGone, type Incoming, type Reply } from '../base/http'
import { errorJson, isOAuthError, OAuthError, ourFault } from './errors'
import type { ErrorPageAbout, Provider } from './provider'

/** The only try/catch of the JSON endpoints: method, answer or error, CORS. */

export const URL_LIMIT = 8 * 1024

/** `O`: what the protocol needs, or more for endpoints outside lib/oidc. */
export type Handler<O extends Provider = Provider> = (op: O, incoming: Incoming) => Promise<Reply>
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type Endpoint<O extends Provider = Provider> = {
  /** The name in logs and metrics. */
  name: string
  methods: Partial<Record<Method, Handler<O>>>
  /** Handles every method and its own errors. */
  any?: Handler<O>
  /** Users open it: errors are pages instead of JSON, and say what cannot continue. */
  page?: ErrorPageAbout
  /** GET has an effect here, so HEAD, which must have none, is refused. */
  noHead?: true
  /** `any`: public documents; `registered`: the origins that applications registered. */
  cors?: 'any' | 'registered'
}

/** `report` gets internal errors; the caller learns only that there was one. */
export async function answer<O extends Provider>(
  op: O,
  endpoint: Endpoint<O>,
  incoming: Incoming,
  report: (error: unknown) => void,
): Promise<Reply> {
  const reply = await replyOrError(op, endpoint, incoming, report)
  const { cors } = endpoint
  if (cors === undefined) return reply
  const allowed = cors === 'any' ? ANYBODY : await registeredOrigin(op, incoming)
  const isHidden = allowed === BY_ORIGIN && incoming.headers.get('origin') !== null
  const headers = joined(reply.headers, allowed)
  return { ...reply, headers, ...(isHidden && { note: reply.note ?? HIDDEN }) }
}

/** Never with credentials: no endpoint that scripts may call reads a cookie. */
const ANYBODY = Object.freeze({ 'Access-Control-Allow-Origin': '*' })
const BY_ORIGIN: Headers = Object.freeze({ Vary: 'Origin' })
/** For the log: a preflight names no application at which it could be recorded. */
const HIDDEN = 'the browser origin is not registered'

async function registeredOrigin(op: Provider, { headers }: Incoming): Promise<Headers> {
  const origin = headers.get('origin')
  if (origin === null) return BY_ORIGIN
  const isRegistered = await op.isRegisteredOrigin(origin).catch(() => false)
  if (!isRegistered) return BY_ORIGIN
  return { ...BY_ORIGIN, 'Access-Control-Allow-Origin': origin }
}

async function replyOrError<O extends Provider>(
  op: O,
  endpoint: Endpoint<O>,
  incoming: Incoming,
  report: (error: unknown) => void,
): Promise<Reply> {
  try {
    return await dispatch(op, endpoint, incoming)
  } catch (error) {
    if (error instanceof ClientGone) return { status: 499, headers: {}, body: '' }
    if (!isOAuthError(error)) report(error)
    const told = isOAuthError(error) ? error : ourFault(op, error)
    return endpoint.page ? op.errorPage(incoming, told, endpoint.page) : errorJson(op.issuer, told)
  }
}

async function dispatch<O extends Provider>(
  op: O,
  endpoint: Endpoint<O>,
  incoming: Incoming,
): Promise<Reply> {
  if (endpoint.any) return endpoint.any(op, incoming)
  if (incoming.url.length > URL_LIMIT)
    throw new OAuthError('uri_too_long', 'the URL is too long', 'url_too_long')
  const { method } = incoming
  if (method === 'OPTIONS') return preflight(endpoint)
  const handler = handlerFor(endpoint, method)
  if (handler) return handler(op, incoming)
  throw new OAuthError('method_not_allowed', 'this method is not allowed here', 'http_method', {
    allow: allowed(endpoint),
  })
}

/** HEAD is answered as GET; the host leaves the body out. */
function handlerFor<O extends Provider>(
  { methods, noHead }: Endpoint<O>,
  method: string,
): Handler<O> | undefined {
  if (method === 'HEAD') return noHead ? undefined : methods.GET
  return Object.hasOwn(methods, method) ? methods[method as Method] : undefined
}

function allowed<O extends Provider>({ methods, noHead }: Endpoint<O>): string {
  const head = methods.GET && !noHead ? ['HEAD'] : []
  return [...Object.keys(methods), ...head, 'OPTIONS'].join(', ')
}

function preflight<O extends Provider>(endpoint: Endpoint<O>): Reply {
  const headers = { Allow: allowed(endpoint), ...(endpoint.cors && preflightHeaders(endpoint)) }
  return { status: 204, headers, body: '' }
}

function preflightHeaders<O extends Provider>(endpoint: Endpoint<O>): Record<string, string> {
  return {
    'Access-Control-Allow-Methods': allowed(endpoint),
    'Access-Control-Allow-Headers': 'Authorization, Content-Type',
    'Access-Control-Max-Age': '600',
  }
}
