import { json, NO_STORE, type Reply } from '../base/http'
import type { Op } from '../context/op'

/** Errors of the API as problem+json (RFC 9457). The code is stable, the words are for people. */

export const PROBLEMS = {
  malformed: [400, 'The request cannot be read'],
  invalid: [400, 'The request is not valid'],
  unauthenticated: [401, 'An access token is needed'],
  invalid_token: [401, 'The access token is not valid'],
  forbidden: [403, 'The caller may not do this'],
  second_factor_needed: [403, 'This sign-in needs a second factor'],
  confirmation_needed: [403, 'Confirm that it is you first'],
  not_found: [404, 'There is no such thing here'],
  method_not_allowed: [405, 'This method is not allowed here'],
  conflict: [409, 'It does not fit what is there'],
  in_flight: [409, 'The same request is being answered right now'],
  stale: [412, 'It was changed by somebody else meanwhile'],
  too_large: [413, 'The request is too large'],
  unsupported_media_type: [415, 'Send application/json'],
  key_reused: [422, 'The Idempotency-Key was used for another request'],
  version_needed: [428, 'Send If-Match with the version that you have seen'],
  slow_down: [429, 'Too many requests'],
  fault: [500, 'Something went wrong on our side'],
  unavailable: [503, 'The portal cannot answer right now'],
} as const satisfies Record<string, readonly [number, string]>

export type ProblemCode = keyof typeof PROBLEMS
export type FieldProblem = { pointer: string; code: string; detail: string }

type Options = {
  errors?: readonly FieldProblem[]
  headers?: Record<string, string>
  /** Further members: what is there now, for a stale write. */
  members?: Record<string, unknown>
  cause?: unknown
}

const BRAND = Symbol.for('gatehouse.Problem')

export class Problem extends Error {
  // Both hosts carry a copy of this class, so a brand stands in for `instanceof`.
  readonly [BRAND] = true
  readonly code: ProblemCode
  readonly options: Options

  constructor(code: ProblemCode, detail: string, options: Options = {}) {
    super(detail, { cause: options.cause })
    this.code = code
    this.options = options
  }
}

export function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && BRAND in error
}

export function notFound(): Problem {
  return new Problem('not_found', 'it does not exist, or the caller may not see it')
}

export function invalidField(pointer: string, detail: string, code = 'invalid'): Problem {
  return new Problem('invalid', detail, { errors: [{ pointer, code, detail }] })
}

/** What a caller is told of a fault of ours. */
export function faultOf(op: Pick<Op, 'isUnavailable'>, cause: unknown): Problem {
  if (!op.isUnavailable(cause))
    return new Problem('fault', 'try again; the request id helps us find it')
  return new Problem('unavailable', 'try again', { headers: { 'Retry-After': '5' } })
}

/** The members of a problem document (RFC 9457), `status` among them. */
export type ProblemDocument = ReturnType<typeof problemDocument>

export function problemDocument(problem: Problem, requestId: string) {
  const [status, title] = PROBLEMS[problem.code]
  const { errors, members } = problem.options
  return {
    type: 'about:blank',
    title,
    status,
    code: problem.code,
    detail: problem.message,
    requestId,
    ...(errors && errors.length > 0 && { errors }),
    ...members,
  }
}

export function problemReply(problem: Problem, requestId: string): Reply {
  const body = problemDocument(problem, requestId)
  const reply = json(body.status, body, { ...NO_STORE, ...problem.options.headers })
  return {
    ...reply,
    headers: { ...reply.headers, 'Content-Type': 'application/problem+json' },
    note: problem.message,
  }
}
