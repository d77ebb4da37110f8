import { type Incoming, NO_STORE, type Reply } from '../base/http'
import type { AuditEvent } from './audit-event'
import type { Client } from './client'
import { authenticateClient } from './client-auth'
import { isOAuthError } from './errors'
import { requireToken } from './introspect'
import { readForm } from './params'
import type { Provider } from './provider'
import { recordTokenRefusal } from './refusal'
import { verifyAccessToken } from './verify'

/** POST /oidc/token/revocation (RFC 7009): 200 for every token, once it is invalid. */
export async function revoke(op: Provider, incoming: Incoming): Promise<Reply> {
  const form = await readForm(incoming)
  const client = await authenticateClient(op, incoming, form)
  try {
    const token = requireToken(form)
    if (!(await revokeRefreshToken(op, client, incoming, token)))
      await revokeAccessToken(op, client, token)
  } catch (error) {
    if (isOAuthError(error)) recordTokenRefusal(op, client, incoming, error)
    throw error
  }
  return { status: 200, headers: { ...NO_STORE }, body: '' }
}

/**
 * Revokes the refresh family and its token grant (RFC 7009 §2.1). True if it was a refresh token.
 */
async function revokeRefreshToken(
  op: Provider,
  client: Client,
  incoming: Incoming,
  token: string,
): Promise<boolean> {
  const stored = await op.refreshTokens.find(op.hashSecret(token))
  if (!stored) return false
  const grant = await op.tokenGrants.find(stored.tokenGrantId, op.now())
  if (grant?.applicationId === client.application.id) {
    await op.tokenGrants.revoke(grant.id, 'revoked', op.now(), revoked(client, incoming, grant.id))
  }
  return true
}

/** A token of another client is not revoked, and the answer is the same. */
async function revokeAccessToken(op: Provider, client: Client, token: string): Promise<void> {
  const claims = await verifyAccessToken(op, token)
  if (!claims) return
  const clientId = String(claims.client_id)
  const { credentials } = await op.snapshot({ clients: [clientId] })
  if (credentials.get(clientId)?.application.id !== client.application.id) return
  await op.revokedTokens.add(String(claims.jti), new Date(Number(claims.exp) * 1000))
}

function revoked(client: Client, incoming: Incoming, grantId: string): AuditEvent {
  return {
    event: 'token.revoked',
    result: 'success',
    actorKind: 'client',
    actorId: client.id,
    applicationId: client.application.id,
    targetKind: 'token_grant',
    targetId: grantId,
    ip: incoming.ip,
    requestId: incoming.requestId,
    detail: {},
  }
}
