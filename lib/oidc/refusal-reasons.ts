import type { EventName } from '../base/events'
import type { ErrorWord } from './error-words'

/**
 * Why the protocol refuses a request, with the error codes that a reason comes with. A reason stands
 * in the log of requests, in the metrics and in the audit log, for those who run the portal and who
 * manage the application. The client itself learns no more than the error code (attack D16).
 */

export const REFUSAL_REASONS = {
  // ---------------------------------------------------------------- any request
  http_method: ['method_not_allowed'],
  url_too_long: ['uri_too_long'],
  body_too_large: ['request_too_large'],
  body_type: ['invalid_request'],
  form_malformed: ['invalid_request'],
  secret_in_url: ['invalid_request'],
  parameter_repeated: ['invalid_request'],
  parameter_too_long: ['invalid_request'],
  too_many_parameters: ['invalid_request'],
  rate_limited: ['slow_down'],
  internal_error: ['server_error'],
  database_unavailable: ['temporarily_unavailable'],

  // ---------------------------------------------------------------- who is calling?
  client_unknown: ['invalid_client', 'invalid_request', 'unauthorized_client', 'invalid_grant'],
  application_disabled: [
    'invalid_client',
    'invalid_request',
    'unauthorized_client',
    'invalid_grant',
  ],
  access_key_unusable: [
    'invalid_client',
    'invalid_request',
    'unauthorized_client',
    'invalid_grant',
  ],
  credentials_missing: ['invalid_client'],
  credentials_malformed: ['invalid_client'],
  client_id_differs: ['invalid_client', 'invalid_request'],
  several_methods: ['invalid_request'],
  method_not_allowed: ['invalid_client'],
  too_many_guesses: ['slow_down'],
  wrong_secret: ['invalid_client'],
  secret_expired: ['invalid_client'],
  assertion_type: ['invalid_client'],
  assertion_malformed: ['invalid_client'],
  assertion_keys_missing: ['invalid_client'],
  assertion_keys_unreachable: ['invalid_client'],
  assertion_key_unknown: ['invalid_client'],
  assertion_algorithm: ['invalid_client'],
  assertion_signature: ['invalid_client'],
  assertion_issuer: ['invalid_client'],
  assertion_audience: ['invalid_client'],
  assertion_expired: ['invalid_client'],
  assertion_life: ['invalid_client'],
  assertion_early: ['invalid_client'],
  assertion_id: ['invalid_client'],
  assertion_replayed: ['invalid_client'],
  confidential_only: ['invalid_client', 'unauthorized_client'],

  // ---------------------------------------------------------------- what is asked for
  grant_type_missing: ['invalid_request'],
  grant_type_unknown: ['unsupported_grant_type'],
  grant_type_not_allowed: ['unauthorized_client'],
  scope_missing: ['invalid_scope'],
  scope_malformed: ['invalid_scope'],
  scope_not_authorized: ['invalid_scope'],
  scopes_refused: ['invalid_scope', 'invalid_grant'],
  resource_unknown: ['invalid_target'],
  resource_ambiguous: ['invalid_target'],
  resource_not_authorized: ['invalid_target'],
  token_too_long: ['invalid_scope'],
  token_missing: ['invalid_request'],

  // ---------------------------------------------------------------- authorization requests
  redirect_uri_missing: ['invalid_request'],
  redirect_uri: ['invalid_request'],
  response_mode: ['invalid_request'],
  response_type_missing: ['invalid_request'],
  response_type: ['unsupported_response_type'],
  request_object: ['request_not_supported'],
  request_uri: ['request_uri_not_supported'],
  registration_parameter: ['registration_not_supported'],
  prompt: ['invalid_request'],
  max_age: ['invalid_request'],
  claims_parameter: ['invalid_request'],
  id_token_hint: ['invalid_request'],
  hints_differ: ['invalid_request'],
  pkce_missing: ['invalid_request'],
  pkce_learned: ['invalid_request'],
  pkce_portal: ['invalid_request'],
  code_challenge: ['invalid_request'],
  interaction_ended: ['invalid_request'],
  login_needed: ['login_required'],
  account_choice_needed: ['account_selection_required'],
  consent_needed: ['consent_required'],
  stronger_sign_in_needed: ['unmet_authentication_requirements'],
  user_declined: ['access_denied'],
  user_not_admitted: ['access_denied', 'invalid_grant'],

  // ---------------------------------------------------------------- codes
  code_missing: ['invalid_request'],
  code_unknown: ['invalid_grant'],
  code_other_client: ['invalid_grant'],
  code_redirect_uri: ['invalid_grant'],
  code_verifier: ['invalid_grant'],
  code_without_pkce: ['invalid_grant'],
  code_expired: ['invalid_grant'],
  code_used: ['invalid_grant'],
  code_blocked: ['invalid_grant'],
  device_code_missing: ['invalid_request'],
  device_code_unknown: ['invalid_grant'],
  device_code_other_client: ['invalid_grant'],
  device_code_used: ['invalid_grant'],
  device_code_expired: ['expired_token', 'invalid_grant'],
  device_declined: ['access_denied'],
  device_pending: ['authorization_pending'],
  device_too_fast: ['polled_too_fast'],

  // ---------------------------------------------------------------- refresh tokens and sign-ins
  refresh_missing: ['invalid_request'],
  refresh_unknown: ['invalid_grant'],
  refresh_other_client: ['invalid_grant'],
  refresh_expired: ['invalid_grant'],
  refresh_replayed: ['invalid_grant'],
  sign_in_revoked: ['invalid_grant'],
  sign_in_expired: ['invalid_grant'],
  session_ended: ['invalid_grant'],
  user_disabled: ['invalid_grant', 'invalid_token'],
  consent_gone: ['invalid_grant'],
  paused: ['invalid_grant', 'access_denied'],

  // ---------------------------------------------------------------- token exchange
  requested_token_type: ['invalid_request'],
  subject_token_missing: ['invalid_request'],
  subject_token_type: ['invalid_request'],
  actor_token_type: ['invalid_request'],
  subject_token: ['invalid_request'],
  subject_audience: ['invalid_request'],
  actor_token: ['invalid_request'],
  exchange_cycle: ['invalid_request'],
  exchange_depth: ['invalid_request'],

  // ---------------------------------------------------------------- access tokens
  access_token_missing: ['invalid_token'],
  access_token_in_url: ['invalid_request'],
  access_token_repeated: ['invalid_request'],
  access_token_malformed: ['invalid_token'],
  access_token_invalid: ['invalid_token'],
  access_token_expired: ['invalid_token'],
  access_token_ended: ['invalid_token'],
  openid_missing: ['insufficient_scope'],

  // ---------------------------------------------------------------- browsers
  /** No error: the answer is good, and the browser hides it from the page that asked (CORS). */
  origin_refused: [],

  // ---------------------------------------------------------------- signing out
  logout_client_missing: ['invalid_request'],
  logout_redirect_uri: ['invalid_request'],

  // ---------------------------------------------------------------- registration of clients
  registration_off: ['registration_not_supported'],
  registration_full: ['temporarily_unavailable'],
  registration_conflict: ['temporarily_unavailable'],
  registration_token: ['invalid_token'],
  initial_token: ['invalid_token'],
  metadata_malformed: ['invalid_client_metadata'],
  metadata_refused: ['invalid_client_metadata', 'invalid_redirect_uri'],
  statement_missing: ['invalid_software_statement'],
  statement_invalid: ['invalid_software_statement'],
  statement_keys: ['invalid_software_statement'],
  statement_issuer: ['unapproved_software_statement'],
  documents_off: ['invalid_request'],
  document_address: ['invalid_request'],
  document_host: ['invalid_request'],
  document_unreadable: ['invalid_request'],
  document_status: ['invalid_request'],
  document_type: ['invalid_request'],
  document_size: ['invalid_request'],
  document_certificate: ['invalid_request'],
  document_away: ['invalid_request'],
  document_mismatch: ['invalid_request'],
  document_redirect_uri: ['invalid_request'],
  document_deleted: ['invalid_request'],
} as const satisfies Readonly<Record<string, readonly ErrorWord[]>>

