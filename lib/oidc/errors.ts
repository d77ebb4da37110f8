import { json, NO_STORE, type Reply } from '../base/http'
import type { DecisionBasis } from './audit-event'
import type { Application } from './client'
import { ERROR_STATUS, type ErrorWord } from './error-words'
import type { ReasonOf, Refusal, RefusalFacts } from './refusal-reasons'

/** The errors of the protocol. Descriptions are constants, never echoed input. */

/** What codes of the portal are on the wire; RFC 6749 §5.2 has no finer one than invalid_request. */
const WIRE_WORD: Partial<Record<ErrorWord, ErrorWord>> = {
  request_too_large: 'invalid_request',
  uri_too_long: 'invalid_request',
  method_not_allowed: 'invalid_request',
  polled_too_fast: 'slow_down', // RFC 8628 §3.5: as 400, unlike the limit of all requests
}

const RETRY_AFTER_SECONDS = 5
const BRAND = Symbol.for('gatehouse.OAuthError')

export type ErrorOptions = {
  cause?: unknown
  members?: Record<string, unknown>
  allow?: string
  retryAfter?: number
  /** About an access token: the answer says how to send one (RFC 6750 §3). */
  bearer?: true
  /** What helps to mend it, for the audit log; the client does not see it. */
  facts?: RefusalFacts | undefined
  /** The decision that refused it, as the audit log calls it. */
  decisionId?: string
  /** What it was decided on, for its audit entry. */
  basis?: DecisionBasis
  /** Which application asked, for the error page; never a part of an answer. */
  application?: Application
  /** Where the user may go on to, for the error page: an address that the application registered. */
  onward?: string | null
}

/** A refusal without a reason, or with one that its code does not come with, does not compile. */
export class OAuthError<Word extends ErrorWord = ErrorWord> extends Error {
  // Both hosts carry a copy of this class, so a brand replaces `instanceof`.
  readonly [BRAND] = true
  readonly word: Word
  readonly members: Record<string, unknown>
  readonly allow: string | undefined
  readonly retryAfter: number | undefined
  readonly bearer: boolean
  /** For the log, the metrics and admins; the client does not see it. */
  readonly refusal: Refusal
  readonly decisionId: string | undefined
  readonly basis: DecisionBasis | undefined
  readonly application: Application | undefined
  readonly onward: string | null

  constructor(word: Word, description: string, reason: ReasonOf<Word>, options: ErrorOptions = {}) {
    super(description, { cause: options.cause })
    this.word = word
    this.members = options.members ?? {}
    this.allow = options.allow
    this.retryAfter = options.retryAfter
    this.bearer = options.bearer ?? false
    this.refusal = options.facts ? { reason, facts: options.facts } : { reason }
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
  return { ...json(ERROR_STATUS[error.word], body, headers), ...traceOf(error) }
}

/** What the log line and the metrics say of it; no part of the answer. */
export function traceOf({ word, message, refusal }: OAuthError) {
  return { note: message, refusal: { error: word, reason: refusal.reason } }
}

/** What the authorization endpoint sends to a trusted redirect URI (RFC 6749 §4.1.2.1). */
export function errorParameters(error: OAuthError): Record<string, string> {
  return { error: WIRE_WORD[error.word] ?? error.word, error_description: error.message }
}

/** An internal error as an error of the protocol. */
export function ourFault(op: { isUnavailable(cause: unknown): boolean }, cause: unknown) {
  const description = 'internal error; try again'
  return op.isUnavailable(cause)
    ? new OAuthError('temporarily_unavailable', description, 'database_unavailable', { cause })
    : new OAuthError('server_error', description, 'internal_error', { cause })
}

/**
 * The same refusal under another code. The client does not learn which reason it was; of what helps,
 * it keeps `next_action`. The log and the audit log have the reason.
 */
export function hiddenBehind(word: ErrorWord, description: string, cause: OAuthError): OAuthError {
  const { reason, facts } = cause.refusal
  const { next_action } = cause.members
  const members = next_action === undefined ? {} : { next_action }
  return new OAuthError(word, description, reason, { cause, facts, members })
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
