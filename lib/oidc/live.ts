import { isUsable } from './client'
import type { Provider, TokenGrant } from './provider'
import type { VerifiedClaims } from './verify'

/** Is a token still valid? Its ID is not revoked and its token grant is alive. */

export async function isRevoked(op: Provider, claims: VerifiedClaims): Promise<boolean> {
  return typeof claims.jti !== 'string' || op.revokedTokens.has(claims.jti)
}

/** Null for a machine's token, and if the token grant was revoked or has ended. */
export async function liveGrant(op: Provider, claims: VerifiedClaims): Promise<TokenGrant | null> {
  if (typeof claims.grant_id !== 'string' || (await isRevoked(op, claims))) return null
  const grant = await op.tokenGrants.find(claims.grant_id, op.now())
  return grant?.alive && (await isClientUsable(op, grant.accessKeyId ?? grant.applicationId))
    ? grant
    : null
}

/** A user's token depends on its token grant, a machine's on its client. */
export async function isActive(op: Provider, claims: VerifiedClaims): Promise<boolean> {
  if (claims.grant_id !== undefined) return (await liveGrant(op, claims)) !== null
  return (await isClientUsable(op, String(claims.client_id))) && !(await isRevoked(op, claims))
}

/** The client exists and can be used. */
async function isClientUsable(op: Provider, clientId: string): Promise<boolean> {
  const { credentials } = await op.snapshot({ clients: [clientId] })
  const credential = credentials.get(clientId)
  return credential !== undefined && isUsable(credential, op.now())
}
