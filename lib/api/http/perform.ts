import type { z } from 'zod'
import { takingTurns } from '../../access/turns'
import type { Incoming } from '../../base/http'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { errorMessageOf } from '../../i18n/zod-error-message'
import { type Caller, requireScopes } from './caller'
import { compileInTurns, conditionsIn, requireReadable } from './conditions'
import { type AnyOperation, type Call, type Result, wasAuthorized, writes } from './operation'
import { type FieldProblem, fieldProblem, invalidField, notFound, requireNone } from './problem'

/**
 * Performs an operation for a caller: checks, parses and handles it, over HTTP and in process
 * alike.
 */

type Request = {
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
  ifMatch: string | null
  /** Answer from the latest data, not from a snapshot of up to a second ago. */
  latest: boolean
  caller: Caller
  incoming: Incoming
}

export function permit(op: Op, { scope, also }: AnyOperation, caller: Caller): void {
  if (scope !== 'public') requireScopes(op, caller, [scope, ...also])
}

export type AnyCall = Call<Record<string, string>, unknown, unknown>

export async function perform(op: Op, operation: AnyOperation, request: Request): Promise<Result> {
  permit(op, operation, request.caller)
  return handled(op, operation, await prepare(op, operation, request))
}

/** An operation that changes something must have asked the rule of authority. */
export async function handled(op: Op, operation: AnyOperation, call: AnyCall): Promise<Result> {
  const result = await operation.handle(op, call)
  if (writes(operation) && !wasAuthorized(call)) {
    throw new Error(`${operation.id} did not call authorize()`)
  }
  return result
}

/** The operation's own schemas parse everything that reaches a handler. */
export async function prepare(op: Op, operation: AnyOperation, request: Request): Promise<AnyCall> {
  const { query, body } = operation
  const { params, caller, incoming, ifMatch } = request
  if (Object.values(params).some(isNoName)) throw notFound('no_name', '')
  return {
    params,
    caller,
    incoming,
    ifMatch,
    query: query
      ? parse(query, withoutEmpty(query, request.query), '/query')
      : noQuery(request.query),
    body: body ? await parseBody(op, body, request.body) : undefined,
    snapshot: await (request.latest ? op.latestSnapshot() : op.snapshot()),
  }
}

/** IDs and keys are never empty and have no control characters. */
function isNoName(value: string): boolean {
  return value === '' || /\p{Cc}/u.test(value)
}

/** A form sends its empty fields too: an empty filter is none. One that does not exist stays. */
function withoutEmpty({ shape }: z.ZodObject, query: Record<string, string>) {
  const given = Object.entries(query).filter(
    ([name, value]) => value !== '' || !Object.hasOwn(shape, name),
  )
  return Object.fromEntries(given)
}

function noQuery(query: Record<string, string>): undefined {
  const [name] = Object.keys(query)
  if (name === undefined) return undefined
  throw invalidField(`/query/${name}`, errorMessage('parameter_unknown'))
}

/**
 * Conditions are compiled in turns before the schema reads the body at once and finds them in the
 * cache.
 */
async function parseBody<T extends z.ZodType>(
  op: Op,
  schema: T,
  value: unknown,
): Promise<z.infer<T>> {
  const turn = takingTurns()
  const conditions = conditionsIn(value)
  await turn()
  if (conditions.size > 0) await compileInTurns([...conditions.keys()])
  await turn()
  const body = parse(schema, value, '')
  if (conditions.size > 0) requireReadable(op, body)
  await turn()
  return body
}

function parse<T extends z.ZodType>(schema: T, value: unknown, base: string): z.infer<T> {
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return parsed.data
  requireNone(parsed.error.issues.flatMap((issue) => toFields(issue, base)))
  throw invalidField(base, errorMessage('invalid'))
}

/** What a schema finds wrong, for a form that has found mistakes of its own. */
export function problemsOfBody(schema: z.ZodType, body: unknown): FieldProblem[] {
  const { error } = schema.safeParse(body, { reportInput: true })
  return (error?.issues ?? []).flatMap((issue) => toFields(issue, ''))
}

function toFields(issue: z.core.$ZodIssue, base: string): FieldProblem[] {
  const at = `${base}${issue.path.map((part) => `/${String(part)}`).join('')}`
  const reason = errorMessageOf(issue)
  if (issue.code !== 'unrecognized_keys') return [fieldProblem(at, reason)]
  return issue.keys.map((key) => fieldProblem(`${at}/${key}`, reason))
}
