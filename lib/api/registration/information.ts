import type { Op } from '../../context/op'
import { paths } from '../../oidc/paths'
import type { ApplicationRecord } from '../../store/applications/applications'
import { type ClientMetadata, KEPT } from './metadata'

/** The client information response (RFC 7591 §3.2.1): everything that was registered. */

/** What else is stored of the metadata: to be repeated, and to see what admins changed since. */
const SAID = [
  'application_type',
  'software_statement',
  'token_endpoint_auth_method',
  'redirect_uris',
  'post_logout_redirect_uris',
  'grant_types',
  'initiate_login_uri',
  'default_max_age',
  'token_endpoint_auth_signing_alg',
  'userinfo_signed_response_alg',
] as const

export function keptOf(sent: ClientMetadata): Record<string, unknown> {
  const kept = [...KEPT, ...SAID] as const
  const said = Object.fromEntries(
    kept.flatMap((name) => (name in sent ? [[name, sent[name]]] : [])),
  )
  // A client that hoped to use them learns that none is registered (RFC 7591 §3.2.1).
  return sent.request_uris === undefined ? said : { ...said, request_uris: [] }
}

export function informationOf(
  op: Op,
  application: ApplicationRecord,
  kept: Record<string, unknown>,
  registrationToken: string,
): Record<string, unknown> {
  return {
    ...Object.fromEntries(Object.entries(kept).filter(([name]) => !isRead(name))),
    client_id: application.id,
    client_id_issued_at: Math.floor(application.createdAt.getTime() / 1000),
    registration_access_token: registrationToken,
    registration_client_uri: `${op.origin}${paths.registration}/${application.id}`,
    ...metadataOf(application),
  }
}

/** It counts what is stored in the application, also if nothing is: an admin may have removed it. */
function isRead(name: string): boolean {
  return SAID.some((said) => said === name) && name !== 'software_statement'
}

function optionalOf(application: ApplicationRecord): Record<string, unknown> {
  return {
    logo_uri: application.logoUri,
    policy_uri: application.policyUri,
    tos_uri: application.tosUri,
    jwks: application.jwks,
    jwks_uri: application.jwksUri,
    backchannel_logout_uri: application.backchannelLogoutUri,
    initiate_login_uri: application.initiateLoginUri,
    default_max_age: application.defaultMaxAge,
    token_endpoint_auth_signing_alg: application.assertionAlg,
    userinfo_signed_response_alg: application.userinfoAlg,
  }
}

function metadataOf(application: ApplicationRecord): Record<string, unknown> {
  const optional = optionalOf(application)
  return {
    application_type: application.kind === 'native' ? 'native' : 'web',
    client_name: application.name,
    redirect_uris: application.redirectUris,
    post_logout_redirect_uris: application.postLogoutRedirectUris,
    grant_types: application.grantTypes,
    response_types: application.grantTypes.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: application.authMethods[0] ?? 'none',
    id_token_signed_response_alg: application.idTokenAlg,
    require_auth_time: application.requireAuthTime,
    subject_type: 'public',
    scope: (application.scopeLimit ?? []).join(' '),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
  }
}
