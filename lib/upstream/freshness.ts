import type { AuthorizationRequest } from '../oidc/authorization-request'
import { provenSince } from '../oidc/interaction'
import type { ProviderKind, UpstreamProvider } from '../settings/providers'
import type { UpstreamPerson } from './person'

/**
 * Did the user prove who they are just now? Only the provider knows. It is asked (`prompt`,
 * `max_age`) and must say when (`auth_time`). A provider that does not say so does not count.
 */

const CLOCKS_DIFFER_MS = 60_000

/** Google and GitHub ignore `max_age` and do not say when the user signed in. */
const SAYS_WHEN: Record<ProviderKind, boolean> = {
  oidc: true,
  microsoft: true,
  google: false,
  github: false,
}

export function saysWhen({ kind }: Pick<UpstreamProvider, 'kind'>): boolean {
  return SAYS_WHEN[kind]
}

/** The time since when it must be, and the parameters that ask for it. */
export type Demand = { notBefore: Date; wishes: Record<string, string> }

/** With `max_age` the provider must say when it was (OpenID Connect Core §2). */
const AGAIN = { prompt: 'login', max_age: '0' }

export function justNow(now: Date): Demand {
  return { notBefore: now, wishes: AGAIN }
}

/** What an authorization request requires; null if any time is accepted. */
export function demandOf(ask: AuthorizationRequest): Demand | null {
  const since = provenSince(ask)
  if (since === null) return null
  const now = ask.prompt.includes('login') || ask.maxAge === 0
  return { notBefore: new Date(since), wishes: now ? AGAIN : { max_age: String(ask.maxAge) } }
}

export function isFresh({ authTime }: Pick<UpstreamPerson, 'authTime'>, notBefore: Date): boolean {
  return authTime !== null && notBefore.getTime() - authTime.getTime() <= CLOCKS_DIFFER_MS
}

/**
 * OpenID Connect Core §3.1.3.7 leaves it to the client which `iat` it refuses. A token of the future
 * is one that somebody made in advance, or of a clock that says nothing about `auth_time` either.
 */
export function isOfTheFuture({ iat }: { iat?: unknown }, now: Date): boolean {
  return typeof iat === 'number' && iat * 1000 - now.getTime() > CLOCKS_DIFFER_MS
}

/** For a session of the portal: the provider's time, corrected if the clocks differ. */
export function provenAt(
  { authTime }: Pick<UpstreamPerson, 'authTime'>,
  notBefore: Date | null,
  now: Date,
): Date | null {
  if (authTime === null) return null
  const late = Math.max(authTime.getTime(), notBefore?.getTime() ?? 0)
  return new Date(Math.min(late, now.getTime()))
}
