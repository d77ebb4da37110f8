import { confirmWithUpstream } from '../accounts/confirm'
import { linkIdentity } from '../accounts/identities'
import { signInWithUpstream, type UpstreamProblem } from '../accounts/upstream'
import type { Op } from '../context/op'
import { op } from '../op'
import { findProvider, isSameProvider, type UpstreamProvider } from '../settings/providers'
import { isFresh, provenAt } from '../upstream/freshness'
import type { UpstreamPerson } from '../upstream/person'
import { enter } from './after-sign-in'
import { currentLocale } from './locale'
import { endDance } from './oauth-steps'
import { beginSession, currentSession, requestOrigin, type Session, signInFrom } from './session'
import { type Journey, takeJourney } from './upstream-request'

/**
 * The return from a provider: every error ends at a page of the portal, and only a verified user is
 * signed in.
 */

export type LandingProblem =
  | UpstreamProblem
  | 'cancelled'
  | 'failed'
  | 'expired'
  | 'identity_taken'
  | 'not_you'
  | 'not_fresh'

/** The next URL; null if the provider does not exist. */
export async function land(
  providerId: string,
  query: Record<string, string>,
): Promise<string | null> {
  const house = await op()
  const provider = await findProvider(house, providerId)
  if (!provider) return null
  const taken = await takeJourney(house, provider)
  if (!taken) return refuse(house, provider, null, 'expired')
  const { journey, cookies } = taken
  // The provider was replaced meanwhile: the new one must not get what was meant for the old one.
  if (!isSameProvider(journey.provider, provider)) {
    return refuse(house, provider, journey, 'failed')
  }
  if (query.error !== undefined) {
    const problem = query.error === 'access_denied' ? 'cancelled' : 'failed'
    return refuse(house, provider, journey, problem)
  }
  const person = await endDance(house, provider, query, cookies)
  if (!person) return refuse(house, provider, journey, 'failed')
  const arrived = await arrivals[journey.intent](house, journey, person)
  return typeof arrived === 'string' ? arrived : refuse(house, provider, journey, arrived.problem)
}

type Arrival = string | { problem: LandingProblem }

const arrivals: Record<
  Journey['intent'],
  (op: Op, journey: Journey, person: UpstreamPerson) => Promise<Arrival>
> = {
  async 'sign-in'(house, { provider, returnTo, notBefore }, person) {
    if (notBefore && !isFresh(person, notBefore)) return { problem: 'not_fresh' }
    const proven = provenAt(person, notBefore, house.now())
    const from = { ...(await signInFrom()), locale: await currentLocale() }
    const result = await signInWithUpstream(house, { ...from, person, returnTo, provenAt: proven })
    return result.ok ? enter(result, provider.id, returnTo) : result
  },

  async link(house, journey, person) {
    const session = await sameSession(journey)
    if (!session) return { problem: 'expired' }
    const result = await linkIdentity(house, session, person, await requestOrigin())
    if (!result.ok) return result
    await beginSession(result.started)
    return '/account/security?done=identityLinked'
  },

  async confirm(house, journey, person) {
    const session = await sameSession(journey)
    if (!session) return { problem: 'expired' }
    const proof = { person, since: journey.startedAt }
    const result = await confirmWithUpstream(house, session, proof, await requestOrigin())
    return result.ok ? journey.returnTo : result
  },
}

/** A request that began in one session cannot be finished in another. */
async function sameSession({ sessionId }: Journey): Promise<Session | null> {
  const session = await currentSession()
  return session?.id === sessionId ? session : null
}

const BACK: Record<Journey['intent'], string> = {
  'sign-in': '/login',
  link: '/account/security/identities',
  confirm: '/account/confirm',
}

async function refuse(
  house: Op,
  { id }: UpstreamProvider,
  journey: Journey | null,
  problem: LandingProblem,
): Promise<string> {
  const { intent, returnTo } = journey ?? { intent: 'sign-in', returnTo: '/' }
  if (intent === 'sign-in') await recordFailure(house, id, problem)
  const query = new URLSearchParams({ problem, provider: id })
  if (returnTo !== '/') query.set('returnTo', returnTo)
  return `${BACK[intent]}?${query}`
}

async function recordFailure(house: Op, provider: string, problem: LandingProblem): Promise<void> {
  const { ip } = await requestOrigin()
  house.meter.login(problem)
  house.record({
    event: 'login.failed',
    result: 'failure',
    actorKind: 'user',
    actorId: null,
    ip,
    detail: { method: 'upstream', provider, problem },
  })
}
