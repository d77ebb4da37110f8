import type { z } from 'zod'
import type { PortalScope } from '../../access/portal-api'
import type { Incoming } from '../../base/http'
import type { Op } from '../../context/op'
import type { Snapshot } from '../../oidc/provider'
import type { Caller } from './caller'

/**
 * One table makes the handlers, the validation, the OpenAPI document, the reference page and the
 * authorization matrix test: they cannot differ.
 */

export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `/spaces/{space}/roles/{role}` -> { space: string, role: string } */
export type Params<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [name in Name]: string } & Params<Rest>
  : Record<never, string>

/** Without types: the call of any operation. */
export type Call<P = unknown, Q = unknown, B = unknown> = {
  params: P
  query: Q
  body: B
  caller: Caller
  /** At most a second old; the latest one if the request says `Consistency: higher`. */
  snapshot: Snapshot
  /** The version that the caller has read; null if none was sent. */
  ifMatch: string | null
  incoming: Incoming
}

/** The schema of the body for each status; null if there is no body. */
export type Answers = Readonly<Record<number, z.ZodType | null>>

/**
 * The type of a value before its schema has checked it: a form or a database column knows that it
 * is a string, but not which strings are allowed.
 */
export type UncheckedInput<T> = T extends string
  ? string
  : T extends readonly (infer Member)[]
    ? readonly UncheckedInput<Member>[]
    : T extends object
      ? { [Name in keyof T]: UncheckedInput<T[Name]> }
      : T

type BodyOf<Schema> = Schema extends z.ZodType ? UncheckedInput<z.input<Schema>> : never

export type Result<A extends Answers = Answers> = {
  status: keyof A
  body?: BodyOf<A[keyof A]>
  /** A file to download, instead of a body. */
  file?: { type: string; name: string; text: string }
  /** The version of the object; the caller sends it back as If-Match. */
  version?: number
  headers?: Record<string, string>
}

type Shape = z.ZodObject
type Infer<T> = T extends z.ZodType ? z.infer<T> : undefined

type Said<Path extends string, A extends Answers> = {
  /** The `operationId` of the OpenAPI document. The operation is exported under the same name. */
  id: string
  method: ApiMethod
  path: Path
  summary: string
  /** The scope that the token must carry; `public` needs no token. */
  scope: PortalScope | 'public'
  answers: A
}

type Spec<
  Path extends string,
  Q extends Shape | undefined,
  B extends z.ZodType | undefined,
  A extends Answers,
> = Said<Path, A> & {
  /** Further required scopes, for other objects that it shows or changes. */
  also?: readonly PortalScope[]
  query?: Q
  body?: B
  /** An example of the body for the reference. */
  example?: unknown
  /**
   * False for a PUT or DELETE of a link, which has no version; `sometimes` where the same call may
   * also create the object, or change nothing.
   */
  versioned?: boolean | 'sometimes'
  /** True if the query or the body may name an object that does not exist; a path always may. */
  mayBeMissing?: boolean
  /** True if a GET may contradict the state of the object; a change always may. */
  mayConflict?: boolean
  /** The media types of an answer that is not JSON. */
  media?: readonly string[]
  /** True if the answer may have megabytes: it is written in turns. */
  long?: boolean
  handle(op: Op, call: Call<Params<Path>, Infer<Q>, Infer<B>>): Promise<Result<NoInfer<A>>>
}

export type Operation<
  Path extends string = string,
  Q extends Shape | undefined = Shape | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  A extends Answers = Answers,
> = Said<Path, A> & {
  also: readonly PortalScope[]
  query: Q
  body: B
  example: unknown
  versioned: boolean | 'sometimes'
  mayBeMissing: boolean
  mayConflict: boolean
  media: readonly string[]
  long: boolean
  handle(op: Op, call: Call<Params<Path>, Infer<Q>, Infer<B>>): Promise<Result<A>>
}

/** An operation of any type. Its own schemas parse what reaches it. */
export type AnyOperation = Omit<Operation, 'query' | 'body' | 'handle'> & {
  query: Shape | undefined
  body: z.ZodType | undefined
  handle(op: Op, call: Call<Record<string, string>, unknown, unknown>): Promise<Result>
}

/** An operation of the table, with its heading in the reference and in the OpenAPI document. */
export type TaggedOperation = AnyOperation & { tag: string }

export function tagged(tag: string, operations: readonly AnyOperation[]): TaggedOperation[] {
  return operations.map((operation) => ({ ...operation, tag }))
}

/** The types of parameters, query, body and answer are inferred from the schemas. */
export function operation<
  const Path extends string,
  const A extends Answers,
  Q extends Shape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(spec: Spec<Path, Q, B, A>): Operation<Path, Q, B, A> {
  return {
    ...spec,
    also: spec.also ?? [],
    query: spec.query as Q,
    body: spec.body as B,
    example: spec.example ?? null,
    versioned: spec.versioned ?? !['GET', 'POST'].includes(spec.method),
    mayBeMissing: spec.mayBeMissing ?? spec.path.includes('{'),
    mayConflict: spec.mayConflict ?? spec.method !== 'GET',
    media: spec.media ?? ['application/json'],
    long: spec.long ?? false,
  }
}

export const API_BASE = '/api/v1'

/** The value of the header `Consistency` that asks for the latest data. */
export const LATEST = 'higher'

export function writes({ method, scope }: Pick<Operation, 'method' | 'scope'>): boolean {
  return method !== 'GET' && (scope.endsWith(':write') || scope === 'users:impersonate')
}

const authorized = new WeakSet<object>()

/** Notes that the rule of authority was asked about this call. */
export function markAuthorized(call: object): void {
  authorized.add(call)
}

export function wasAuthorized(call: object): boolean {
  return authorized.has(call)
}
