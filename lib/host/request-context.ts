import { AsyncLocalStorage } from 'node:async_hooks'

/** What the Node host knows of a request that Next's pages cannot see: shared by both bundles. */
export type RequestContext = {
  ip: string | null
  requestId: string
  /** What a form was refused with: Next has no way to say it. */
  refusal?: { status: 400 | 429; retryAfterSeconds?: number | undefined }
}

const SHARED = Symbol.for('gatehouse.request-context')
const shared = globalThis as { [SHARED]?: AsyncLocalStorage<RequestContext> }

export function requestContext(): AsyncLocalStorage<RequestContext> {
  shared[SHARED] ??= new AsyncLocalStorage()
  return shared[SHARED]
}
