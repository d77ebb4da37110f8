import type { Incoming, Reply } from '../base/http'
import { onceFor } from '../base/once-for'
import type { Op } from '../context/op'
import { answer, type Endpoint } from '../oidc/endpoint'

/** Around every endpoint, in both hosts: request ID, log line, metrics. */

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}
const HSTS = { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }

export async function serve(op: Op, endpoint: Endpoint<Op>, incoming: Incoming): Promise<Reply> {
  const started = performance.now()
  const { requestId, method, ip } = incoming
  const { name } = endpoint
  const reply = await answer(op, endpoint, incoming, (error) => {
    op.log.error({ requestId, endpoint: name, err: error }, 'fault')
  })
  const ms = performance.now() - started
  op.meter.requestAnswered(name, reply.status, ms / 1000)
  op.log.answered(
    {
      requestId,
      method,
      endpoint: name,
      status: reply.status,
      ms: round(ms),
      ip,
      note: reply.note,
    },
    'request',
  )
  const headers = { ...securityHeaders(op), 'X-Request-Id': requestId, ...reply.headers }
  return { ...reply, headers }
}

const securityHeaders = onceFor((op: Op) =>
  op.origin.startsWith('https:') ? { ...SECURITY_HEADERS, ...HSTS } : SECURITY_HEADERS,
)

function round(ms: number): number {
  return Math.round(ms * 100) / 100
}
