import { isUsable } from './client'
import { chainOf, claimsOfAncestors } from './exchanged'
import type { Provider } from './provider'
import { stillGranted } from './still-granted'
import type { TokenGrant } from './stores'
import type { VerifiedClaims } from './verify'

/** Is a token still valid? Its ID is not revoked and its token grant is alive. */

export async function isRevoked(op: Provider, claims: VerifiedClaims): Promise<boolean> {
  return typeof claims.jti !== 'string' || op.revokedTokens.has(claims.jti)
}

/** Null for a machine's token, and if the token grant was revoked or has ended. */
export async function liveGrant(op: Provider, claims: VerifiedClaims): Promise<TokenGrant | null> {
  if (typeof claims.grant_id !== 'string' || (await isRevoked(op, claims))) return null
  const grant = await op.tokenGrants.find(claims.grant_id, op.now())
  const usable =
    grant?.alive && (await isClientUsable(op, grant.accessKeyId ?? grant.applicationId))
  return usable && (await comesFromLive(op, claims)) ? grant : null
}

/**
 * An exchanged token is as alive as those that it comes from: every client on the way can be used,
 * no token was revoked, and of each something is still granted.
 */
async function comesFromLive(op: Provider, claims: VerifiedClaims): Promise<boolean> {
  const ancestors = claimsOfAncestors(claims)
  if (ancestors.length === 0) return true
  const usable = await Promise.all(chainOf(claims).map((id) => isClientUsable(op, id)))
  if (usable.includes(false)) return false
  const alive = await Promise.all(
    ancestors.map(
      async (ancestor) =>
        !(await isRevoked(op, ancestor)) && (await stillGranted(op, ancestor)).length > 0,
    ),
  )
  return !alive.includes(false)
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
