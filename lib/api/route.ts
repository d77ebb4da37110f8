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
  : unknown

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

export type Result = {
  status: number
  body?: unknown
  /** Instead of a body: something to keep. */
  file?: { type: string; name: string; text: string }
  /** What the representation is called; the caller sends it back as If-Match. */
  version?: number
  headers?: Record<string, string>
}

type Shape = z.ZodObject
type Infer<T> = T extends z.ZodType ? z.infer<T> : undefined

type Spec<Path extends string, Q extends Shape | undefined, B extends z.ZodType | undefined> = {
  id: string
  method: ApiMethod
  path: Path
  tag: string
  summary: string
  /** What the token must carry; `public`: nobody needs to say who they are. */
  scope: PortalScope | 'public'
  /** Further scopes that it needs all of: of what else it shows or changes. */
  also?: readonly PortalScope[]
  query?: Q
  body?: B
  /** What the body is called in the examples of the reference. */
  example?: unknown
  /** False for a PUT or DELETE of a link, which has no version that anybody could have seen. */
  versioned?: boolean
  /** True where the query or the body names something that may not be there; a path always does. */
  mayMiss?: boolean
  answers: Readonly<Record<number, z.ZodType | null>>
  /** What the answer is, where it is not JSON. */
  media?: readonly string[]
  handle(op: Op, call: Call<Params<Path>, Infer<Q>, Infer<B>>): Promise<Result>
}

export type Route = {
  id: string
  method: ApiMethod
  path: string
  tag: string
  summary: string
  scope: PortalScope | 'public'
  also: readonly PortalScope[]
  query: Shape | null
  body: z.ZodType | null
  example: unknown
  versioned: boolean
  mayMiss: boolean
  answers: Readonly<Record<number, z.ZodType | null>>
  media: readonly string[]
  handle(op: Op, call: Call<Record<string, string>, unknown, unknown>): Promise<Result>
}

/** The types of a route's parameters, query and body follow from what it says about itself. */
export function route<
  const Path extends string,
  Q extends Shape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(spec: Spec<Path, Q, B>): Route {
  const { also, query, body, example, versioned, mayMiss, media, handle, ...rest } = spec
  return {
    ...rest,
    also: also ?? [],
    query: query ?? null,
    body: body ?? null,
    example: example ?? null,
    versioned: versioned ?? !['GET', 'POST'].includes(spec.method),
    mayMiss: mayMiss ?? spec.path.includes('{'),
    media: media ?? ['application/json'],
    // What reaches it was parsed by these very schemas.
    handle: handle as Route['handle'],
  }
}

export const API_BASE = '/api/v1'

export function writes({ method, scope }: Pick<Route, 'method' | 'scope'>): boolean {
  return method !== 'GET' && scope.endsWith(':write')
}
