import type { Api, Model } from '../access/policy'
import { apiNamed } from '../access/resource'
import { type Incoming, json, NO_STORE, pathOf, type Reply } from '../base/http'
import { onceFor } from '../base/once-for'
import type { Provider } from './provider'

/**
 * Protected resource metadata (RFC 9728): how a client that was refused at an API finds this
 * portal. The portal writes it for every API and serves it for those that cannot.
 */

const WELL_KNOWN = '/.well-known/oauth-protected-resource'
const CACHED = Object.freeze({ 'Cache-Control': 'public, max-age=300' })

type PublishedMetadata = {
  resource: string
  name: string
  scopes: readonly string[]
  documentation: string | null
}

export function resourceMetadata(
  { issuer }: Pick<Provider, 'issuer'>,
  { resource, name, scopes, documentation }: PublishedMetadata,
) {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: name,
    ...(documentation !== null && { resource_documentation: documentation }),
  }
}

export function metadataReply(op: Pick<Provider, 'issuer'>, described: PublishedMetadata): Reply {
  return json(200, resourceMetadata(op, described), CACHED)
}

/** RFC 9728 §3.1: between the host and the path. Null for an audience that is no address. */
export function wellKnownOf(resource: string): string | null {
  if (!/^https?:/.test(resource)) return null
  const { origin, pathname, search } = new URL(resource)
  return origin + WELL_KNOWN + (pathname === '/' ? '' : pathname) + search
}

/** The value of `WWW-Authenticate` (RFC 6750 §3, RFC 9728 §5.1), in the order of the RFCs. */
export function bearerChallenge(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return `Bearer ${given.map(([name, value]) => `${name}="${value}"`).join(', ')}`
}

/**
 * A client without other advice asks for everything that is listed (MCP, scope selection), so
 * sensitive permissions are left out. The API asks for them when they are needed.
 */
export function listedScopes(items: Model['items'], { id }: Pick<Api, 'id'>): readonly string[] {
  return scopesByApi(items).get(id) ?? []
}

const scopesByApi = onceFor((items: Model['items']) => {
  const scopes = new Map<string, string[]>()
  for (const { scope, api, sensitive } of items.values()) {
    if (sensitive) continue
    const known = scopes.get(api.id)
    if (known) known.push(scope)
    else scopes.set(api.id, [scope])
  }
  for (const list of scopes.values()) list.sort()
  return scopes
})

// ---------------------------------------------------------------- served for other APIs

const PUBLISHED = /^\/resources\/([\w.-]{1,64})\/metadata((?:\/.*)?)$/

export function isPublishedPath(path: string): boolean {
  return PUBLISHED.test(path)
}

/** Where the portal serves the metadata of an API, or of an address below its audience. */
export function publishedUrl({ origin }: Pick<Provider, 'origin'>, id: string): string {
  return `${origin}/resources/${id}/metadata`
}

/**
 * GET /resources/{api}/metadata. What follows is the path below the audience, for an API with
 * subpaths. An API that did not opt in looks like one that does not exist.
 */
export async function publishedMetadata(op: Provider, incoming: Incoming): Promise<Reply> {
  const [, id = '', below = ''] = PUBLISHED.exec(pathOf(incoming.url)) ?? []
  const { policy } = await op.snapshot()
  const api = publishedApis(policy.apisByAudience).get(id)
  const resource = api && addressBelow(api, below)
  const named = resource === undefined ? null : apiNamed(policy, resource)
  if (!api?.published || named?.api.id !== api.id) return NOT_PUBLISHED
  return metadataReply(op, {
    resource: named.audience,
    scopes: listedScopes(policy.items, api),
    ...api.published,
  })
}

function addressBelow({ audience }: Api, below: string): string {
  return below === '' ? audience : audience.replace(/\/$/, '') + below
}

const publishedApis = onceFor((apis: Model['apisByAudience']) => {
  const open = [...apis.values()].filter((api) => api.published && api.enabled)
  return new Map(open.flatMap((api) => [[api.id, api] as const, [api.prefix, api] as const]))
})

const NOT_PUBLISHED = json(
  404,
  { error: 'invalid_request', error_description: 'there is no metadata at this address' },
  NO_STORE,
)
