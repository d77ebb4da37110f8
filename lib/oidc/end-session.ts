import { type Incoming, queryOf, type Reply } from '../base/http'
import { seeOther } from './answer'
import type { Application } from './client'
import { URL_LIMIT } from './endpoint'
import { isOAuthError, OAuthError } from './errors'
import { type Form, formOf, parsePairs, readFormText, repeated, repeatedParameters } from './params'
import { paths } from './paths'
import type { BrowserSession, Provider } from './provider'
import { type VerifiedClaims, verifyOwn } from './verify'

/**
 * OpenID Connect RP-Initiated Logout 1.0. Whoever holds an id_token of this very session may end it
 * at once; anybody else only gets as far as the page that asks.
 */

const SIGNED_OUT = '/logout'

/** GET and POST /oidc/session/end */
export async function endSession(op: Provider, incoming: Incoming): Promise<Reply> {
  // A cross-site POST comes without our cookies; on the GET that follows they are there.
  if (incoming.method === 'POST') return seeOther(asAddress(await readFormText(incoming)))
  const form = readQuery(queryOf(incoming.url))
  const hint = await readHint(op, form)
  const backTo = await resolveReturn(op, form, hint)
  const session = await sessionMeant(op, incoming, hint)
  if (!session) return seeOther(backTo ?? SIGNED_OUT)
  if (hint?.sid !== session.id) return seeOther(askFirst(incoming))
  return leave(op, incoming, session, backTo)
}

/** Encoded anew: what a body may hold, a header may not. */
function asAddress(text: string): string {
  const pairs = [...parsePairs(text)].flatMap(([name, given]) =>
    given.map((value): [string, string] => [name, value]),
  )
  const address = `${paths.endSession}?${new URLSearchParams(pairs)}`
  if (address.length <= URL_LIMIT) return address
  throw new OAuthError('request_too_large', 'the form is larger than an address may be')
}

/** Of several accounts at one browser, the one that the id_token was issued to. */
async function sessionMeant(op: Provider, incoming: Incoming, hint: VerifiedClaims | null) {
  const others = await op.otherSessionsOf(incoming)
  return others.find(({ id }) => id === hint?.sid) ?? (await op.sessionOf(incoming))
}

async function leave(
  op: Provider,
  incoming: Incoming,
  session: BrowserSession,
  backTo: string | null,
) {
  return seeOther(backTo ?? SIGNED_OUT, await op.endSession(session, incoming))
}

/** The page comes back here with the same question once the session is over. */
function askFirst({ url }: Incoming): string {
  const query = queryOf(url)
  return query === '' ? SIGNED_OUT : `${SIGNED_OUT}?${query}`
}

/** Who asked for it, and where it leads afterwards: for the page that asks the person. */
export async function findAsker(
  op: Provider,
  query: string,
): Promise<{ application: Application; backTo: string | null } | null> {
  try {
    const form = readQuery(query)
    const hint = await readHint(op, form)
    const application = await applicationOf(op, form, hint)
    return application && { application, backTo: await resolveReturn(op, form, hint) }
  } catch (error) {
    if (isOAuthError(error)) return null // said by the endpoint, when it is asked again
    throw error
  }
}

function readQuery(query: string): Form {
  const values = parsePairs(query)
  if (repeatedParameters(values).length > 0) throw repeated()
  return formOf(values)
}

/** Expired ones are accepted (§4); forged ones are not even a hint. */
async function readHint(op: Provider, form: Form): Promise<VerifiedClaims | null> {
  const hint = form.get('id_token_hint')
  if (hint === undefined) return null
  const claims = await verifyOwn(op, 'JWT', hint)
  if (!claims) throw new OAuthError('invalid_request', 'id_token_hint is not a token of ours')
  return claims
}

/** Null when nowhere was asked for. An address counts only if the application registered it so. */
async function resolveReturn(
  op: Provider,
  form: Form,
  hint: VerifiedClaims | null,
): Promise<string | null> {
  const application = await applicationOf(op, form, hint)
  const uri = form.get('post_logout_redirect_uri')
  if (uri === undefined) return null
  if (!application?.postLogoutRedirectUris.includes(uri)) {
    throw new OAuthError('invalid_request', 'post_logout_redirect_uri is not registered')
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
  const { credentials } = await op.snapshot()
  const clientId = form.get('client_id')
  const hinted = hint && (credentials.get(String(hint.aud))?.application ?? null)
  if (clientId === undefined) return hinted
  const named = credentials.get(clientId)?.application ?? null
  if (hint && named?.id !== hinted?.id) {
    throw new OAuthError('invalid_request', 'client_id does not match id_token_hint')
  }
  return named
}
