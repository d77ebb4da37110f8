import type { IncomingMessage, ServerResponse } from 'node:http'
import { callerAddress, claimedCaller } from '../base/caller'
import { BodyTooLarge, ClientGone, type Incoming, type Reply } from '../base/http'
import { newRequestId } from '../crypto/secrets'

/** Translates between node:http and Incoming and Reply. */

export function fromNode(request: IncomingMessage, proxies: number): Incoming {
  const headers = { get: (name: string) => headerValue(sent(request, name)) }
  return {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers,
    ip: callerOf(request, proxies),
    claimed: claimedCaller(headers, proxies),
    requestId: newRequestId(),
    body: (limit) => readBody(request, limit),
  }
}

/** Node keeps the first of two Authorization headers; two must not count as one (attack H11). */
function sent(request: IncomingMessage, name: string): string | string[] | undefined {
  const value = request.headers[name]
  return name === 'authorization' && value !== undefined ? request.headersDistinct[name] : value
}

function callerOf(request: IncomingMessage, proxies: number): string | null {
  const forwardedFor = headerValue(request.headers['x-forwarded-for'])
  return callerAddress(forwardedFor, request.socket.remoteAddress ?? null, proxies)
}

function headerValue(value: string | string[] | undefined): string | null {
  if (value === undefined) return null
  return Array.isArray(value) ? value.join(', ') : value
}

function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) {
        chunks.push(chunk)
        return
      }
      request.pause()
      request.removeAllListeners('data')
      reject(new BodyTooLarge())
    })
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
    )
    request.on('error', (cause) => reject(new ClientGone('', { cause })))
  })
}

/** Longer than the usual 60 s of a load balancer. */
const PROMISED_SECONDS = 65
/**
 * Node tells clients exactly how long it keeps a connection. A request that is sent at that very
 * second meets a connection that is being closed, and is lost (RFC 9112 §9.5). So connections stay
 * open for longer than announced.
 */
export const KEEP_ALIVE_MS = (PROMISED_SECONDS + 30) * 1000
export const KEEP_ALIVE = ['Keep-Alive', `timeout=${PROMISED_SECONDS}`] as const

/** Name, value, name, value: Node takes this form without checking each name for duplicates. */
function flat(
  { headers, cookies }: Reply,
  sent: readonly string[],
  { shouldKeepAlive }: ServerResponse,
): string[] {
  const list = shouldKeepAlive && !headers.Connection ? [...KEEP_ALIVE, ...sent] : [...sent]
  if (cookies) for (const cookie of cookies) list.push('Set-Cookie', cookie)
  return list
}

/** `sent`: the headers, if there are more than those of the reply. */
export function toNode(
  reply: Reply,
  method: string,
  response: ServerResponse,
  sent: readonly string[] = Object.entries(reply.headers).flat(),
): void {
  const { status, body } = reply
  const headers = flat(reply, sent, response)
  if (status === 204) {
    response.writeHead(status, headers).end()
    return
  }
  headers.push('Content-Length', `${Buffer.byteLength(body)}`)
  response.writeHead(status, headers)
  // As text, the body is sent in one piece with the headers.
  response.end(method === 'HEAD' ? undefined : body)
}
