import { isUsable } from './client'
import type { Provider, TokenGrant } from './provider'
import type { VerifiedClaims } from './verify'

/** Is what a token says still so? Its own id is not revoked, and the grant it names is alive. */

export async function isRevoked(op: Provider, claims: VerifiedClaims): Promise<boolean> {
  return typeof claims.jti !== 'string' || op.revokedTokens.has(claims.jti)
}

/** Null for a machine's token, and for one whose grant was revoked or has ended. */
export async function liveGrant(op: Provider, claims: VerifiedClaims): Promise<TokenGrant | null> {
  if (typeof claims.grant_id !== 'string' || (await isRevoked(op, claims))) return null
  const grant = await op.tokenGrants.find(claims.grant_id, op.now())
  return grant?.alive && (await isClientUsable(op, grant.accessKeyId ?? grant.applicationId))
    ? grant
    : null
}

/** A user's token stands on its grant, a machine's on its client. */
export async function isActive(op: Provider, claims: VerifiedClaims): Promise<boolean> {
  if (claims.grant_id !== undefined) return (await liveGrant(op, claims)) !== null
  return (await isClientUsable(op, String(claims.client_id))) && !(await isRevoked(op, claims))
}

/** The client is still there, and may be used. */
async function isClientUsable(op: Provider, clientId: string): Promise<boolean> {
  const { credentials } = await op.snapshot()
  const credential = credentials.get(clientId)
  return credential !== undefined && isUsable(credential, op.now())
}
