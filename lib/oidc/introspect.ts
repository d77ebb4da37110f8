import { apiNamed } from '../access/resource'
import { type Incoming, json, NO_STORE, type Reply } from '../base/http'
import { hasPrefix } from '../crypto/secrets'
import type { Client } from './client'
import { authenticateClient } from './client-auth'
import { isOAuthError, OAuthError } from './errors'
import { belongsTo, secondsOf } from './grants/user-tokens'
import { isActive } from './live'
import { type Form, readForm } from './params'
import type { Provider } from './provider'
import { recordTokenRefusal } from './refusal'
import { stillGranted, stillRefreshable } from './still-granted'
import type { PresentedRefreshToken } from './stores'
import { type VerifiedClaims, verifyAccessToken } from './verify'

const INACTIVE = { active: false }

/** POST /oidc/token/introspection (RFC 7662) */
export async function introspect(op: Provider, incoming: Incoming): Promise<Reply> {
  const form = await readForm(incoming)
  const client = await authenticateClient(op, incoming, form)
  try {
    requireConfidential(client)
    return json(200, await activityOf(op, client, requireToken(form)), NO_STORE)
  } catch (error) {
    if (isOAuthError(error)) recordTokenRefusal(op, client, incoming, error)
    throw error
  }
}

function requireConfidential({ confidential }: Client): void {
  if (confidential) return
  throw new OAuthError('invalid_client', 'client authentication failed', 'confidential_only')
}

export function requireToken(form: Form): string {
  const token = form.get('token')
  if (token !== undefined) return token
  throw new OAuthError('invalid_request', 'token is missing', 'token_missing')
}

/** Everything that is not a token which this caller may know about is not active. */
async function activityOf(op: Provider, client: Client, token: string): Promise<object> {
  if (hasPrefix(token, 'ghrt')) return refreshActivityOf(op, client, token)
  const claims = await verifyAccessToken(op, token)
  if (!claims || !(await mayKnow(op, client, claims)) || !(await isActive(op, claims)))
    return INACTIVE
  const scopes = await stillGranted(op, claims)
  if (scopes.length === 0) return INACTIVE
  const scope = scopes.join(' ')
  return { active: true, token_type: 'Bearer', ...claims, scope, decision_id: claims.jti }
}

/**
 * A refresh token, for the client that may use it, which is nobody else (RFC 7662 §2.2). Asking
 * does not use it. Its `token_type` says that it is no access token: a resource server that is a
 * client too must not take it for one.
 */
async function refreshActivityOf(op: Provider, client: Client, token: string): Promise<object> {
  const now = op.now()
  const presented = await op.refreshTokens.findWithGrant(op.hashSecret(token), now)
  if (!presented || !isUnspent(presented, now) || !mayUse(client, presented)) return INACTIVE
  const { stored, grant, answered } = presented
  const clientId = grant.accessKeyId ?? grant.applicationId
  const scopes = await stillRefreshable(op, { ...grant, clientId }, answered)
  if (scopes.length === 0) return INACTIVE
  return {
    active: true,
    token_type: 'refresh_token',
    iss: op.issuer,
    sub: grant.userId,
    client_id: clientId,
    scope: scopes.join(' '),
    iat: secondsOf(stored.createdAt),
    exp: secondsOf(earliest(stored.expiresAt, stored.familyExpiresAt, grant.expiresAt)),
    auth_time: secondsOf(grant.authTime),
    acr: grant.acr,
  }
}

function isUnspent({ stored, grant }: PresentedRefreshToken, now: Date): boolean {
  if (stored.usedAt !== null || stored.familyRevoked || !grant.alive) return false
  return earliest(stored.expiresAt, stored.familyExpiresAt) > now
}

function mayUse(client: Client, { grant }: PresentedRefreshToken): boolean {
  return belongsTo(client, grant) && client.application.grantTypes.includes('refresh_token')
}

function earliest(...times: Date[]): Date {
  return new Date(Math.min(...times.map((time) => time.getTime())))
}

/** The caller's own application, or one that is an introspector of the token's API. */
async function mayKnow(
  op: Provider,
  { application }: Client,
  claims: VerifiedClaims,
): Promise<boolean> {
  const clientId = String(claims.client_id)
  const { credentials, policy } = await op.snapshot({ clients: [clientId] })
  const issuedTo = credentials.get(clientId)?.application.id
  if (issuedTo === application.id) return true
  const apis = [claims.aud].flat().map((audience) => apiNamed(policy, String(audience))?.api)
  return apis.some((api) => api?.introspectors.includes(application.id))
}
