import { MCP_PATH } from '../access/portal-api'
import { authzenEndpoints, authzenMetadataEndpoint } from '../api/authzen/endpoints'
import { accessRequestEndpoint, isTaskPath } from '../api/authzen/request'
import { API_BASE } from '../api/http/operation'
import { mcpEndpoint } from '../api/mcp/endpoint'
import { apiMetadataEndpoint, mcpMetadataEndpoint } from '../api/mcp/metadata'
import { openAuthorizeEndpoint } from '../api/registration/authorize'
import { registeredClientEndpoint, registrationEndpoint } from '../api/registration/endpoints'
import { apiEndpoint } from '../api/table'
import { onwardPageEndpoint } from '../browser/onward-page'
import type { Op } from '../context/op'
import { ACCESS_REQUEST_PATH } from '../oidc/access-request'
import type { Endpoint } from '../oidc/endpoint'
import {
  deviceAuthorizationEndpoint,
  discoveryEndpoint,
  endSessionEndpoint,
  introspectionEndpoint,
  jwksEndpoint,
  publishedMetadataEndpoint,
  resumeEndpoint,
  revocationEndpoint,
  tokenEndpoint,
  userinfoEndpoint,
} from '../oidc/endpoints'
import { paths } from '../oidc/paths'
import { isPublishedPath } from '../oidc/resource-metadata'
import { healthEndpoint, metricsEndpoint, readyEndpoint } from '../operations/health'
import { scheduledEndpoint } from '../operations/scheduled/endpoint'

/**
 * Paths that the Node host answers itself, at a tenth of the cost of a Next.js route handler. Each
 * is also a route under app/, so that plain Next.js (Vercel, `next start`) answers the same.
 */
export const directLine: ReadonlyMap<string, Endpoint<Op>> = new Map<string, Endpoint<Op>>([
  [paths.authorize, openAuthorizeEndpoint],
  [paths.token, tokenEndpoint],
  [paths.deviceAuthorization, deviceAuthorizationEndpoint],
  [paths.introspection, introspectionEndpoint],
  [paths.revocation, revocationEndpoint],
  [paths.userinfo, userinfoEndpoint],
  [paths.registration, registrationEndpoint],
  [paths.endSession, endSessionEndpoint],
  [paths.jwks, jwksEndpoint],
  [paths.discovery, discoveryEndpoint],
  ['/oidc/.well-known/openid-configuration', discoveryEndpoint],
  ['/.well-known/oauth-authorization-server', discoveryEndpoint],
  ['/.well-known/oauth-authorization-server/oidc', discoveryEndpoint],
  ['/.well-known/oauth-protected-resource/api/v1', apiMetadataEndpoint],
  ['/.well-known/oauth-protected-resource/mcp', mcpMetadataEndpoint],
  [MCP_PATH, mcpEndpoint],
  ...authzenEndpoints,
  [ACCESS_REQUEST_PATH, accessRequestEndpoint],
  ['/.well-known/authzen-configuration', authzenMetadataEndpoint],
  ['/login/continue', onwardPageEndpoint],
  ['/api/scheduled', scheduledEndpoint],
  ['/healthz', healthEndpoint],
  ['/readyz', readyEndpoint],
  ['/metrics', metricsEndpoint],
])

/**
 * One segment below /oidc/auth is an interaction, one below /oidc/register a client, everything
 * below /api/v1 is the API, one below /access/v1/request a task, one below /resources an API of
 * others; all other paths must match exactly.
 */
export function endpointAt(path: string): Endpoint<Op> | undefined {
  const whole = directLine.get(path)
  if (whole) return whole
  if (path.startsWith(`${API_BASE}/`)) return apiEndpoint
  if (REGISTERED.test(path)) return registeredClientEndpoint
  if (isTaskPath(path)) return accessRequestEndpoint
  if (isPublishedPath(path)) return publishedMetadataEndpoint
  return INTERACTION.test(path) ? resumeEndpoint : undefined
}

const INTERACTION = /^\/oidc\/auth\/int_[\w-]{10,40}$/
const REGISTERED = /^\/oidc\/register\/[\w-]{1,64}$/
