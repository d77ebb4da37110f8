import type { z } from 'zod'
import type { Incoming } from '../../base/http'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { type Caller, OPERATOR } from '../http/caller'
import { type AnswerOf, type AnyInput, type Input, untypedClientFor } from '../http/client'
import type { Answers, AnyOperation, Operation } from '../http/operation'
import { isProblem } from '../http/problem'
import { ConfigurationError } from './schema'

/** The operations of the API, called in process: by the operator, or by whoever sent a document. */

export type Thing = Record<string, unknown>

type Query = z.ZodObject | undefined
type Body = z.ZodType | undefined
/** Values of the file go to the operation unchanged: its schema checks them. */
type Said<P extends string, B extends Body> = Input<P, undefined, undefined> &
  (B extends z.ZodType ? { body: Thing } : unknown)

export type Operator = {
  /** Null if it does not exist. */
  find<P extends string, Q extends Query, A extends Answers>(
    operation: Operation<P, Q, undefined, A>,
    input: Input<P, Q, undefined>,
  ): Promise<AnswerOf<A> | null>
  /** All entries of a list. */
  list<P extends string, Q extends Query, A extends ListAnswers>(
    operation: Operation<P, Q, undefined, A>,
    input: Input<P, undefined, undefined>,
  ): Promise<z.output<A[200]>['data']>
  /** `what`: its name in error messages. */
  send<P extends string, Q extends Query, B extends Body, A extends Answers>(
    what: string,
    operation: Operation<P, Q, B, A>,
    input: Said<P, B>,
  ): Promise<AnswerOf<A>>
}

type Page = { data: unknown[]; page: { next: string | null } }
type ListAnswers = Readonly<Record<200, z.ZodType<Page>>>

const MAX_PAGE_LENGTH = 200

/** Who applies a configuration, and the request that it came with. */
export type AppliedBy = { caller: Caller; incoming: Incoming }

export function operator(op: Op, by: AppliedBy = theOperator()): Operator {
  const call = untypedClientFor(op, by.caller, by.incoming)

  async function asked(what: string, operation: AnyOperation, input: AnyInput): Promise<unknown> {
    return (await call(operation, input).catch(refuse(what))).body
  }

  const untyped = {
    async find(operation: AnyOperation, input: AnyInput) {
      return call(operation, input).then(({ body }) => body, notFoundIsNull(operation.id))
    },
    async list(operation: AnyOperation, input: AnyInput) {
      const all: unknown[] = []
      for (let cursor: string | null = null; ; ) {
        const query = { limit: MAX_PAGE_LENGTH, cursor }
        const { data, page } = (await asked(operation.id, operation, { ...input, query })) as Page
        all.push(...data)
        if (page.next === null) return all
        cursor = page.next
      }
    },
    send: (what: string, operation: AnyOperation, input: AnyInput) =>
      asked(what, operation, { version: '*', ...input }),
  }
  return untyped as Operator // the types are those of the operations' schemas
}

function notFoundIsNull(what: string) {
  return (error: unknown) => {
    if (isProblem(error) && error.code === 'not_found') return null
    return refuse(what)(error)
  }
}

function refuse(what: string): (error: unknown) => never {
  return (error) => {
    if (!isProblem(error)) throw error
    const errors = error.options.errors ?? []
    const details = errors.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; ')
    throw new ConfigurationError(`${what}: ${details || error.message}`, { cause: error })
  }
}

/** There is no HTTP request: the operator runs a command. */
export function theOperator(): AppliedBy {
  const incoming: Incoming = {
    method: 'GET',
    url: '',
    headers: { get: () => null },
    ip: null,
    requestId: newId('dec'),
    body: async () => new Uint8Array(),
  }
  return { caller: OPERATOR, incoming }
}
