import type { Api, Model } from './policy'

/**
 * Which API does `resource` (RFC 8707) name, and which audience does its token carry? An API is
 * named by its audience. One with `subpaths` is also named by every address below its audience, and
 * the token is for that address: an MCP server accepts only tokens for its own address.
 */

type NamedApi = { api: Api; audience: string }

type Apis = Pick<Model, 'apisByAudience'>

/** Null if it names no API. The longest audience wins. */
export function apiNamed({ apisByAudience }: Apis, resource: string): NamedApi | null {
  const exact = apisByAudience.get(resource)
  if (exact) return { api: exact, audience: exact.audience }
  const address = addressOf(resource)
  if (!address) return null
  const { origin, path } = address
  const audience = origin + path
  const same = path === '/' || path === '' ? rootOf(apisByAudience, origin) : null
  const canonical = same ?? apisByAudience.get(audience)
  if (canonical) return { api: canonical, audience: canonical.audience }
  if (isTwin(apisByAudience, audience)) return null
  const api = nearestAbove(apisByAudience, origin, path)
  return api && { api, audience }
}

/** RFC 3986 §6.2.3: without a path or with an empty one, it is the same address. */
function rootOf(apis: Apis['apisByAudience'], origin: string): Api | undefined {
  return apis.get(origin) ?? apis.get(`${origin}/`)
}

/** With or without a slash at the end, many servers take it for the address of the other API. */
function isTwin(apis: Apis['apisByAudience'], audience: string): boolean {
  const twin = apis.get(audience.endsWith('/') ? audience.slice(0, -1) : `${audience}/`)
  return twin?.subpaths === false
}

function nearestAbove(apis: Apis['apisByAudience'], origin: string, path: string): Api | null {
  for (let end = path.length; end >= 0; end = path.lastIndexOf('/', end - 1)) {
    const base = origin + path.slice(0, end)
    const api = subpathsOf(apis.get(`${base}/`)) ?? subpathsOf(apis.get(base))
    if (api) return api
    if (end === 0) return null
  }
  return null
}

function subpathsOf(api: Api | undefined): Api | undefined {
  return api?.subpaths ? api : undefined
}

const MAX_ADDRESS_LENGTH = 512
const ADDRESS = /^https?:\/\/([^/?#@\\]+)((?:\/[\w.~!$&'()*+,=:@-]+)*\/?)$/i

/**
 * The canonical form: scheme and host in lower case, no default port. Null if the path could be
 * understood in two ways: dots, empty segments, encoded characters, a query.
 */
export function addressOf(resource: string): { origin: string; path: string } | null {
  const path = resource.length > MAX_ADDRESS_LENGTH ? undefined : ADDRESS.exec(resource)?.[2]
  if (path === undefined || !URL.canParse(resource)) return null
  const { origin, pathname } = new URL(resource)
  return pathname === (path === '' ? '/' : path) ? { origin, path } : null
}

/**
 * The audience of a token for this API, if the request named these: the address that it was named
 * by, or its own audience.
 */
export function audienceOf(apis: Apis, api: Api, resources: readonly string[]): string {
  if (resources.length === 0) return api.audience
  return audienceAmong(apis, api, resources) ?? api.audience
}

/** Null if none of these names the API. */
export function audienceAmong(
  apis: Apis,
  { id }: Api,
  resources: readonly string[],
): string | null {
  for (const resource of resources) {
    const named = apiNamed(apis, resource)
    if (named?.api.id === id) return named.audience
  }
  return null
}
