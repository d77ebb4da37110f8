import { json, NO_STORE, type Reply } from '../http'

/** One table: the protocol word knows its status. Descriptions are constants, never echoed input. */

export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  request_too_large: 413,
  uri_too_long: 414,
  method_not_allowed: 405,
  server_error: 500,
  temporarily_unavailable: 503,
} as const

export type ErrorWord = keyof typeof ERROR_STATUS

/** Words that are ours say invalid_request on the wire (RFC 6749 §5.2 has no finer one). */
const WIRE_WORD: Partial<Record<ErrorWord, ErrorWord>> = {
  request_too_large: 'invalid_request',
  uri_too_long: 'invalid_request',
  method_not_allowed: 'invalid_request',
}

const RETRY_AFTER_SECONDS = '5'
const BRAND = Symbol.for('gatehouse.OAuthError')

type ErrorOptions = { cause?: unknown; members?: Record<string, unknown>; allow?: string }

export class OAuthError extends Error {
  // Both hosts carry a copy of this class, so a brand stands in for `instanceof`.
  readonly [BRAND] = true
  readonly word: ErrorWord
  readonly members: Record<string, unknown>
  readonly allow: string | undefined

  constructor(word: ErrorWord, description: string, options: ErrorOptions = {}) {
    super(description, { cause: options.cause })
    this.word = word
    this.members = options.members ?? {}
    this.allow = options.allow
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
  const headers = { ...NO_STORE, ...extraHeaders(issuer, error) }
  return { ...json(ERROR_STATUS[error.word], body, headers), note: error.message }
}

function extraHeaders(issuer: string, { word, allow }: OAuthError): Record<string, string> {
  switch (word) {
    case 'invalid_client': // RFC 6749 §5.2, RFC 7617 §2.1
      return { 'WWW-Authenticate': `Basic realm="${issuer}", charset="UTF-8"` }
    case 'method_not_allowed':
      return { Allow: allow ?? '' }
    case 'temporarily_unavailable':
      return { 'Retry-After': RETRY_AFTER_SECONDS }
    case 'request_too_large':
      return { Connection: 'close' }
    default:
      return {}
  }
}
