import { RestingStorage } from './resting-storage'

/**
 * What the Node host knows about a request and pages of Next.js cannot see; both bundles share it.
 */
export type RequestContext = {
  ip: string | null
  /** See `claimedCaller`. */
  claimed?: string | undefined
  requestId: string
  /** The status of a refused form: Next.js cannot set it. */
  refusal?: { status: number; retryAfterSeconds?: number | undefined }
  /** Hears what a page or an action has thrown. */
  faulted?(error: unknown): void
}

const SHARED = Symbol.for('gatehouse.request-context')
const NODE_HOST = Symbol.for('gatehouse.node-host')
const shared = globalThis as {
  [SHARED]?: RestingStorage<RequestContext>
  [NODE_HOST]?: true
}

/** The Node host, which sees sockets, calls this before it asks Next.js for pages. */
export function announceNodeHost(): void {
  shared[NODE_HOST] = true
}

export function hasNodeHost(): boolean {
  return shared[NODE_HOST] === true
}

export function requestContext(): RestingStorage<RequestContext> {
  shared[SHARED] ??= new RestingStorage()
  return shared[SHARED]
}