export type RefusalReason = keyof typeof REFUSAL_REASONS

/** The reasons that come with an error code. */
export type ReasonOf<Word extends ErrorWord> = {
  [R in ThrownReason]: Word extends (typeof REFUSAL_REASONS)[R][number] ? R : never
}[ThrownReason]

/** All but those that come with no error. */
type ThrownReason = Exclude<RefusalReason, 'origin_refused'>

/** What helps to mend it; only what the sender may have written, and nothing secret. */
export type RefusalFacts = Readonly<Record<string, unknown>>
export type Refusal<Word extends ErrorWord = ErrorWord> = {
  reason: ReasonOf<Word>
  facts?: RefusalFacts
}

/** A reason that only entries of earlier versions have; they keep their words. */
export type FormerReason = 'request_refused'

/**
 * Nobody made a mistake: the answer belongs to the flow, or the token has simply ended. Such answers
 * are frequent. They are in the log of requests and in the metrics, not in the audit log.
 */
export const ROUTINE_REASONS: ReadonlySet<RefusalReason> = new Set<RefusalReason>([
  'login_needed',
  'account_choice_needed',
  'consent_needed',
  'user_declined',
  'device_pending',
  'device_too_fast',
  'access_token_expired',
])

/** The events of the audit log that say why an application was refused. */
export const REFUSAL_EVENTS = [
  'client.refused',
  'authorize.foreign_redirect',
  'authorize.refused',
  'token.refused',
  'token.origin_refused',
  'userinfo.refused',
  'logout.refused',
  'registration.refused',
] as const satisfies readonly EventName[]
