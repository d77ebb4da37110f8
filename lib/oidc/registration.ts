import type { Application, AuthMethod } from './client'
import { grants } from './grants'

/**
 * What an application may be registered with. Whatever is wrong is named by a JSON pointer; nothing
 * is corrected silently. Redirect URIs are later compared byte for byte, so they are kept as typed.
 */

export type Registration = Pick<
  Application,
  | 'kind'
  | 'authMethods'
  | 'grantTypes'
  | 'redirectUris'
  | 'postLogoutRedirectUris'
  | 'origins'
  | 'jwks'
  | 'jwksUri'
  | 'requirePkce'
> & { backchannelLogoutUri: string | null }

export type Problem = { pointer: string; code: string; detail: string }

const LONGEST_URI = 1_500
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?:[/?]|$)/
/** RFC 3986 characters, and not `*`: a wildcard would be somebody's open door. */
const PLAIN_URI = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/
/** RFC 8252 §7.1: a domain name of the app's, backwards. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:/i

export function registrationProblems(registration: Registration): Problem[] {
  return [
    ...listProblems('redirectUris', registration.redirectUris, (uri) =>
      redirectProblem(uri, registration.kind),
    ),
    ...listProblems('postLogoutRedirectUris', registration.postLogoutRedirectUris, (uri) =>
      redirectProblem(uri, registration.kind),
    ),
    ...listProblems('origins', registration.origins, originProblem),
    ...listProblems('grantTypes', registration.grantTypes, (grant) =>
      Object.hasOwn(grants, grant) ? null : 'this grant type is not offered',
    ),
    ...addressProblems(registration),
    ...methodProblems(registration),
    ...keyProblems(registration),
    ...flowProblems(registration),
  ]
}

function listProblems(
  field: string,
  values: readonly string[],
  problemOf: (value: string) => string | null,
): Problem[] {
  return values.flatMap((value, index) => {
    const detail = problemOf(value)
    return detail === null ? [] : [invalid(`${field}/${index}`, detail)]
  })
}

function redirectProblem(uri: string, kind: Registration['kind']): string | null {
  if (uri.length > LONGEST_URI) return 'the URI is too long'
  if (!PLAIN_URI.test(uri)) return 'a whole URI without spaces, wildcards or a fragment'
  if (LOOPBACK.test(uri)) return null
  if (kind === 'native' && PRIVATE_SCHEME.test(uri)) return null
  return isHttps(uri) ? null : 'https, or http to this machine (localhost, 127.0.0.1, [::1])'
}

function isHttps(uri: string): boolean {
  if (!/^https:\/\/[^/]/.test(uri) || !URL.canParse(uri)) return false
  const { username, password, host } = new URL(uri)
  return host !== '' && username === '' && password === ''
}

/** As typed, without spaces, wildcards, a fragment or somebody's password. */
export function isPlainHttps(uri: string): boolean {
  return uri.length <= LONGEST_URI && PLAIN_URI.test(uri) && isHttps(uri)
}

function originProblem(origin: string): string | null {
  const whole = URL.canParse(origin) && new URL(origin).origin === origin
  if (whole && (origin.startsWith('https://') || LOOPBACK.test(origin))) return null
  return 'an origin such as https://app.example.com, without a path'
}

/** Plain http is the operator's to allow, by OUTBOUND_HOSTS, when the address is called. */
function addressProblems({ backchannelLogoutUri, jwksUri }: Registration): Problem[] {
  return Object.entries({ backchannelLogoutUri, jwksUri }).flatMap(([field, uri]) => {
    if (uri === null || isPlainHttps(uri)) return []
    if (uri.length <= LONGEST_URI && PLAIN_URI.test(uri) && LOOPBACK.test(uri)) return []
    return [invalid(field, 'an https address')]
  })
}

const PUBLIC: AuthMethod = 'none'

function methodProblems({ kind, authMethods }: Registration): Problem[] {
  const isPublic = authMethods.includes(PUBLIC)
  if (authMethods.length === 0) return [invalid('authMethods', 'at least one')]
  if (isPublic && authMethods.length > 1) {
    return [invalid('authMethods', '"none" stands alone: a public client proves nothing')]
  }
  if (isPublic && kind === 'machine') return [invalid('authMethods', 'a machine proves who it is')]
  if (!isPublic && kind === 'spa') {
    return [invalid('authMethods', 'a single-page app cannot keep a secret: use "none"')]
  }
  return []
}

/** RFC 7591 §2: the keys are here or there, not both. */
function keyProblems({ authMethods, jwks, jwksUri }: Registration): Problem[] {
  if (jwks !== null && jwksUri !== null) {
    return [invalid('jwksUri', 'either the keys or where they are, not both')]
  }
  if (authMethods.includes('private_key_jwt') && jwks === null && jwksUri === null) {
    return [invalid('jwks', 'private_key_jwt needs the keys, or where they are (jwksUri)')]
  }
  return []
}

function flowProblems(registration: Registration): Problem[] {
  const { kind, authMethods, grantTypes, redirectUris, requirePkce } = registration
  const isPublic = authMethods.includes(PUBLIC)
  const problems: Problem[] = []
  if (isPublic && !requirePkce) {
    problems.push(invalid('requirePkce', 'a public client always uses PKCE (RFC 7636)'))
  }
  if (isPublic && grantTypes.includes('client_credentials')) {
    problems.push(invalid('grantTypes', 'a public client has no credentials to grant on'))
  }
  if (grantTypes.includes('authorization_code') && redirectUris.length === 0) {
    problems.push(invalid('redirectUris', 'the code flow needs an address to come back to'))
  }
  if (kind === 'machine' && redirectUris.length > 0) {
    problems.push(invalid('redirectUris', 'a machine signs nobody in'))
  }
  return problems
}

function invalid(field: string, detail: string): Problem {
  return { pointer: `/${field}`, code: 'invalid', detail }
}
