import { confirmWithUpstream } from '../accounts/confirm'
import { linkIdentity } from '../accounts/identities'
import { signInWithUpstream, type UpstreamProblem } from '../accounts/upstream'
import type { Op } from '../context/op'
import { op } from '../op'
import { findProvider, isSameProvider, type UpstreamProvider } from '../settings/providers'
import { isFresh, provenAt } from '../upstream/freshness'
import type { UpstreamPerson } from '../upstream/person'
import { currentLocale } from './locale'
import { finishOAuth } from './oauth-steps'
import {
  afterSignIn,
  beginSession,
  currentSession,
  requestOrigin,
  type Session,
  signInFrom,
} from './session'
import { takeUpstreamRequest, type UpstreamRequest } from './upstream-request'

/**
 * The return from a provider: every error ends at a page of the portal, and only a verified user is
 * signed in.
 */

type CallbackProblem =
  | UpstreamProblem
  | 'cancelled'
  | 'failed'
  | 'expired'
  | 'identity_taken'
  | 'not_you'
  | 'not_fresh'

/** The next URL; null if the provider does not exist. */
export async function finishUpstream(
  providerId: string,
  query: Record<string, string>,
): Promise<string | null> {
  const portal = await op()
  const provider = await findProvider(portal, providerId)
  if (!provider) return null
  const taken = await takeUpstreamRequest(portal, provider)
  if (!taken) return refuse(portal, provider, null, 'expired')
  const { upstreamRequest, cookies } = taken
  // The provider was replaced meanwhile: the new one must not get what was meant for the old one.
  if (!isSameProvider(upstreamRequest.provider, provider)) {
    return refuse(portal, provider, upstreamRequest, 'failed')
  }
  if (query.error !== undefined) {
    const problem = query.error === 'access_denied' ? 'cancelled' : 'failed'
    return refuse(portal, provider, upstreamRequest, problem)
  }
  const person = await finishOAuth(portal, provider, query, cookies)
  if (!person) return refuse(portal, provider, upstreamRequest, 'failed')
  const arrived = await arrivals[upstreamRequest.intent](portal, upstreamRequest, person)
  return typeof arrived === 'string'
    ? arrived
    : refuse(portal, provider, upstreamRequest, arrived.problem)
}

type CallbackOutcome = string | { problem: CallbackProblem }

const arrivals: Record<
  UpstreamRequest['intent'],
  (op: Op, upstreamRequest: UpstreamRequest, person: UpstreamPerson) => Promise<CallbackOutcome>
> = {
  async 'sign-in'(portal, { provider, returnTo, notBefore }, person) {
    if (notBefore && !isFresh(person, notBefore)) return { problem: 'not_fresh' }
    const proven = provenAt(person, notBefore, portal.now())
    const from = { ...(await signInFrom()), locale: await currentLocale() }
    const result = await signInWithUpstream(portal, { ...from, person, returnTo, provenAt: proven })
    return result.ok ? afterSignIn(result, provider.id, returnTo) : result
  },

  async link(portal, upstreamRequest, person) {
    const session = await sameSession(upstreamRequest)
    if (!session) return { problem: 'expired' }
    const result = await linkIdentity(portal, session, person, await requestOrigin())
    if (!result.ok) return result
    await beginSession(result.started)
    return '/account/security?done=identityLinked'
  },

  async confirm(portal, upstreamRequest, person) {
    const session = await sameSession(upstreamRequest)
    if (!session) return { problem: 'expired' }
    const proof = { person, since: upstreamRequest.startedAt }
    const result = await confirmWithUpstream(portal, session, proof, await requestOrigin())
    return result.ok ? upstreamRequest.returnTo : result
  },
}

/** A request that began in one session cannot be finished in another. */
async function sameSession({ sessionId }: UpstreamRequest): Promise<Session | null> {
  const session = await currentSession()
  return session?.id === sessionId ? session : null
}

const BACK: Record<UpstreamRequest['intent'], string> = {
  'sign-in': '/login',
  link: '/account/security/identities',
  confirm: '/account/confirm',
}

async function refuse(
  portal: Op,
  { id }: UpstreamProvider,
  upstreamRequest: UpstreamRequest | null,
  problem: CallbackProblem,
): Promise<string> {
  const { intent, returnTo } = upstreamRequest ?? { intent: 'sign-in', returnTo: '/' }
  if (intent === 'sign-in') await recordFailure(portal, id, problem)
  const query = new URLSearchParams({ problem, provider: id })
  if (returnTo !== '/') query.set('returnTo', returnTo)
  return `${BACK[intent]}?${query}`
}

async function recordFailure(
  portal: Op,
  provider: string,
  problem: CallbackProblem,
): Promise<void> {
  const { ip } = await requestOrigin()
  portal.meter.login(problem)
  portal.record({
    event: 'login.failed',
    result: 'failure',
    actorKind: 'user',
    actorId: null,
    ip,
    detail: { method: 'upstream', provider, problem },
  })
}
