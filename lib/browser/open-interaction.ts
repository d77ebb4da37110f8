import { headers } from 'next/headers'
import { failpoint } from '../base/failpoint'
import type { Ask } from '../oidc/ask'
import { findOwnInteraction } from '../oidc/authorize'
import { type ConsentView, consentView } from '../oidc/consent'
import { paths } from '../oidc/paths'
import type { Interaction } from '../oidc/provider'
import { op } from '../op'
import { saveConsent } from '../store/consents'
import { denyInteraction, markChosen } from '../store/interactions'
import { interactionIn } from './return-to'
import { currentSession, requestOrigin, type Session } from './session'

/** The stored authorization request behind the consent page. */

export type OpenConsent = { interaction: Interaction; session: Session; view: ConsentView }

/** Null if it belongs to another browser or has ended; 'nobody' if nobody is signed in. */
export async function openConsent(id: string): Promise<OpenConsent | 'nobody' | null> {
  const portal = await op()
  const sent = await headers()
  const session = await currentSession()
  const interaction = await findOwnInteraction(portal, { headers: sent }, id)
  if (!interaction) return null
  if (!session) return 'nobody'
  const { ip } = await requestOrigin()
  const view = await consentView(portal, { headers: sent, ip }, interaction, session)
  return view && { interaction, session, view }
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
export async function askUnderWay(returnTo: string): Promise<Ask | null> {
  const id = interactionIn(returnTo)
  if (id === undefined) return null
  const found = await findOwnInteraction(await op(), { headers: await headers() }, id)
  return found?.ask ?? null
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

/** Signing in is one choice; of the rest, what is ticked or required. Returns the next URL. */
export async function agree(open: OpenConsent, ticked: readonly string[]): Promise<string> {
  const { interaction, session, view } = open
  const portal = await op()
  const agreed = view.items.filter(({ scope, required }) => required || ticked.includes(scope))
  const granted = [...view.signIn, ...agreed.map(({ scope }) => scope)]
  const refused = view.items.map(({ scope }) => scope).filter((scope) => !granted.includes(scope))
  await portal.write(async (tx, audit) => {
    await saveConsent(tx, {
      interactionId: interaction.id,
      userId: session.user.id,
      applicationId: view.applicationId,
      granted,
      refused,
      now: portal.now(),
    })
    audit({
      event: 'consent.given',
      result: 'success',
      actorKind: 'user',
      actorId: session.user.id,
      applicationId: view.applicationId,
      detail: { granted, refused },
    })
  })
  failpoint('consent:committed')
  return `${paths.authorize}/${interaction.id}`
}

export async function disagree({ interaction, session, view }: OpenConsent): Promise<string> {
  const portal = await op()
  await portal.write(async (tx, audit) => {
    await denyInteraction(tx, interaction.id)
    // There was nothing to say no to.
    if (view.keptOut) return
    audit({
      event: 'consent.denied',
      result: 'failure',
      actorKind: 'user',
      actorId: session.user.id,
      applicationId: view.applicationId,
      detail: {},
    })
  })
  return `${paths.authorize}/${interaction.id}`
}
