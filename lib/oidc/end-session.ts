import { type Incoming, queryOf, type Reply } from '../base/http'
import { seeOther } from './answer'
import type { Application } from './client'
import { URL_LIMIT } from './endpoint'
import { isOAuthError, OAuthError } from './errors'
import {
  type Form,
  formOf,
  nameIn,
  parsePairs,
  readFormText,
  repeated,
  repeatedParameters,
} from './params'
import { paths } from './paths'
import type { BrowserSession, Provider } from './provider'
import { nearestOf } from './redirect-uri'
import { recordAtClient, refusalOf, shown } from './refusal'
import { isUnknownPublisher } from './unknown-publisher'
import { type VerifiedClaims, verifyOwn } from './verify'

/**
 * OpenID Connect RP-Initiated Logout 1.0. A request with an ID token of this session ends it at
 * once. Any other request leads to a page that asks the user.
 */

const SIGNED_OUT = '/logout'

/** GET and POST /oidc/session/end */
export async function endSession(op: Provider, incoming: Incoming): Promise<Reply> {
  // A cross-site POST carries none of the portal's cookies; the GET that follows does.
  if (incoming.method === 'POST') return seeOther(asAddress(await readFormText(incoming)))
  const form = readQuery(queryOf(incoming.url))
  const { hint, application, backTo } = await readRequest(op, form).catch(async (error) => {
    if (isOAuthError(error)) await recordLogoutRefusal(op, incoming, form, error)
    throw error
  })
  const session = await sessionMeant(op, incoming, hint)
  if (!session) return signedOut(op, incoming, application, backTo)
  if (hint?.sid !== session.id) return seeOther(askFirst(incoming))
  return leave(op, incoming, session, backTo)
}

type LogoutRequest = {
  hint: VerifiedClaims | null
  application: Application | null
  backTo: string | null
}

async function readRequest(op: Provider, form: Form): Promise<LogoutRequest> {
  const hint = await readHint(op, form)
  const application = await applicationOf(op, form, hint)
  return { hint, application, backTo: resolveReturn(application, form, hint) }
}

/** At the client that the request names, or that the ID token was issued to. */
async function recordLogoutRefusal(
  op: Provider,
  incoming: Incoming,
  form: Form,
  error: OAuthError,
): Promise<void> {
  const named = form.get('client_id')
  const hint = named === undefined ? await readHint(op, form).catch(() => null) : null
  const clientId = named === undefined ? String(hint?.aud ?? '') : nameIn(named)
  await recordAtClient(op, incoming, clientId, 'logout.refused', refusalOf(error))
}

/** No user is signed in here, so an unverified client does not get the browser without a question. */
async function signedOut(
  op: Provider,
  incoming: Incoming,
  application: Application | null,
  backTo: string | null,
): Promise<Reply> {
  if (backTo === null || application === null) return seeOther(SIGNED_OUT)
  return seeOther((await isUnknownPublisher(op, application)) ? askFirst(incoming) : backTo)
}

/** Encoded again: a body may contain characters that a header may not. */
function asAddress(text: string): string {
  const pairs = [...parsePairs(text)].flatMap(([name, given]) =>
    given.map((value): [string, string] => [name, value]),
  )
  const address = `${paths.endSession}?${new URLSearchParams(pairs)}`
  if (address.length <= URL_LIMIT) return address
  const description = 'the form is longer than a URL may be'
  throw new OAuthError('request_too_large', description, 'body_too_large')
}

/**
 * Among several accounts of one browser, the one that the ID token was issued to. An admin in the
 * account of somebody else is signed in to no application.
 */
async function sessionMeant(op: Provider, incoming: Incoming, hint: VerifiedClaims | null) {
  const others = await op.otherSessionsOf(incoming)
  const session = others.find(({ id }) => id === hint?.sid) ?? (await op.sessionOf(incoming))
  return session?.impersonation ? null : session
}

async function leave(
  op: Provider,
  incoming: Incoming,
  session: BrowserSession,
  backTo: string | null,
) {
  return seeOther(backTo ?? SIGNED_OUT, await op.endSession(session, incoming))
}

/** After sign-out the page returns here with the same request, or shows where to go on. */
function askFirst({ url }: Incoming): string {
  const query = queryOf(url)
  return query === '' ? SIGNED_OUT : `${SIGNED_OUT}?${query}`
}

/**
 * Which application asked, and where the browser goes afterwards; for the page that asks the user.
 */
export async function findAsker(
  op: Provider,
  query: string,
): Promise<{ application: Application; backTo: string | null } | null> {
  try {
    const { application, backTo } = await readRequest(op, readQuery(query))
    return application && { application, backTo }
  } catch (error) {
    if (isOAuthError(error)) return null // the endpoint reports it later
    throw error
  }
}

function readQuery(query: string): Form {
  const values = parsePairs(query)
  if (repeatedParameters(values).length > 0) throw repeated()
  return formOf(values)
}

/** Expired ID tokens are accepted (§4); forged ones are refused. */
async function readHint(op: Provider, form: Form): Promise<VerifiedClaims | null> {
  const hint = form.get('id_token_hint')
  if (hint === undefined) return null
  const claims = await verifyOwn(op, 'id_token', hint)
  if (claims) return claims
  const description = 'id_token_hint was not issued by this portal'
  throw new OAuthError('invalid_request', description, 'id_token_hint')
}

/** Null if no address was requested. An address must be registered by the application. */
function resolveReturn(
  application: Application | null,
  form: Form,
  hint: VerifiedClaims | null,
): string | null {
  const uri = form.get('post_logout_redirect_uri')
  if (uri === undefined) return null
  // §2: without either, nobody can tell whose address it would have to be. It is the same answer
  // whether or not some application registered it.
  if (hint === null && form.get('client_id') === undefined) {
    throw new OAuthError(
      'invalid_request',
      'send id_token_hint or client_id with post_logout_redirect_uri',
      'logout_client_missing',
    )
  }
  if (!application?.postLogoutRedirectUris.includes(uri)) {
    const description = 'post_logout_redirect_uri is not registered'
    const registered = application?.postLogoutRedirectUris ?? []
    const facts = { given: shown(uri), ...nearestOf(registered, uri) }
    throw new OAuthError('invalid_request', description, 'logout_redirect_uri', { facts })
  }
  const state = form.get('state')
  if (state === undefined) return uri
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`
}

async function applicationOf(
  op: Provider,
  form: Form,
  hint: VerifiedClaims | null,
): Promise<Application | null> {
  const given = form.get('client_id')
  const clientId = given === undefined ? undefined : nameIn(given)
  const audience = hint && String(hint.aud)
  const clients = [clientId, audience].filter((id) => typeof id === 'string')
  const { credentials } = await op.snapshot({ clients })
  const hinted = audience === null ? null : (credentials.get(audience)?.application ?? null)
  if (clientId === undefined) return hinted
  const named = credentials.get(clientId)?.application ?? null
  if (hint && named?.id !== hinted?.id) {
    const description = 'client_id does not match id_token_hint'
    throw new OAuthError('invalid_request', description, 'client_id_differs')
  }
  return named
}
