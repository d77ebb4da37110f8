import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type LookUp, resolveAllowed } from './address-guard'

const TIMEOUT_MS = 5_000
const MAX_ANSWER_LENGTH = 256 * 1024

type Outgoing = {
  method: 'GET' | 'POST'
  headers?: Record<string, string | number>
  body?: string
  /** The largest answer in bytes. */
  longest?: number
  /** How its name becomes an address, if it is not one of the operator's. */
  find?: LookUp
}

export type GuardedResponse = { status: number; headers: IncomingHttpHeaders; body: string }

/** The answer is longer than was asked for. */
export class AnswerTooLong extends Error {}

/** One request to an address that somebody else wrote: no redirects, five seconds in all, 256 KiB. */
export async function guardedRequest(
  uri: string,
  { method, headers = {}, body, longest = MAX_ANSWER_LENGTH, find }: Outgoing,
  allowedHosts: ReadonlySet<string>,
): Promise<GuardedResponse> {
  const url = new URL(uri)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const { address, family } = await within(signal, resolveAllowed(url, allowedHosts, find))
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = send(
      url,
      {
        method,
        headers,
        agent: false,
        signal,
        // Connects to the address that was checked.
        lookup: (_name, options, callback) => {
          if (options.all) callback(null, [{ address, family }])
          else callback(null, address, family)
        },
      },
      (response) => {
        const { statusCode: status = 0, headers: answered } = response
        if (method === 'POST') {
          response.resume() // the status is enough
          resolve({ status, headers: answered, body: '' })
          return
        }
        readText(response, longest).then(
          (text) => resolve({ status, headers: answered, body: text }),
          reject,
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** The look-up of a name cannot be stopped, but nobody waits for it any longer. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

async function readText(response: IncomingMessage, longest: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longest) throw new AnswerTooLong('the response is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
