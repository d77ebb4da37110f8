import type { IncomingMessage } from 'node:http'
import { Problem, problemReply } from '../api/http/problem'
import type { Incoming, Reply } from '../base/http'
import type { Op } from '../context/op'
import { SECURITY_HEADERS } from './serve'

/**
 * Requests that Node parses and nobody here may answer. The others would read a host from them: from
 * a whole address as the target, or from one of two `Host` headers.
 */
export function malformedProblem(request: IncomingMessage): Problem | null {
  // `OPTIONS *` and the targets for proxies (RFC 9112 §3.2.2 and §3.2.4): this is no proxy.
  if (request.url?.charCodeAt(0) !== SLASH) return NO_PATH
  return hasSecondHost(request.rawHeaders) ? TWO_HOSTS : null
}

const SLASH = 0x2f
const NO_PATH = new Problem('malformed', 'the request target must be a path')
// RFC 9112 §3.2
const TWO_HOSTS = new Problem('malformed', 'the Host header was sent twice')

const HOST = 'host'

/** Name, value, name, value. Node keeps the first of them. */
function hasSecondHost(headers: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count += 1
  }
  return count > 1
}

export function malformedReply(
  { origin }: Pick<Op, 'origin'>,
  { requestId }: Pick<Incoming, 'requestId'>,
  problem: Problem,
): Reply {
  const reply = problemReply(problem, { origin, requestId })
  const headers = { ...SECURITY_HEADERS, 'X-Request-Id': requestId, ...reply.headers }
  return { ...reply, headers }
}
