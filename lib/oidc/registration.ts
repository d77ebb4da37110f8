import type { Application, AuthMethod } from './client'
import { grants } from './grants'
import {
  type AddressFault,
  FAULT_DETAILS,
  isPlainHttps,
  isPlainLoopback,
  originFault,
  redirectFault,
} from './redirect-uri'

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

export function registrationProblems(registration: Registration): Problem[] {
  return [
    ...listProblems('redirectUris', registration.redirectUris, (uri) =>
      detailOf(redirectFault(uri, registration.kind)),
    ),
    ...listProblems('postLogoutRedirectUris', registration.postLogoutRedirectUris, (uri) =>
      detailOf(redirectFault(uri, registration.kind)),
    ),
    ...listProblems('origins', registration.origins, (origin) => detailOf(originFault(origin))),
    ...listProblems('grantTypes', registration.grantTypes, (grant) =>
      Object.hasOwn(grants, grant) ? null : 'this grant type is not offered',
    ),
    ...addressProblems(registration),
    ...methodProblems(registration),
    ...keyProblems(registration),
    ...flowProblems(registration),
  ]
}

function detailOf(fault: AddressFault | null): string | null {
  return fault && FAULT_DETAILS[fault]
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

/** Plain http is the operator's to allow, by OUTBOUND_HOSTS, when the address is called. */
function addressProblems({ backchannelLogoutUri, jwksUri }: Registration): Problem[] {
  return Object.entries({ backchannelLogoutUri, jwksUri }).flatMap(([field, uri]) => {
    if (uri === null || isPlainHttps(uri) || isPlainLoopback(uri)) return []
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
