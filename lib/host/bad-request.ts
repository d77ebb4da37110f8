import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem, problemReply } from '../api/problem'
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
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (isUnanswered(socket)) socket.write(answerTo(error))
    socket.destroy(error)
  })
}

const known = new WeakSet<Server>()

function answerTo({ code }: NodeJS.ErrnoException): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return TIMEOUT
  const requestId = newRequestId()
  const asked = { origin: config().origin, requestId }
  return written(problemReply(problemFor(code), asked), requestId)
}

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

function written({ status, headers, body }: Reply, requestId: string): string {
  const lines = Object.entries({
    ...SECURITY_HEADERS,
    'X-Request-Id': requestId,
    ...headers,
    Connection: 'close',
    'Content-Length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${REASONS[status]}`, ...lines, '', body].join('\r\n')
}

/** An answer in the middle of another one would be read as part of it; Node asks the same. */
function isUnanswered(socket: Duplex): boolean {
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: { headersSent: boolean } }
  return socket.writable && !current?.headersSent
}
