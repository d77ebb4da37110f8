import type { Ask } from '../oidc/ask'
import { provenSince } from '../oidc/interaction'
import type { ProviderKind, UpstreamProvider } from '../settings/providers'
import type { UpstreamPerson } from './person'

/**
 * Did somebody prove who they are just now? Only the provider knows: it is asked (`prompt`,
 * `max_age`) and has to say when it was (`auth_time`). One that does not say does not count.
 */

const CLOCKS_DIFFER_MS = 60_000

/** Google and GitHub take no `max_age`, and tell nobody when it was. */
const SAYS_WHEN: Record<ProviderKind, boolean> = {
  oidc: true,
  microsoft: true,
  google: false,
  github: false,
}

export function saysWhen({ kind }: Pick<UpstreamProvider, 'kind'>): boolean {
  return SAYS_WHEN[kind]
}

/** Since when it has to be, and how a provider is asked for that. */
export type Demand = { notBefore: Date; wishes: Record<string, string> }

/** With `max_age` it has to say when it was (OpenID Connect Core §2). */
const AGAIN = { prompt: 'login', max_age: '0' }

export function justNow(now: Date): Demand {
  return { notBefore: now, wishes: AGAIN }
}

/** What an authorization request asks for; null: it may be as long ago as it likes. */
export function demandOf(ask: Ask): Demand | null {
  const since = provenSince(ask)
  if (since === null) return null
  const now = ask.prompt.includes('login') || ask.maxAge === 0
  return { notBefore: new Date(since), wishes: now ? AGAIN : { max_age: String(ask.maxAge) } }
}

export function isFresh({ authTime }: Pick<UpstreamPerson, 'authTime'>, notBefore: Date): boolean {
  return authTime !== null && notBefore.getTime() - authTime.getTime() <= CLOCKS_DIFFER_MS
}

/** For a session of ours: as the provider says, put right where its clock and ours differ. */
export function provenAt(
  { authTime }: Pick<UpstreamPerson, 'authTime'>,
  notBefore: Date | null,
  now: Date,
): Date | null {
  if (authTime === null) return null
  const late = Math.max(authTime.getTime(), notBefore?.getTime() ?? 0)
  return new Date(Math.min(late, now.getTime()))
}
