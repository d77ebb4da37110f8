import type { Headers } from '../base/headers'
import type { Incoming, Reply } from '../base/http'
import { onceFor } from '../base/once-for'
import type { Op } from '../context/op'
import { answer, type Endpoint } from '../oidc/endpoint'

/** Around every endpoint, in both hosts: request ID, log line, metrics. */

export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}
/** A reply may set its own: AuthZEN sends the caller's ID back. */
const REQUEST_ID = 'X-Request-Id'
const HSTS = { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }

/** A reply with everything that is sent before its body: name, value, name, value. */
type ServedReply = Reply & { sent: readonly string[] }

export async function serve(
  op: Op,
  endpoint: Endpoint<Op>,
  incoming: Incoming,
): Promise<ServedReply> {
  const started = performance.now()
  const { requestId, method, ip } = incoming
  const { name } = endpoint
  const reply = await answer(op, endpoint, incoming, (error) => {
    op.log.error({ requestId, endpoint: name, err: error }, 'fault')
  })
  const ms = performance.now() - started
  op.meter.requestAnswered(name, reply.status, ms / 1000)
  if (reply.refusal) op.meter.requestRefused(reply.refusal)
  op.log.answered(
    {
      requestId,
      method,
      endpoint: name,
      status: reply.status,
      ms: round(ms),
      ip,
      note: reply.note,
      ...reply.refusal,
    },
    'request',
  )
  const id = reply.headers[REQUEST_ID] ?? requestId
  return { sent: listWith(id, partsOf(op, reply.headers)), ...reply }
}

/** The list of headers, before and after the request ID, which alone differs between answers. */
type Parts = { before: readonly string[]; after: readonly string[] }

function partsOf(op: Op, headers: Headers): Parts {
  return Object.isFrozen(headers) ? partsOnce(op)(headers) : makeParts(op, headers)
}

const partsOnce = onceFor((op: Op) => onceFor((headers: Headers) => makeParts(op, headers)))

/** A header of the reply replaces a security header of the same name where that one stands. */
function makeParts(op: Op, headers: Headers): Parts {
  const common: Headers = securityHeaders(op)
  const before = Object.entries(common).flatMap(([name, value]) => [name, headers[name] ?? value])
  const isOwn = (name: string) => name !== REQUEST_ID && !Object.hasOwn(common, name)
  const own = Object.entries(headers).filter(([name]) => isOwn(name))
  return { before, after: own.flat() }
}

function listWith(requestId: string, { before, after }: Parts): string[] {
  return [...before, REQUEST_ID, requestId, ...after]
}

const securityHeaders = onceFor((op: Op) =>
  op.origin.startsWith('https:') ? { ...SECURITY_HEADERS, ...HSTS } : SECURITY_HEADERS,
)

function round(ms: number): number {
  return Math.round(ms * 100) / 100
}
