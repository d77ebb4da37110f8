import type { z } from 'zod'
import type { PortalScope } from '../access/portal-api'
import type { Incoming } from '../base/http'
import type { Op } from '../context/op'
import type { Snapshot } from '../oidc/provider'
import type { Caller } from './caller'

/**
 * One table makes the handlers, the validation, the OpenAPI document, the reference page and the
 * authorization-matrix test: they cannot drift apart.
 */

export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `/spaces/{space}/roles/{role}` -> { space: string, role: string } */
export type Params<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [name in Name]: string } & Params<Rest>
  : Record<never, string>

export type Call<P, Q, B> = {
  params: P
  query: Q
  body: B
  caller: Caller
  /** At most a second old, or the very latest where `Consistency: higher` asked for it. */
  snapshot: Snapshot
  /** The version that the caller has seen; null: none was sent. */
  ifMatch: string | null
  incoming: Incoming
}

/** Status -> the schema of the body; null: there is none. */
export type Answers = Readonly<Record<number, z.ZodType | null>>

/**
 * As it is written before a schema has looked at it: a form and a column of the database know that
 * something is a string, not which ones are allowed.
 */
export type Written<T> = T extends string
  ? string
  : T extends readonly (infer Member)[]
    ? readonly Written<Member>[]
    : T extends object
      ? { [Name in keyof T]: Written<T[Name]> }
      : T

type BodyOf<Schema> = Schema extends z.ZodType ? Written<z.input<Schema>> : never

export type Result<A extends Answers = Answers> = {
  status: keyof A
  body?: BodyOf<A[keyof A]>
  /** Instead of a body: something to keep. */
  file?: { type: string; name: string; text: string }
  /** What the representation is called; the caller sends it back as If-Match. */
  version?: number
  headers?: Record<string, string>
}

type Shape = z.ZodObject
type Infer<T> = T extends z.ZodType ? z.infer<T> : undefined

type Said<Path extends string, A extends Answers> = {
  /** The `operationId` of the OpenAPI document, and the name that the operation is exported by. */
  id: string
  method: ApiMethod
  path: Path
  tag: string
  summary: string
  /** What the token must carry; `public`: nobody needs to say who they are. */
  scope: PortalScope | 'public'
  answers: A
}

type Spec<
  Path extends string,
  Q extends Shape | undefined,
  B extends z.ZodType | undefined,
  A extends Answers,
> = Said<Path, A> & {
  /** Further scopes that it needs all of: of what else it shows or changes. */
  also?: readonly PortalScope[]
  query?: Q
  body?: B
  /** What the body is called in the examples of the reference. */
  example?: unknown
  /** False for a PUT or DELETE of a link, which has no version that anybody could have seen. */
  versioned?: boolean
  /** True where the query or the body names something that may not be there; a path always does. */
  mayBeMissing?: boolean
  /** What the answer is, where it is not JSON. */
  media?: readonly string[]
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
  versioned: boolean
  mayBeMissing: boolean
  media: readonly string[]
  handle(op: Op, call: Call<Params<Path>, Infer<Q>, Infer<B>>): Promise<Result<A>>
}

/** Whatever its types: what reaches it was parsed by its own schemas. */
export type AnyOperation = Omit<Operation, 'query' | 'body' | 'handle'> & {
  query: Shape | undefined
  body: z.ZodType | undefined
  handle(op: Op, call: Call<Record<string, string>, unknown, unknown>): Promise<Result>
}

/** The types of an operation's parameters, query, body and answer follow from what it says. */
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
    media: spec.media ?? ['application/json'],
  }
}

export const API_BASE = '/api/v1'

export function writes({ method, scope }: Pick<Operation, 'method' | 'scope'>): boolean {
  return method !== 'GET' && scope.endsWith(':write')
}
