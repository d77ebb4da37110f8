import { z } from 'zod'
import { type ErrorMessage, rule, sentenceOf } from '../../i18n/error-message'
import { errorMessageOf } from '../../i18n/zod-error-message'
import { ASSERTION_ALGORITHMS, AUTH_METHODS, TOKEN_ALGORITHMS } from '../../oidc/client'
import { OAuthError } from '../../oidc/errors'
import { publicKeysSchema } from '../applications/public-keys'
import { httpsSchema, maxAgeSchema, nameSchema } from '../http/schemas'

/**
 * Client metadata (RFC 7591 §2, OpenID Connect Registration 1.0 §2). Members that are not known are
 * ignored, as both require; members that would change what the client gets are refused if the
 * portal cannot do it. So the answer says of every known member what was registered.
 */

const MAX_URIS = 20
const MAX_STATEMENT_LENGTH = 16 * 1024

const uris = z.array(z.string().max(2_000)).max(MAX_URIS)
const shortText = z.string().max(255)
const notOffered = z.undefined(rule('not_offered')).optional()
const notTrue = z.literal(false, rule('not_offered')).optional()

/** What others define and the portal does not do. */
const NOT_OFFERED = {
  sector_identifier_uri: notOffered,
  default_acr_values: notOffered,
  id_token_encrypted_response_alg: notOffered,
  id_token_encrypted_response_enc: notOffered,
  userinfo_encrypted_response_alg: notOffered,
  userinfo_encrypted_response_enc: notOffered,
  request_object_signing_alg: notOffered,
  request_object_encryption_alg: notOffered,
  request_object_encryption_enc: notOffered,
  require_signed_request_object: notTrue,
  require_pushed_authorization_requests: notTrue,
  authorization_details_types: notOffered,
  authorization_signed_response_alg: notOffered,
  authorization_encrypted_response_alg: notOffered,
  authorization_encrypted_response_enc: notOffered,
  introspection_signed_response_alg: notOffered,
  introspection_encrypted_response_alg: notOffered,
  introspection_encrypted_response_enc: notOffered,
  dpop_bound_access_tokens: notTrue,
  tls_client_certificate_bound_access_tokens: notTrue,
  frontchannel_logout_uri: notOffered,
  frontchannel_logout_session_required: notTrue,
  backchannel_token_delivery_mode: notOffered,
}

const clientMetadata = z.object({
  redirect_uris: uris.default([]),
  token_endpoint_auth_method: z.enum(AUTH_METHODS).default('client_secret_basic'),
  token_endpoint_auth_signing_alg: z.enum(ASSERTION_ALGORITHMS).optional(),
  grant_types: z.array(shortText).min(1).max(10).default(['authorization_code']),
  response_types: z.array(z.literal('code')).max(1).default(['code']),
  application_type: z.enum(['web', 'native']).optional(),
  client_name: nameSchema.optional(),
  client_uri: httpsSchema.optional(),
  logo_uri: httpsSchema.optional(),
  policy_uri: httpsSchema.optional(),
  tos_uri: httpsSchema.optional(),
  scope: z.string().max(4_096).optional(),
  contacts: z.array(shortText).max(10).optional(),
  jwks: publicKeysSchema.optional(),
  jwks_uri: z.string().max(2_000).optional(),
  software_id: shortText.optional(),
  software_version: shortText.optional(),
  software_statement: z.string().max(MAX_STATEMENT_LENGTH).optional(),
  subject_type: z.literal('public').optional(),
  id_token_signed_response_alg: z.enum(TOKEN_ALGORITHMS).default('RS256'),
  post_logout_redirect_uris: uris.default([]),
  backchannel_logout_uri: z.string().max(2_000).optional(),
  /** Every logout token has a `sid`. */
  backchannel_logout_session_required: z.boolean().optional(),
  initiate_login_uri: httpsSchema.optional(),
  default_max_age: maxAgeSchema.optional(),
  require_auth_time: z.boolean().optional(),
  userinfo_signed_response_alg: z.enum(TOKEN_ALGORITHMS).optional(),
  /** None is registered: see `informationOf`. */
  request_uris: uris.optional(),
  ...NOT_OFFERED,
})

export type ClientMetadata = z.infer<typeof clientMetadata>

/** Members without a column of their own. They are repeated to the client and mean nothing here. */
export const KEPT = [
  'client_uri',
  'contacts',
  'software_id',
  'software_version',
  'backchannel_logout_session_required',
] as const

export function parseMetadata(sent: Record<string, unknown>): ClientMetadata {
  const parsed = clientMetadata.safeParse(sent, { reportInput: true })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (!issue) {
    const description = 'the metadata is not valid'
    throw new OAuthError('invalid_client_metadata', description, 'metadata_refused')
  }
  throw badMetadata(String(issue.path[0] ?? ''), errorMessageOf(issue))
}

/** RFC 7591 §3.2.2. The name of the member comes from the schema, never from the request. */
export function badMetadata(member: string, reason: ErrorMessage): OAuthError {
  const word = member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
  const description = describable(`${member}: ${sentenceOf(reason)}`)
  return new OAuthError(word, description, 'metadata_refused')
}

/** RFC 6749 §5.2: printable ASCII without quotes and backslashes. */
function describable(text: string): string {
  return text
    .replaceAll('’', "'")
    .replaceAll(/["“”\\]/g, "'")
    .replaceAll(/[^\x20-\x7E]/g, '?')
}
