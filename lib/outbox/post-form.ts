import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { resolveAllowed } from './address-guard'

const TIMEOUT_MS = 5_000

/** One POST, no redirects followed, five seconds in all. Gives the status. */
export async function postForm(
  uri: string,
  fields: Record<string, string>,
  allowedHosts: ReadonlySet<string>,
): Promise<number> {
  const url = new URL(uri)
  const { address, family } = await resolveAllowed(url, allowedHosts)
  const body = new URLSearchParams(fields).toString()
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = send(
      url,
      {
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        // The address that was checked is the one that is used.
        lookup: (_name, options, callback) => {
          if (options.all) callback(null, [{ address, family }])
          else callback(null, address, family)
        },
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Length': Buffer.byteLength(body),
        },
      },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
