import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem, problemReply } from '../api/http/problem'
import type { Reply } from '../base/http'
import { newRequestId } from '../crypto/secrets'
import { config } from '../settings/config'
import { SECURITY_HEADERS } from './serve'

/**
 * Requests that Node cannot parse, so that no endpoint ever sees them. Node answers them without a
 * body; here they are problem documents like every other refusal.
 */

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
}

const TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

export function answerBadRequests(server: Server): void {
  if (known.has(server)) return
  known.add(server)
  server.on('clientError', (error: ClientError, socket) => {
    if (isUnanswered(socket)) socket.write(answerTo(error))
    socket.destroy(error)
  })
}

const known = new WeakSet<Server>()

/** `rawPacket`: what could not be parsed. */
type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer }

function answerTo({ code, rawPacket }: ClientError): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return TIMEOUT
  const requestId = newRequestId()
  const asked = { origin: config().origin, requestId }
  const { head, body } = written(problemReply(problemFor(code), asked), requestId)
  // RFC 9110 section 9.3.2: the answer to HEAD is its head, and a body would be taken for the next.
  return rawPacket?.subarray(0, HEAD.length).equals(HEAD) ? head : head + body
}

const HEAD = Buffer.from('HEAD ')

function problemFor(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('headers_too_large', 'the URL and the headers may have at most 16 KiB')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('too_large', 'the chunk extensions are too large')
    default:
      return new Problem('malformed', 'this is not HTTP/1.1')
  }
}

function written({ status, headers, body }: Reply, requestId: string) {
  const lines = Object.entries({
    ...SECURITY_HEADERS,
    'X-Request-Id': requestId,
    ...headers,
    Connection: 'close',
    'Content-Length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${REASONS[status]}`, ...lines, '', ''].join('\r\n')
  return { head, body }
}

/** An answer in the middle of another one would be read as part of it; Node asks the same. */
function isUnanswered(socket: Duplex): boolean {
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: { headersSent: boolean } }
  return socket.writable && !current?.headersSent
}
