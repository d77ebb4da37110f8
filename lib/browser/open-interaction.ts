import { headers } from 'next/headers'
import { findConsent, type OpenConsent } from '../accounts/consent'
import type { AuthorizationRequest } from '../oidc/authorization-request'
import { findOwnInteraction } from '../oidc/authorize'
import { paths } from '../oidc/paths'
import type { Interaction } from '../oidc/stores'
import { op } from '../op'
import { denyInteraction, markChosen } from '../store/tokens/interactions'
import { interactionIn } from './return-to'
import { currentSession, requestOrigin, type Session } from './session'

/** The stored authorization request behind the consent page. */

/** Null if it belongs to another browser or has ended; 'signed_out' if no user is signed in. */
export async function openConsent(id: string): Promise<OpenConsent | 'signed_out' | null> {
  const { ip } = await requestOrigin()
  return findConsent(await op(), { headers: await headers(), ip }, await currentSession(), id)
}

export type OpenInteraction = { interaction: Interaction; session: Session; resumeAt: string }

/**
 * Does it belong to this browser, and is it still open? Used by pages: while an action is answered,
 * the page is rendered with the old cookies, which do not show a session that was just renewed.
 */
export async function isOwnInteraction(id: string): Promise<boolean> {
  return (await findOwnInteraction(await op(), { headers: await headers() }, id)) !== null
}

/**
 * The request that a sign-in returns to; null if there is none, or if it belongs to another
 * browser.
 */
export async function askUnderWay(returnTo: string): Promise<AuthorizationRequest | null> {
  const id = interactionIn(returnTo)
  if (id === undefined) return null
  const found = await findOwnInteraction(await op(), { headers: await headers() }, id)
  return found?.ask ?? null
}

export type SignedInBefore = { why: 'asked' | 'tooOld'; email: string | null }

/**
 * Who is signed in and has to sign in again for this request, and why; null if nobody. OpenID
 * Connect Core §3.1.2.1, `prompt` and `max_age`.
 */
export async function signedInBefore(returnTo: string): Promise<SignedInBefore | null> {
  const ask = await askUnderWay(returnTo)
  const session = ask && (await currentSession())
  if (!session || (ask.hintedUserId ?? session.user.id) !== session.user.id) return null
  const { email } = session.user
  if (ask.prompt.includes('login')) return { why: 'asked', email }
  return ask.maxAge === null ? null : { why: 'tooOld', email }
}

/** For actions between sign-in and consent; null as above. */
export async function openInteraction(id: string): Promise<OpenInteraction | null> {
  const portal = await op()
  const session = await currentSession()
  const interaction = await findOwnInteraction(portal, { headers: await headers() }, id)
  if (!session || !interaction) return null
  return { interaction, session, resumeAt: `${paths.authorize}/${interaction.id}` }
}

/**
 * Sets the account for an application's request; returns the next URL, or null if the request has
 * ended.
 */
export async function chooseFor(id: string): Promise<string | null> {
  const portal = await op()
  if (!(await isOwnInteraction(id))) return null
  await portal.write((tx) => markChosen(tx, id, portal.now()))
  return `${paths.authorize}/${id}`
}

/** The application gets access_denied. */
export async function cancelInteraction(open: OpenInteraction): Promise<string> {
  const portal = await op()
  await portal.write((tx) => denyInteraction(tx, open.interaction.id))
  return open.resumeAt
}
