import { Agent, type ClientRequest, request } from 'node:http'
import type { Portal } from '../support/portal'

/** A client that keeps its connections, and says of a lost request what it was sent on. */

export type Send = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
) => Promise<string | null>

type Since = WeakMap<object, number>

const MAX_CONNECTIONS = 64

/** Resolves with null when the answer is 200. */
export function sender({ env }: Pick<Portal, 'env'>): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS })
  const idleSince: Since = new WeakMap()
  return (method, path, headers, body = '') =>
    new Promise((resolve, reject) => {
      const length = { 'content-length': String(Buffer.byteLength(body)) }
      const sent = request(
        {
          agent,
          host: 'localhost',
          port: Number(env.PORT),
          method,
          path,
          headers: { ...headers, ...(method === 'POST' && length) },
        },
        (response) => {
          const { socket } = response
          response.resume()
          response.on('error', reject)
          response.on('end', () => {
            idleSince.set(socket, performance.now())
            resolve(response.statusCode === 200 ? null : `${response.statusCode}`)
          })
        },
      )
      sent.on('error', (error) => reject(lost(error, sent, idleSince)))
      sent.end(body)
    })
}

function lost(cause: Error, { reusedSocket, socket }: ClientRequest, idleSince: Since): Error {
  const ms = performance.now() - (idleSince.get(socket ?? {}) ?? Number.NaN)
  const connection = reusedSocket ? `one last used ${(ms / 1000).toFixed(1)} s ago` : 'a new one'
  return new Error(`${cause.message}; connection: ${connection}`, { cause })
}
