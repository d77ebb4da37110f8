import { failpoint } from '../base/failpoint'
import type { Incoming } from '../base/http'
import type { Op } from '../context/op'
import { findOwnInteraction } from '../oidc/authorize'
import { type ConsentView, consentView } from '../oidc/consent'
import { paths } from '../oidc/paths'
import type { Interaction } from '../oidc/stores'
import type { Session } from '../store/accounts/sessions'
import { saveConsent } from '../store/tokens/consents'
import { denyInteraction } from '../store/tokens/interactions'

/** A user answers the consent page. */

export type OpenConsent = { interaction: Interaction; session: Session; view: ConsentView }

/** Null if it belongs to another browser or has ended; 'signed_out' if no user is signed in. */
export async function findConsent(
  op: Op,
  browser: Pick<Incoming, 'headers' | 'ip'>,
  session: Session | null,
  id: string,
): Promise<OpenConsent | 'signed_out' | null> {
  const interaction = await findOwnInteraction(op, browser, id)
  if (!interaction) return null
  if (!session) return 'signed_out'
  const view = await consentView(op, browser, interaction, session)
  return view && { interaction, session, view }
}

/** Signing in is one choice; of the rest, what is ticked or required. Returns the next URL. */
export async function agree(
  op: Op,
  { interaction, session, view }: OpenConsent,
  ticked: readonly string[],
): Promise<string> {
  const agreed = view.items.filter(({ scope, required }) => required || ticked.includes(scope))
  const granted = [...view.signIn, ...agreed.map(({ scope }) => scope)]
  const refused = view.items.map(({ scope }) => scope).filter((scope) => !granted.includes(scope))
  await op.write(async (tx, audit) => {
    await saveConsent(tx, {
      interactionId: interaction.id,
      userId: session.user.id,
      applicationId: view.applicationId,
      granted,
      refused,
      now: op.now(),
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

/** Returns the next URL. */
export async function disagree(
  op: Op,
  { interaction, session, view }: OpenConsent,
): Promise<string> {
  await op.write(async (tx, audit) => {
    await denyInteraction(tx, interaction.id)
    // A user who may not use the application had nothing to refuse.
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
