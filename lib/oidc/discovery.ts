import type { JWK } from 'jose'
import { ACR_VALUES } from '../access/acr'
import { OPENID_SCOPES } from '../access/decide-scopes'
import { type Incoming, json, type Reply } from '../base/http'
import { onceFor } from '../base/once-for'
import { SIGNING_ALGORITHMS } from '../crypto/keys'
import { locales } from '../i18n/locales'
import { PROMPTS } from './authorization-request'
import { CLAIMS_SUPPORTED } from './claims'
import { ASSERTION_ALGORITHMS } from './client'
import { clientAuthMethods } from './client-auth'
import { grants } from './grants'
import { paths } from './paths'
import { CHALLENGE_METHODS } from './pkce'
import type { Offers, Provider } from './provider'
import { RESPONSE_MODES } from './target'

const DISCOVERY_CACHED = Object.freeze({ 'Cache-Control': 'public, max-age=3600' })
const JWKS_CACHED = Object.freeze({ 'Cache-Control': 'public, max-age=300' })

/** OpenID Connect Discovery 1.0 §3 and RFC 8414 §2, from the same tables that dispatch requests. */
export async function discovery(op: Provider, _incoming: Incoming): Promise<Reply> {
  const offers = await op.offers()
  const replies = repliesOf(op)
  const key = JSON.stringify(offers)
  const reply = replies.get(key) ?? json(200, metadata(op, offers), DISCOVERY_CACHED)
  replies.set(key, reply)
  return reply
}

/** One for each combination of what is offered. */
const repliesOf = onceFor((_op: Provider) => new Map<string, Reply>())

function metadata(op: Provider, offers: Offers): Record<string, unknown> {
  return {
    issuer: op.issuer,
    authorization_endpoint: op.origin + paths.authorize,
    token_endpoint: op.origin + paths.token,
    device_authorization_endpoint: op.origin + paths.deviceAuthorization,
    userinfo_endpoint: op.origin + paths.userinfo,
    introspection_endpoint: op.origin + paths.introspection,
    revocation_endpoint: op.origin + paths.revocation,
    ...(offers.registration && { registration_endpoint: op.origin + paths.registration }),
    ...(offers.documents && { client_id_metadata_document_supported: true }),
    end_session_endpoint: op.origin + paths.endSession,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    jwks_uri: op.origin + paths.jwks,
    grant_types_supported: Object.keys(grants),
    token_endpoint_auth_methods_supported: Object.keys(clientAuthMethods),
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    scopes_supported: [...OPENID_SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: RESPONSE_MODES,
    prompt_values_supported: PROMPTS,
    code_challenge_methods_supported: CHALLENGE_METHODS,
    authorization_response_iss_parameter_supported: true,
    claims_supported: CLAIMS_SUPPORTED,
    acr_values_supported: [...ACR_VALUES],
    ui_locales_supported: locales,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...SIGNING_ALGORITHMS].reverse(),
    userinfo_signing_alg_values_supported: [...SIGNING_ALGORITHMS].reverse(),
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}

/** RFC 7517 §5: the public part of every key that a valid token may be signed with. */
export async function jwks(op: Provider, _incoming: Incoming): Promise<Reply> {
  return jwksReply(await op.publishedKeys())
}

const jwksReply = onceFor((keys: JWK[]) => json(200, { keys }, JWKS_CACHED))
