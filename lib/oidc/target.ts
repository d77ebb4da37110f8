import type { Incoming } from '../base/http'
import { type Credential, whyUnusable } from './client'
import { OAuthError } from './errors'
import { type Form, limitedTo, nameIn } from './params'
import type { Provider } from './provider'
import { nearestOf } from './redirect-uri'
import { recordRefusal, recordUnknownClient, refusalOf, shown } from './refusal'
import type { ReasonOf } from './refusal-reasons'
import { answeringOf } from './request-object'

/**
 * The trust line: which application asks, and is the redirect URI registered? Until both are known,
 * an error is a page of the portal and never a redirect.
 */

type ResponseMode = 'query' | 'form_post'
export const RESPONSE_MODES: readonly ResponseMode[] = ['query', 'form_post']

export type Target = {
  credential: Credential
  redirectUri: string
  responseMode: ResponseMode
  state: string | null
}

type Request = Pick<Incoming, 'ip' | 'requestId'>

export async function resolveTarget(op: Provider, incoming: Request, form: Form): Promise<Target> {
  const clientId = nameIn(form.get('client_id'))
  const { credentials } = await op.snapshot({ clients: [clientId] })
  const credential = credentials.get(clientId)
  const unusable = credential ? whyUnusable(credential, op.now()) : 'client_unknown'
  if (!credential || unusable) {
    throw notRegistered(op, incoming, clientId, credential, unusable ?? 'client_unknown')
  }
  const redirectUri = requireRedirectUri(op, incoming, credential, form)
  const { state = null, responseMode } = answeringOf(form, { clientId, redirectUri })
  return { credential, redirectUri, responseMode: knownMode(responseMode), state }
}

function requireRedirectUri(
  op: Provider,
  incoming: Request,
  credential: Credential,
  form: Form,
): string {
  const { application } = credential
  const redirectUri = form.get('redirect_uri')
  if (redirectUri === undefined) {
    const told = { application }
    const description = 'redirect_uri is missing'
    const error = new OAuthError('invalid_request', description, 'redirect_uri_missing', told)
    recordRefusal(op, incoming, credential, 'authorize.refused', refusalOf(error))
    throw error
  }
  if (isRegistered(credential, redirectUri)) return redirectUri
  const facts = {
    given: shown(redirectUri),
    ...nearestOf(credential.application.redirectUris, redirectUri),
  }
  const refusal = { reason: 'redirect_uri', facts } as const
  recordRefusal(op, incoming, credential, 'authorize.foreign_redirect', refusal)
  const description = 'redirect_uri is not registered for the application'
  throw new OAuthError('invalid_request', description, 'redirect_uri', { facts, application })
}

/** The same answer for a client that is unknown, disabled or expired (attack A1). */
function notRegistered(
  op: Provider,
  incoming: Request,
  clientId: string,
  credential: Credential | undefined,
  reason: ReasonOf<'invalid_request'>,
): OAuthError {
  const facts = { client_id: shown(clientId) }
  const event = 'authorize.refused'
  if (credential) recordRefusal(op, incoming, credential, event, { reason, facts })
  else recordUnknownClient(op, incoming, event, { reason, facts })
  const description = 'the application is not registered here'
  return new OAuthError('invalid_request', description, reason, { facts })
}

/**
 * Byte for byte (RFC 9700 §4.1.3), except the loopback port of a native application (RFC 8252
 * §7.3).
 */
export function isRegistered(
  { application }: Pick<Credential, 'application'>,
  redirectUri: string,
): boolean {
  if (application.redirectUris.includes(redirectUri)) return true
  if (application.kind !== 'native' || !application.authMethods.includes('none')) return false
  const withoutPort = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(\/.*|)$/.exec(redirectUri)
  if (withoutPort === null || !URL.canParse(redirectUri)) return false
  return application.redirectUris.includes(`${withoutPort[1]}${withoutPort[2]}`)
}

/** An unknown mode is refused below the trust line, in the query. */
function knownMode(mode: string | undefined): ResponseMode {
  return mode === 'form_post' ? 'form_post' : 'query'
}

const MAX_STATE_LENGTH = 4 * 1024

export function requireAnswerable(form: Form): void {
  limitedTo(MAX_STATE_LENGTH, form.get('state'))
  const mode = form.get('response_mode')
  if (mode === undefined || RESPONSE_MODES.some((known) => known === mode)) return
  throw new OAuthError('invalid_request', 'response_mode is not supported', 'response_mode')
}
