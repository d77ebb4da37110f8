import type { Reply } from '../../base/http'
import type { Op } from '../../context/op'
import { newRequestId } from '../../crypto/secrets'
import { answer, type Endpoint } from '../../oidc/endpoint'

/** A request to an endpoint of this process, without a socket. */

type Sent = {
  method?: 'GET' | 'POST'
  /** Path and query. */
  url: string
  ip: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** A refusal is an answer; an internal error is thrown. */
export function ask(op: Op, endpoint: Endpoint<Op>, sent: Sent): Promise<Reply> {
  const { method = 'GET', url, ip, headers = {}, body = '' } = sent
  const incoming = {
    method,
    url,
    ip,
    headers: { get: (name: string) => headers[name.toLowerCase()] ?? null },
    requestId: newRequestId(),
    body: async () => Buffer.from(body),
  }
  return answer(op, endpoint, incoming, (error) => {
    throw error
  })
}

export type Body = Record<string, unknown>

/** What a request that has to succeed answered. */
export function bodyOf(reply: Reply): Body {
  if (reply.status < 300) return JSON.parse(reply.body)
  throw new Error(`the sample activity was refused: ${reply.status} ${reply.body}`)
}
