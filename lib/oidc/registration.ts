import { type ErrorMessage, errorMessage } from '../i18n/error-message'
import type { Application, AuthMethod } from './client'
import { grants } from './grants'
import {
  type AddressFault,
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
  | 'pkce'
> & { backchannelLogoutUri: string | null }

type Problem = { pointer: string; reason: ErrorMessage }

export function registrationProblems(registration: Registration): Problem[] {
  return [
    ...listProblems('redirectUris', registration.redirectUris, (uri) =>
      faultOf(redirectFault(uri, registration.kind)),
    ),
    ...listProblems('postLogoutRedirectUris', registration.postLogoutRedirectUris, (uri) =>
      faultOf(redirectFault(uri, registration.kind)),
    ),
    ...listProblems('origins', registration.origins ?? [], (origin) =>
      faultOf(originFault(origin)),
    ),
    ...listProblems('grantTypes', registration.grantTypes, (grant) =>
      Object.hasOwn(grants, grant) ? null : errorMessage('grant_type_unknown'),
    ),
    ...addressProblems(registration),
    ...methodProblems(registration),
    ...keyProblems(registration),
    ...flowProblems(registration),
  ]
}

function faultOf(fault: AddressFault | null): ErrorMessage | null {
  return fault && errorMessage(`uri_${fault}`)
}

function listProblems(
  field: string,
  values: readonly string[],
  problemOf: (value: string) => ErrorMessage | null,
): Problem[] {
  return values.flatMap((value, index) => {
    const reason = problemOf(value)
    return reason === null ? [] : [invalid(`${field}/${index}`, reason)]
  })
}

/**
 * The operator may allow plain http with OUTBOUND_HOSTS; it is checked when the address is called.
 */
function addressProblems({ backchannelLogoutUri, jwksUri }: Registration): Problem[] {
  return Object.entries({ backchannelLogoutUri, jwksUri }).flatMap(([field, uri]) => {
    if (uri === null || isPlainHttps(uri) || isPlainLoopback(uri)) return []
    return [invalid(field, errorMessage('https_needed'))]
  })
}

const PUBLIC: AuthMethod = 'none'

function methodProblems({ kind, authMethods }: Registration): Problem[] {
  const isPublic = authMethods.includes(PUBLIC)
  if (authMethods.length === 0) return [invalid('authMethods', errorMessage('auth_method_needed'))]
  if (isPublic && authMethods.length > 1) {
    return [invalid('authMethods', errorMessage('auth_method_none_alone'))]
  }
  if (isPublic && kind === 'machine')
    return [invalid('authMethods', errorMessage('auth_method_machine'))]
  if (!isPublic && kind === 'spa') {
    return [invalid('authMethods', errorMessage('auth_method_spa'))]
  }
  return []
}

/** RFC 7591 §2: either the keys or their address, not both. */
function keyProblems({ authMethods, jwks, jwksUri }: Registration): Problem[] {
  if (jwks !== null && jwksUri !== null) {
    return [invalid('jwksUri', errorMessage('keys_either'))]
  }
  if (authMethods.includes('private_key_jwt') && jwks === null && jwksUri === null) {
    return [invalid('jwks', errorMessage('keys_needed'))]
  }
  return []
}

function flowProblems(registration: Registration): Problem[] {
  const { kind, authMethods, grantTypes, redirectUris, pkce } = registration
  const isPublic = authMethods.includes(PUBLIC)
  const problems: Problem[] = []
  if (isPublic && pkce !== 'required') {
    problems.push(invalid('pkce', errorMessage('pkce_needed')))
  }
  if (isPublic && grantTypes.includes('client_credentials')) {
    problems.push(invalid('grantTypes', errorMessage('client_credentials_public')))
  }
  if (isPublic && grantTypes.includes('urn:ietf:params:oauth:grant-type:token-exchange')) {
    problems.push(invalid('grantTypes', errorMessage('token_exchange_public')))
  }
  if (grantTypes.includes('authorization_code') && redirectUris.length === 0) {
    problems.push(invalid('redirectUris', errorMessage('redirect_uri_needed')))
  }
  if (kind === 'machine' && redirectUris.length > 0) {
    problems.push(invalid('redirectUris', errorMessage('redirect_uri_machine')))
  }
  return problems
}

function invalid(field: string, reason: ErrorMessage): Problem {
  return { pointer: `/${field}`, reason }
}
