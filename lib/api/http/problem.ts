import { z } from 'zod'
import { json, NO_STORE, type Reply } from '../../base/http'
import type { Op } from '../../context/op'
import { DOCS } from '../../docs/list'
import { type ErrorMessage, type ErrorMessageCode, sentenceOf } from '../../i18n/error-message'

/** Errors of the API as problem+json (RFC 9457). The code is stable; the texts are for people. */

export const PROBLEMS = {
  malformed: [400, 'The request cannot be read'],
  invalid: [400, 'The request is not valid'],
  unauthenticated: [401, 'An access token is required'],
  invalid_token: [401, 'The access token is not valid'],
  forbidden: [403, 'The caller is not allowed to do this'],
  second_factor_needed: [403, 'This sign-in needs a second factor'],
  confirmation_needed: [403, 'Confirm your identity first'],
  not_found: [404, 'Not found'],
  unknown_user: [404, 'The user does not exist'],
  method_not_allowed: [405, 'The method is not allowed for this path'],
  conflict: [409, 'The request conflicts with the current state'],
  in_flight: [409, 'The same request is still being processed'],
  stale: [412, 'Somebody else has changed the object'],
  too_large: [413, 'The request is too large'],
  uri_too_long: [414, 'The URL is too long'],
  unsupported_media_type: [415, 'The content type is not supported'],
  key_reused: [422, 'The Idempotency-Key was used for another request'],
  version_needed: [428, 'If-Match is required'],
  slow_down: [429, 'Too many requests'],
  headers_too_large: [431, 'The headers of the request are too large'],
  fault: [500, 'Internal error'],
  unavailable: [503, 'The portal is temporarily unavailable'],
} as const satisfies Record<string, readonly [number, string]>

export type ProblemCode = keyof typeof PROBLEMS

/** The code is stable, and its values are in the sentence: `too_short` with `minimum`. */
export const fieldProblemSchema = z.object({
  pointer: z.string(),
  // There are too many codes to list, and more will come: documents call it a text.
  code: z.string() as unknown as z.ZodType<ErrorMessageCode>,
  detail: z.string(),
  values: z
    .record(z.string(), z.string())
    .optional()
    .describe('What the detail names, such as `minimum`'),
})
export type FieldProblem = Readonly<{
  pointer: string
  code: ErrorMessageCode
  detail: string
  values?: Readonly<Record<string, string>> | undefined
}>

/** Refusals whose reason is shown on pages too, so each reason is a sentence in every language. */
type Explained = 'invalid' | 'forbidden' | 'not_found' | 'unknown_user' | 'conflict'
type Detail<Code extends ProblemCode> = Code extends Explained ? ErrorMessage : string

type Options = {
  errors?: readonly FieldProblem[]
  headers?: Record<string, string>
  /** Further members, such as the current object after a stale write. */
  members?: Record<string, unknown>
  cause?: unknown
}

const BRAND = Symbol.for('gatehouse.Problem')

export class Problem<Code extends ProblemCode = ProblemCode> extends Error {
  // Both hosts carry a copy of this class, so a brand replaces `instanceof`.
  readonly [BRAND] = true
  readonly code: ProblemCode
  readonly options: Options
  readonly reason: ErrorMessage | null

  constructor(code: Code, detail: Detail<Code>, options: Options = {}) {
    super(typeof detail === 'string' ? detail : sentenceOf(detail), { cause: options.cause })
    this.code = code
    this.options = options
    this.reason = typeof detail === 'string' ? null : detail
  }
}

export function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && BRAND in error
}

/** `no_user` and so on: the sentence names what was looked for. */
type NotThere = Extract<ErrorMessageCode, `no_${string}`>

/** Also for what the caller may not see. */
export function notFound(code: NotThere, id: string): Problem {
  return new Problem('not_found', { code, values: { id } })
}

/** What was looked for; if it is not there, that is the answer. */
export function requireFound<T>(found: T | null | undefined, code: NotThere, id: string): T {
  if (found === null || found === undefined) throw notFound(code, id)
  return found
}

export function fieldProblem(pointer: string, { code, values }: ErrorMessage): FieldProblem {
  const detail = sentenceOf({ code, values })
  return Object.keys(values).length === 0
    ? { pointer, code, detail }
    : { pointer, code, detail, values }
}

export function invalidField(pointer: string, reason: ErrorMessage): Problem {
  return new Problem('invalid', reason, { errors: [fieldProblem(pointer, reason)] })
}

/** All that is wrong with a request; the first of them speaks for it. */
export function requireNone(errors: readonly FieldProblem[]): void {
  const [first] = errors
  if (!first) return
  const { code, values = {} } = first
  throw new Problem('invalid', { code, values }, { errors })
}

/** The problem that a caller gets for an error inside the portal. */
export function faultOf(op: Pick<Op, 'isUnavailable'>, cause: unknown): Problem {
  if (!op.isUnavailable(cause))
    return new Problem('fault', 'try again; if it happens again, tell the operator the request ID')
  return new Problem('unavailable', 'try again in a few seconds', {
    headers: { 'Retry-After': '5' },
  })
}

/** Where a code is explained: a heading of docs/errors.md. */
export function problemType(origin: string, code: ProblemCode): string {
  return `${origin}${DOCS}/errors#${code}`
}

/** Where the request came in: the portal's address and the ID of the request. */
type RequestOrigin = { origin: string; requestId: string }

/** The members of a problem document (RFC 9457), including `status`. */
export function problemDocument(problem: Problem, { origin, requestId }: RequestOrigin) {
  const [status, title] = PROBLEMS[problem.code]
  const { errors, members } = problem.options
  return {
    type: problemType(origin, problem.code),
    title,
    status,
    code: problem.code,
    detail: problem.message,
    requestId,
    ...(errors && errors.length > 0 && { errors }),
    ...members,
  }
}

export function problemReply(problem: Problem, asked: RequestOrigin): Reply {
  const body = problemDocument(problem, asked)
  const reply = json(body.status, body, { ...NO_STORE, ...problem.options.headers })
  return {
    ...reply,
    headers: { ...reply.headers, 'Content-Type': 'application/problem+json' },
    note: problem.message,
  }
}
