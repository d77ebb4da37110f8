import { type Headers, joined } from './headers'

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
  /** See `claimedCaller`: `ip` is then shared by all callers. */
  claimed?: string | undefined
  requestId: string
  /** The whole body; throws `BodyTooLarge` as soon as it exceeds `limit`. */
  body(limit: number): Promise<Uint8Array>
}

export type Reply = {
  status: number
  headers: Headers
  /** One Set-Cookie header each. */
  cookies?: readonly string[]
  body: string
  /**
   * Path and query of the page that says what is wrong. The Node host shows it in this answer, plain
   * Next.js leads there.
   */
  page?: string
  /** For the log line only. */
  note?: string
  /** A refusal of the protocol, for the log line and the metrics. */
  refusal?: { error: string; reason: string }
}

export class BodyTooLarge extends Error {}

/** The caller closed the connection while the body was read. */
export class ClientGone extends Error {}

export const NO_STORE = Object.freeze({ 'Cache-Control': 'no-store', Pragma: 'no-cache' })
const NO_HEADERS = Object.freeze({})
const JSON_TYPE = Object.freeze({ 'Content-Type': 'application/json' })

export function json(status: number, body: unknown, headers: Headers = NO_HEADERS): Reply {
  return jsonText(status, JSON.stringify(body), headers)
}

/** For what was written as JSON already. */
export function jsonText(status: number, text: string, headers: Headers = NO_HEADERS): Reply {
  return { status, headers: joined(JSON_TYPE, headers), body: text }
}

export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

export function queryOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? '' : url.slice(query + 1)
}
