import { saidNo } from './consent'
import type { Provider } from './provider'
import type { VerifiedClaims } from './verify'

/**
 * Tokens that came from a token exchange (RFC 8693). They carry what is needed of the tokens that
 * they come from, so that they end with any of them, and no exchange costs a database write.
 */

/**
 * A token that another was exchanged for: its ID, its client and its scopes of APIs that the service
 * serves. `beside`: those of other APIs, if it had any.
 */
export type Ancestor = { jti: string; client_id: string; scope: string; beside?: string }

/** The newest first; empty for a token that was not exchanged. */
export function ancestorsOf({ exchanged }: VerifiedClaims): readonly Ancestor[] {
  // The portal signed it, and writes nothing else there.
  return Array.isArray(exchanged) ? (exchanged as Ancestor[]) : []
}

/** The same as claims, of which each can be decided about again. */
export function claimsOfAncestors(claims: VerifiedClaims): VerifiedClaims[] {
  const { sub, grant_id } = claims
  const ancestors = ancestorsOf(claims)
  return ancestors.map((ancestor, at) => {
    const earlier = ancestors.slice(at + 1)
    return { ...ancestor, sub, grant_id, ...(earlier.length > 0 && { exchanged: earlier }) }
  })
}

/** What a token and each that it comes from carried, the newest first. */
export function carriedBy(claims: VerifiedClaims): string[][] {
  const earlier = ancestorsOf(claims).map(({ scope, beside = '' }) => `${scope} ${beside}`)
  return [String(claims.scope), ...earlier].map(scopesIn)
}

export function scopesIn(scope: unknown): string[] {
  return String(scope)
    .split(' ')
    .filter((one) => one !== '')
}

/** Every client that the request went through, the newest first. */
export function chainOf(claims: VerifiedClaims): string[] {
  return [String(claims.client_id), ...ancestorsOf(claims).map(({ client_id }) => client_id)]
}

/**
 * The user agreed to the first application; for the others an admin or an API owner decides. What
 * the user refused to either of them stays refused.
 */
export async function refusedByUser(
  op: Provider,
  userId: string,
  applicationIds: readonly string[],
): Promise<Set<string>> {
  const answers = await Promise.all(applicationIds.map((id) => op.consents.find(userId, id)))
  return new Set(answers.flatMap((answered) => [...saidNo(answered)]))
}
