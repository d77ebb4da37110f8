import type { Api, Item } from './policy'

/**
 * The portal's own API, treated like any other: applications are granted these permissions, tokens
 * carry them, and lib/api requires them. It is defined in code and not in the database, so it
 * always matches this build.
 */

/** The texts of each are in lib/i18n, in portal-scopes.json of each language. */
export const PORTAL_SCOPE_NAMES = [
  'spaces:read',
  'spaces:write',
  'resources:read',
  'resources:write',
  'permissions:read',
  'permissions:write',
  'permissions:check',
  'permissions:explain',
  'permissions:request',
  'roles:read',
  'roles:write',
  'assignments:read',
  'assignments:write',
  'applications:read',
  'applications:write',
  'users:read',
  'users:write',
  'users:impersonate',
  'admin-roles:write',
  'outbox:read',
  'outbox:write',
  'settings:read',
  'settings:write',
  'sign-in:write',
  'webhooks:read',
  'webhooks:write',
  'signing-keys:read',
  'signing-keys:write',
  'audit:read',
  'scopes:decide',
] as const
export type PortalScope = (typeof PORTAL_SCOPE_NAMES)[number]

export const PORTAL_API_NAME = 'Gatehouse'
const TOKEN_SECONDS = 3600

export type OwnApi = {
  api: Api
  items: readonly Item[]
  /** The same API under its second address, the MCP server. */
  mcp: Api
}

export const MCP_PATH = '/mcp'

export function portalAudience(origin: string): string {
  return `${origin}/api/v1`
}

/**
 * A token for the MCP server is for that address and is not accepted at `/api/v1`, where nobody
 * would be asked to confirm a change.
 */
export function mcpAudience(origin: string): string {
  return origin + MCP_PATH
}

/**
 * With a user, the token can do no more than the admin role of that user: see lib/api/http/caller.ts.
 */
export function portalApi(origin: string): OwnApi {
  const api: Api = {
    id: 'api_gatehouse',
    spaceId: 'spc_gatehouse',
    audience: portalAudience(origin),
    subpaths: false,
    prefix: 'gatehouse',
    enabled: true,
    tokenSeconds: TOKEN_SECONDS,
    tokenAlg: null,
    tokenType: 'at+jwt',
    owners: [],
    openToAppManagers: false,
    introspectors: [],
    published: null,
  }
  const items = PORTAL_SCOPE_NAMES.map((scope) => ({
    scope,
    api,
    userBound: false,
    needsRole: false,
    sensitive: false,
  }))
  return { api, items, mcp: { ...api, audience: mcpAudience(origin) } }
}

const PREFIXES: ReadonlySet<string> = new Set([
  'gatehouse',
  ...PORTAL_SCOPE_NAMES.map((scope) => scope.split(':')[0] ?? ''),
])

const NAMES: ReadonlySet<string> = new Set(PORTAL_SCOPE_NAMES)

/** `users:*` would cover permissions of the portal, so no other API may have this prefix. */
export function isPortalPrefix(prefix: string): boolean {
  return PREFIXES.has(prefix)
}

export function isPortalScope(scope: string): scope is PortalScope {
  return NAMES.has(scope)
}

/** Scopes that change something without saying so by their name. */
const CHANGING: ReadonlySet<string> = new Set(['permissions:request', 'users:impersonate'])

/** Whoever holds it can change the portal itself, or ask for access and decide about it. */
export function changesPortal(scope: string): boolean {
  return isPortalScope(scope) && (scope.endsWith(':write') || CHANGING.has(scope))
}
