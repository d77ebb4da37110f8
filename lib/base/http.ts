/**
 * HTTP as the endpoints see it. `Incoming` is the part of a request that they need, `Reply` is
 * data. The two hosts (lib/host) translate, so an endpoint runs unchanged in both.
 */

export type Incoming = {
  method: string
  /** Path and query, as sent. */
  url: string
  headers: { get(name: string): string | null }
  /** The caller's address if it can be trusted; otherwise null. */
  ip: string | null
  requestId: string
  /** The whole body; throws `BodyTooLarge` as soon as it exceeds `limit`. */
  body(limit: number): Promise<Uint8Array>
}

export type Reply = {
  status: number
  headers: Record<string, string>
  /** One Set-Cookie header each. */
  cookies?: readonly string[]
  body: string
  /** For the log line only. */
  note?: string
}

export class BodyTooLarge extends Error {}

/** The caller closed the connection while the body was read. */
export class ClientGone extends Error {}

export const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

export function queryOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? '' : url.slice(query + 1)
}
