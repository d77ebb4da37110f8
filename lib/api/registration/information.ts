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
] as const

export function keptOf(sent: ClientMetadata): Record<string, unknown> {
  const kept = [...KEPT, ...SAID] as const
  return Object.fromEntries(kept.flatMap((name) => (name in sent ? [[name, sent[name]]] : [])))
}

export function informationOf(
  op: Op,
  application: ApplicationRecord,
  kept: Record<string, unknown>,
  registrationToken: string,
): Record<string, unknown> {
  return {
    ...kept,
    client_id: application.id,
    client_id_issued_at: Math.floor(application.createdAt.getTime() / 1000),
    registration_access_token: registrationToken,
    registration_client_uri: `${op.origin}${paths.registration}/${application.id}`,
    ...metadataOf(application),
  }
}

function metadataOf(application: ApplicationRecord): Record<string, unknown> {
  const { logoUri, policyUri, tosUri, jwks, jwksUri, backchannelLogoutUri } = application
  const optional = {
    logo_uri: logoUri,
    policy_uri: policyUri,
    tos_uri: tosUri,
    jwks,
    jwks_uri: jwksUri,
    backchannel_logout_uri: backchannelLogoutUri,
  }
  return {
    application_type: application.kind === 'native' ? 'native' : 'web',
    client_name: application.name,
    redirect_uris: application.redirectUris,
    post_logout_redirect_uris: application.postLogoutRedirectUris,
    grant_types: application.grantTypes,
    response_types: application.grantTypes.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: application.authMethods[0] ?? 'none',
    id_token_signed_response_alg: application.idTokenAlg,
    subject_type: 'public',
    scope: (application.scopeLimit ?? []).join(' '),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
  }
}
