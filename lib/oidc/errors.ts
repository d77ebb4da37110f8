import { json, NO_STORE, type Reply } from '../base/http'
import type { Application } from './client'
import type { DecisionBasis } from './provider'
import type { Refusal } from './refusal'

/** One table: each error code has its status. Descriptions are constants, never echoed input. */

export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  access_denied: 400,
  login_required: 400,
  consent_required: 400,
  account_selection_required: 400,
  unsupported_response_type: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  registration_not_supported: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_software_statement: 400,
  unapproved_software_statement: 400,
  unmet_authentication_requirements: 400,
  authorization_pending: 400,
  expired_token: 400,
  polled_too_fast: 400,
  request_too_large: 413,
  uri_too_long: 414,
  method_not_allowed: 405,
  slow_down: 429,
  server_error: 500,
  temporarily_unavailable: 503,
} as const

export type ErrorWord = keyof typeof ERROR_STATUS

/** What codes of the portal are on the wire; RFC 6749 §5.2 has no finer one than invalid_request. */
const WIRE_WORD: Partial<Record<ErrorWord, ErrorWord>> = {
  request_too_large: 'invalid_request',
  uri_too_long: 'invalid_request',
  method_not_allowed: 'invalid_request',
  polled_too_fast: 'slow_down', // RFC 8628 §3.5: as 400, unlike the limit of all requests
}

const RETRY_AFTER_SECONDS = 5
const BRAND = Symbol.for('gatehouse.OAuthError')

type ErrorOptions = {
  cause?: unknown
  members?: Record<string, unknown>
  allow?: string
  retryAfter?: number
  /** About an access token: the answer says how to send one (RFC 6750 §3). */
  bearer?: true
  /** For the log and for admins; the client does not see it. */
  refusal?: Refusal | undefined
  /** The decision that refused it, as the audit log calls it. */
  decisionId?: string
  /** What it was decided on, for its audit entry. */
  basis?: DecisionBasis
  /** Which application asked, for the error page; never a part of an answer. */
  application?: Application
  /** Where the user may go on to, for the error page: an address that the application registered. */
  onward?: string | null
}

export class OAuthError extends Error {
  // Both hosts carry a copy of this class, so a brand replaces `instanceof`.
  readonly [BRAND] = true
  readonly word: ErrorWord
  readonly members: Record<string, unknown>
  readonly allow: string | undefined
  readonly retryAfter: number | undefined
  readonly bearer: boolean
  readonly refusal: Refusal | undefined
  readonly decisionId: string | undefined
  readonly basis: DecisionBasis | undefined
  readonly application: Application | undefined
  readonly onward: string | null

  constructor(word: ErrorWord, description: string, options: ErrorOptions = {}) {
    super(description, { cause: options.cause })
    this.word = word
    this.members = options.members ?? {}
    this.allow = options.allow
    this.retryAfter = options.retryAfter
    this.bearer = options.bearer ?? false
    this.refusal = options.refusal
    this.decisionId = options.decisionId
    this.basis = options.basis
    this.application = options.application
    this.onward = options.onward ?? null
  }
}

export function isOAuthError(error: unknown): error is OAuthError {
  return typeof error === 'object' && error !== null && BRAND in error
}

export function errorJson(issuer: string, error: OAuthError): Reply {
  const body = {
    error: WIRE_WORD[error.word] ?? error.word,
    error_description: error.message,
    ...error.members,
  }
  const headers = { ...NO_STORE, ...errorHeaders(issuer, error) }
  return { ...json(ERROR_STATUS[error.word], body, headers), note: noteOf(error) }
}

/** For the log of requests. */
export function noteOf({ message, refusal }: OAuthError): string {
  return refusal ? `${message} (${refusal.reason})` : message
}

/** What the authorization endpoint sends to a trusted redirect URI (RFC 6749 §4.1.2.1). */
export function errorParameters(error: OAuthError): Record<string, string> {
  return { error: WIRE_WORD[error.word] ?? error.word, error_description: error.message }
}

/** An internal error as an error of the protocol. */
export function ourFault(op: { isUnavailable(cause: unknown): boolean }, cause: unknown) {
  const word = op.isUnavailable(cause) ? 'temporarily_unavailable' : 'server_error'
  return new OAuthError(word, 'internal error; try again', { cause })
}

/** Headers that HTTP requires for some errors. */
export function errorHeaders(
  issuer: string,
  { word, allow, retryAfter, bearer }: OAuthError,
): Record<string, string> {
  switch (word) {
    case 'invalid_client': // RFC 6749 §5.2, RFC 7617 §2.1
      return { 'WWW-Authenticate': `Basic realm="${issuer}", charset="UTF-8"` }
    case 'invalid_token':
    case 'insufficient_scope':
      return bearerChallenge(issuer, word)
    case 'method_not_allowed':
      return { Allow: allow ?? '' }
    case 'slow_down': // code: RFC 8628 §3.5, status: RFC 6585 §4
    case 'temporarily_unavailable':
      return { 'Retry-After': String(retryAfter ?? RETRY_AFTER_SECONDS) }
    case 'request_too_large':
      return { Connection: 'close' }
    default:
      return bearer ? bearerChallenge(issuer, word) : {}
  }
}

function bearerChallenge(issuer: string, word: ErrorWord): Record<string, string> {
  return { 'WWW-Authenticate': `Bearer realm="${issuer}", error="${word}"` }
}
