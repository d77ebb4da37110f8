import { findWaiting, finishSignIn } from '../accounts/finish-sign-in'
import { factorProof, type TypedFactor } from '../accounts/second-factor'
import { stepUp } from '../accounts/step-up'
import { op } from '../op'
import { forgetWaiting, keepDeviceToken, waitingSignIn } from './browser-memory'
import { isOwnInteraction, type OpenInteraction } from './open-interaction'
import {
  beginSession,
  currentSession,
  requireUser,
  type Session,
  signInFrom,
  thisBrowser,
} from './session'

/** The page for the second factor: within a sign-in, or because an application asks for more. */

/** Within a sign-in, because an application asks for more, or because a page of the portal does. */
type FactorReason = 'sign-in' | 'application' | 'page'
export type FactorRequest = { userId: string; by: FactorReason }

/**
 * The user whom the page asks; null if there is none. While an action is answered, the sign-in is
 * finished already, so the page is rendered from the session.
 */
export async function askedForFactor(
  interaction: string | null,
  raises: boolean,
): Promise<FactorRequest | null> {
  const session = await currentSession()
  if (interaction !== null) {
    const own = session && (await isOwnInteraction(interaction))
    return own ? { userId: session.user.id, by: 'application' } : null
  }
  if (raises) return session && { userId: session.user.id, by: 'page' }
  const portal = await op()
  const waiting = waitingSignIn(portal, await thisBrowser())
  const userId = (waiting && (await findWaiting(portal, waiting))) ?? session?.user.id
  return userId === undefined ? null : { userId, by: 'sign-in' }
}

export type FactorProblem = 'missing' | 'wrong' | 'slow_down' | 'expired'
export type FactorResult =
  | { ok: true; goTo: string }
  | { ok: false; problem: FactorProblem; retryAfterSeconds?: number }

const EXPIRED = { ok: false, problem: 'expired' } as const
const MISSING = { ok: false, problem: 'missing' } as const

export async function answerForPage(typed: TypedFactor, returnTo: string): Promise<FactorResult> {
  return raise(await requireUser(), typed, returnTo)
}

export function answerStepUp(open: OpenInteraction, typed: TypedFactor): Promise<FactorResult> {
  return raise(open.session, typed, open.resumeAt)
}

async function raise(session: Session, typed: TypedFactor, goTo: string): Promise<FactorResult> {
  const portal = await op()
  const from = await signInFrom()
  const proof = await factorProof(portal, session.user.id, typed, from)
  if (!proof) return MISSING
  const result = await stepUp(portal, session, proof, from)
  if (!result.ok) return result
  await beginSession(result.started)
  return { ok: true, goTo }
}

export async function answerWaiting(
  typed: TypedFactor,
  { trust, returnTo }: { trust: boolean; returnTo: string },
): Promise<FactorResult> {
  const portal = await op()
  const browser = await thisBrowser()
  const waiting = waitingSignIn(portal, browser)
  const userId = waiting && (await findWaiting(portal, waiting))
  if (!waiting || !userId) return EXPIRED
  const from = await signInFrom()
  const proof = await factorProof(portal, userId, typed, from)
  if (!proof) return MISSING
  const result = await finishSignIn(portal, waiting, userId, { proof, trust }, from)
  if (!result.ok) return result
  await beginSession(result.started)
  forgetWaiting(portal, browser)
  if (result.deviceToken !== null) keepDeviceToken(portal, browser, result.deviceToken)
  return { ok: true, goTo: returnTo }
}
