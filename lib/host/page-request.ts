import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pathOf } from '../base/http'
import { isFile, METHOD_HEADER, PATH_HEADER, pageHeaders } from '../base/page-headers'
import { isSafe } from '../base/same-origin'
import type { Config } from '../settings/config'

/**
 * What a page finds in the headers of its request, and what its answer has in its own, in both
 * hosts. Under plain Next.js proxy.ts does it; the Node host does it before Next.js is asked,
 * because the way through proxy.ts costs an eighth to a third of the sign-in page.
 */

type Asked = { method: string; origin: string | null | undefined; path: string; policy: string }

/** Undefined: the page must not find a header of this name. */
export function headersForPage(
  { origin: own }: Pick<Config, 'origin'>,
  { method, origin, path, policy }: Asked,
): Record<string, string | undefined> {
  const told = { 'content-security-policy': policy, [PATH_HEADER]: path, [METHOD_HEADER]: method }
  if (isSafe(method)) return { ...told, 'x-forwarded-host': undefined }
  return { ...told, ...agreeing(origin && origin !== 'null' ? origin : own) }
}

/**
 * Next.js runs an action if `Origin` equals `X-Forwarded-Host`, whoever set that header. A request
 * that gets here has passed the portal's own check, so both headers are set to what was found.
 * Without scripts, a page of the portal sends `Origin: null`, because its referrer policy is
 * no-referrer.
 */
function agreeing(origin: string): Record<string, string> {
  return { origin, 'x-forwarded-host': new URL(origin).host }
}

/** CSP Level 3 §7.1: at least 128 bits. A page contains it thirty times. */
const NONCE_BYTES = 16

/** The headers of a page’s answer, with a nonce that nobody has seen. */
export function headersOfPage({ origin }: Pick<Config, 'origin'>, path: string, dev: boolean) {
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  return pageHeaders({ nonce, path, https: origin.startsWith('https:'), dev })
}

/**
 * The matcher of proxy.ts leaves out what has this header. No request can bring it: the name of a
 * header ends at its first colon.
 */
export const PREPARED = 'prepared:by-host'

/** For the Node host; what is not plain goes through proxy.ts, as under plain Next.js. */
export function preparePage(
  config: Config,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method = 'GET', url = '/', headers } = request
  const isPage = !isFile(pathOf(url))
  if (!isPage) delete headers[METHOD_HEADER]
  if (isPage && !isPlain(request)) return
  // Nothing lists it, so nothing passes it on.
  Object.defineProperty(headers, PREPARED, { value: '1' })
  if (!isPage) return
  const sent = headersOfPage(config, pathOf(url), false)
  for (const [name, value] of Object.entries(sent)) response.setHeader(name.toLowerCase(), value)
  const policy = sent['Content-Security-Policy'] ?? ''
  const asked = { method, origin: headers.origin, path: canonical(url), policy }
  for (const [name, value] of Object.entries(headersForPage(config, asked))) {
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }
}

/** No encoded letters, no ending, no slash too many: Next.js changes nothing of such a path. */
const PLAIN_PATH = /^\/(?!_)(?:[\w~-]+(?:\/[\w~-]+)*)?$/
/** What the scripts of Next.js send, what one part of it tells another, and what looks like it. */
const INSIDE_PATH = /^(?:rsc$|next-|x-(?:middleware|nextjs|now|matched|invoke)-)/
/** Parts of a query that Next.js keeps for itself. */
const INSIDE_QUERY = /(?:^|[?&])(?:_rsc|nxt)/

function isPlain({ url = '/', headers }: IncomingMessage): boolean {
  if (!PLAIN_PATH.test(pathOf(url)) || INSIDE_QUERY.test(url)) return false
  for (const name in headers) if (INSIDE_PATH.test(name)) return false
  return true
}

/** Path and query as Next.js hands them to proxy.ts. */
function canonical(url: string): string {
  if (!url.includes('?')) return url
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const query = searchParams.toString()
  return query === '' ? pathname : `${pathname}?${query}`
}
