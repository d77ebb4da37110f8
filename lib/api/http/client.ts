import type { z } from 'zod'
import type { Incoming } from '../../base/http'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import type { Caller } from './caller'
import type { Answers, AnyOperation, Operation, Params, UncheckedInput } from './operation'
import { perform } from './perform'
import { requireStorable, requireText } from './storable'
import { etagOf } from './version'

/**
 * Operations called in process, by name and with their types: the pages and `apply` use this. The
 * checks are the same as over HTTP, because both go through `perform`.
 */

type Shape = z.ZodObject
type QueryValue = string | number | boolean | null | undefined

/**
 * The compiler checks the names. The schema checks the values, because they come from URLs and
 * forms.
 */
export type Input<
  Path extends string,
  Q extends Shape | undefined,
  B extends z.ZodType | undefined,
> = (keyof Params<Path> extends never ? unknown : { params: Params<Path> }) &
  (Q extends Shape ? { query?: { [Name in keyof z.input<Q>]?: QueryValue } } : unknown) &
  (B extends z.ZodType ? { body: UncheckedInput<z.input<B>> } : unknown) & {
    /** The version that the caller has read; `'*'` accepts any version. */
    version?: string
  }

/** What an operation takes as its body. */
export type BodyOf<O extends { body: z.ZodType }> = UncheckedInput<z.input<O['body']>>

export type AnswerOf<A extends Answers> = {
  [Status in keyof A]: A[Status] extends z.ZodType ? z.output<A[Status]> : null
}[keyof A]

/** What was read, and the version to send back with a change. */
export type VersionedBody<T> = { body: T; version: string | null }

/** Calls an operation for a caller; throws a `Problem` if it is refused. */
type Call = <
  Path extends string,
  Q extends Shape | undefined,
  B extends z.ZodType | undefined,
  A extends Answers,
>(
  operation: Operation<Path, Q, B, A>,
  input: Input<Path, Q, B>,
) => Promise<VersionedBody<AnswerOf<A>>>

export type AnyInput = {
  params?: Record<string, string>
  query?: Record<string, QueryValue>
  body?: unknown
  version?: string
}

/** Calls any operation; its schemas check the input. */
type UntypedCall = (operation: AnyOperation, input: AnyInput) => Promise<VersionedBody<unknown>>

/**
 * For a page or an action. `from`: the request that the calls are made for. What it reads after its
 * first call is as new as that one, until it changes something.
 */
export function clientFor(op: Op, caller: Caller, from: Incoming): Call {
  /** How often a change began or ended: a read is as new as the last of them before it. */
  let changes = 0
  let latestAfter: number | null = null
  const call: UntypedCall = async (operation, input) => {
    const asked = (latest: boolean) => send({ op, caller, from, latest }, operation, input)
    if (operation.method !== 'GET') {
      changes += 1
      // Also one that fails: what it found may be newer than what was read before.
      return asked(true).finally(() => {
        changes += 1
      })
    }
    const before = changes
    const answer = await asked(latestAfter !== before)
    latestAfter = before
    return answer
  }
  return call as Call // the types are those of the schemas
}

export function untypedClientFor(op: Op, caller: Caller, from: Incoming): UntypedCall {
  return (operation, input) => send({ op, caller, from, latest: true }, operation, input)
}

type For = { op: Op; caller: Caller; from: Incoming; latest: boolean }

async function send({ op, caller, from, latest }: For, operation: AnyOperation, input: AnyInput) {
  const body = bodyOf(input.body)
  requireStorable(body, [])
  const { body: answer = null, version } = await perform(op, operation, {
    params: input.params ?? {},
    query: queryOf(input.query ?? {}),
    body,
    ifMatch: input.version || null,
    latest,
    caller,
    incoming: from,
  })
  return { body: answer, version: version === undefined ? null : etagOf(version) }
}

/** A member that is undefined was not sent. */
function bodyOf(body: unknown): unknown {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject ? withoutUndefined(body) : body
}

function queryOf(query: Record<string, QueryValue>): Record<string, string> {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const texts = given.map(([name, value]) => [name, String(value)] as const)
  for (const [, text] of texts) requireText(text)
  return Object.fromEntries(texts)
}
