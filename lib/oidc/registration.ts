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
 * Rules for the registration of an application. Each problem is named by a JSON pointer; nothing is
 * corrected silently. Redirect URIs are compared byte for byte later, so they are stored as typed.
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
      Object.hasOwn(grants, grant) ? null : 'this grant type is not supported',
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

/**
 * The operator may allow plain http with OUTBOUND_HOSTS; it is checked when the address is called.
 */
function addressProblems({ backchannelLogoutUri, jwksUri }: Registration): Problem[] {
  return Object.entries({ backchannelLogoutUri, jwksUri }).flatMap(([field, uri]) => {
    if (uri === null || isPlainHttps(uri) || isPlainLoopback(uri)) return []
    return [invalid(field, 'must be an https address')]
  })
}

const PUBLIC: AuthMethod = 'none'

function methodProblems({ kind, authMethods }: Registration): Problem[] {
  const isPublic = authMethods.includes(PUBLIC)
  if (authMethods.length === 0) return [invalid('authMethods', 'must contain at least one method')]
  if (isPublic && authMethods.length > 1) {
    return [
      invalid(
        'authMethods',
        '"none" cannot be combined with other methods: a public client does not authenticate',
      ),
    ]
  }
  if (isPublic && kind === 'machine')
    return [
      invalid(
        'authMethods',
        'a machine application must authenticate: choose a method other than "none"',
      ),
    ]
  if (!isPublic && kind === 'spa') {
    return [invalid('authMethods', 'a single-page application cannot keep a secret: use "none"')]
  }
  return []
}

/** RFC 7591 §2: either the keys or their address, not both. */
function keyProblems({ authMethods, jwks, jwksUri }: Registration): Problem[] {
  if (jwks !== null && jwksUri !== null) {
    return [invalid('jwksUri', 'send either jwks or jwksUri, not both')]
  }
  if (authMethods.includes('private_key_jwt') && jwks === null && jwksUri === null) {
    return [invalid('jwks', 'private_key_jwt needs public keys: send jwks or jwksUri')]
  }
  return []
}

function flowProblems(registration: Registration): Problem[] {
  const { kind, authMethods, grantTypes, redirectUris, requirePkce } = registration
  const isPublic = authMethods.includes(PUBLIC)
  const problems: Problem[] = []
  if (isPublic && !requirePkce) {
    problems.push(invalid('requirePkce', 'a public client must use PKCE (RFC 7636)'))
  }
  if (isPublic && grantTypes.includes('client_credentials')) {
    problems.push(
      invalid(
        'grantTypes',
        'a public client cannot use client_credentials, because it has no credentials',
      ),
    )
  }
  if (grantTypes.includes('authorization_code') && redirectUris.length === 0) {
    problems.push(
      invalid('redirectUris', 'the authorization_code grant type needs at least one redirect URI'),
    )
  }
  if (kind === 'machine' && redirectUris.length > 0) {
    problems.push(
      invalid('redirectUris', 'a machine application cannot sign users in: use client_credentials'),
    )
  }
  return problems
}

function invalid(field: string, detail: string): Problem {
  return { pointer: `/${field}`, code: 'invalid', detail }
}
