import { type Incoming, json, NO_STORE, type Reply } from '../base/http'
import type { Client } from './client'
import { authenticateClient } from './client-auth'
import { OAuthError } from './errors'
import { isActive } from './live'
import { type Form, readForm } from './params'
import type { Provider } from './provider'
import { stillGranted } from './still-granted'
import { type VerifiedClaims, verifyAccessToken } from './verify'

const INACTIVE = { active: false }

/** POST /oidc/token/introspection (RFC 7662) */
export async function introspect(op: Provider, incoming: Incoming): Promise<Reply> {
  const form = await readForm(incoming)
  const client = await authenticateClient(op, incoming, form)
  if (!client.confidential) throw new OAuthError('invalid_client', 'client authentication failed')
  return json(200, await activityOf(op, client, requireToken(form)), NO_STORE)
}

export function requireToken(form: Form): string {
  const token = form.get('token')
  if (token === undefined) throw new OAuthError('invalid_request', 'token is missing')
  return token
}

/** Everything that is not an access token which this caller may know about is not active. */
async function activityOf(op: Provider, client: Client, token: string): Promise<object> {
  const claims = await verifyAccessToken(op, token)
  if (!claims || !(await mayKnow(op, client, claims)) || !(await isActive(op, claims)))
    return INACTIVE
  const scopes = await stillGranted(op, claims)
  if (scopes.length === 0) return INACTIVE
  const scope = scopes.join(' ')
  return { active: true, token_type: 'Bearer', ...claims, scope, decision_id: claims.jti }
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
  const apis = [claims.aud].flat().map((audience) => policy.apisByAudience.get(String(audience)))
  return apis.some((api) => api?.introspectors.includes(application.id))
}
