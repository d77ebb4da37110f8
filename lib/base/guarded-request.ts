import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { resolveAllowed } from './address-guard'

const TIMEOUT_MS = 5_000
const LONGEST_ANSWER = 256 * 1024

export type Outgoing = {
  method: 'GET' | 'POST'
  headers?: Record<string, string | number>
  body?: string
  /** The largest answer in bytes. */
  longest?: number
}

export type Answered = { status: number; headers: IncomingHttpHeaders; body: string }

/** One request to an address that somebody else wrote: no redirects, five seconds, 256 KiB. */
export async function guardedRequest(
  uri: string,
  { method, headers = {}, body, longest = LONGEST_ANSWER }: Outgoing,
  allowedHosts: ReadonlySet<string>,
): Promise<Answered> {
  const url = new URL(uri)
  const { address, family } = await resolveAllowed(url, allowedHosts)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = send(
      url,
      {
        method,
        headers,
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
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

async function readText(response: IncomingMessage, longest: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longest) throw new Error('the response is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
