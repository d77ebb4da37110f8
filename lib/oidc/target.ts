import type { Incoming } from '../base/http'
import { type Credential, isUsable } from './client'
import { OAuthError } from './errors'
import { type Form, limitedTo, nameIn } from './params'
import type { Provider } from './provider'
import { type Refusal, recordRefusal, recordUnknownClient, shown } from './refusal'

/**
 * The trust line: which application asks, and is the redirect URI registered? Until both are known,
 * an error is a page of the portal and never a redirect.
 */

export type ResponseMode = 'query' | 'form_post'
export const RESPONSE_MODES: readonly ResponseMode[] = ['query', 'form_post']

export type Target = {
  credential: Credential
  redirectUri: string
  responseMode: ResponseMode
  state: string | null
}

export async function resolveTarget(
  op: Provider,
  incoming: Pick<Incoming, 'ip' | 'requestId'>,
  form: Form,
): Promise<Target> {
  const clientId = nameIn(form.get('client_id'))
  const { credentials } = await op.snapshot({ clients: [clientId] })
  const credential = credentials.get(clientId)
  if (!credential || !isUsable(credential, op.now())) {
    const refusal = recordUnknownClient(op, incoming, clientId)
    throw new OAuthError('invalid_request', 'the application is not registered here', { refusal })
  }
  const { application } = credential
  const redirectUri = form.get('redirect_uri')
  if (redirectUri === undefined) {
    throw new OAuthError('invalid_request', 'redirect_uri is missing', { application })
  }
  if (!isRegistered(credential, redirectUri)) {
    const refusal = redirectRefusal(credential, redirectUri)
    recordRefusal(op, incoming, credential, 'authorize.foreign_redirect', refusal)
    throw new OAuthError('invalid_request', 'redirect_uri is not registered for the application', {
      ...{ refusal, application },
    })
  }
  return {
    credential,
    redirectUri,
    responseMode: readResponseMode(form),
    state: form.get('state') ?? null,
  }
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
function readResponseMode(form: Form): ResponseMode {
  return form.get('response_mode') === 'form_post' ? 'form_post' : 'query'
}

const LONGEST_STATE = 4 * 1024

export function requireAnswerable(form: Form): void {
  limitedTo(LONGEST_STATE, form.get('state'))
  const mode = form.get('response_mode')
  if (mode === undefined || RESPONSE_MODES.some((known) => known === mode)) return
  throw new OAuthError('invalid_request', 'response_mode is not supported')
}

/** The registered URI that is most like the one that was sent, and where they differ. */
function redirectRefusal({ application }: Credential, redirectUri: string): Refusal {
  const [nearest = null] = [...application.redirectUris].sort(
    (a, b) => sharedStart(b, redirectUri) - sharedStart(a, redirectUri),
  )
  const at = nearest === null ? 0 : sharedStart(nearest, redirectUri)
  return { reason: 'redirect_uri', facts: { given: shown(redirectUri), nearest, at } }
}

function sharedStart(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}
