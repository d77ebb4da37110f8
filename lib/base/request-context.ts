import { AsyncLocalStorage } from 'node:async_hooks'

/** What the Node host knows of a request that Next's pages cannot see: shared by both bundles. */
export type RequestContext = {
  ip: string | null
  requestId: string
  /** What a form was refused with: Next has no way to say it. */
  refusal?: { status: 400 | 429; retryAfterSeconds?: number | undefined }
}

const SHARED = Symbol.for('gatehouse.request-context')
const NODE_HOST = Symbol.for('gatehouse.node-host')
const shared = globalThis as {
  [SHARED]?: AsyncLocalStorage<RequestContext>
  [NODE_HOST]?: true
}

/** The Node host, which sees sockets, says that it is there before it asks Next for pages. */
export function announceNodeHost(): void {
  shared[NODE_HOST] = true
}

export function hasNodeHost(): boolean {
  return shared[NODE_HOST] === true
}

export function requestContext(): AsyncLocalStorage<RequestContext> {
  shared[SHARED] ??= new AsyncLocalStorage()
  return shared[SHARED]
}
