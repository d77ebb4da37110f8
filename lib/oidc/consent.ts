import { decideScopes, OPENID_SCOPES } from '../access/decide-scopes'
import { expandScopes } from '../access/expand'
import type { Incoming } from '../http'
import type { Ask } from './ask'
import type { Application, Credential } from './client'
import { userContext } from './context'
import { OAuthError } from './errors'
import type { BrowserSession, Interaction, Op } from './provider'

/** What there is to agree to: the decision first, then what the person has said about it. */

export type Weighed = {
  granted: string[]
  refused: string[]
  /** What was said before: true, false, or not in the map. */
  answered: ReadonlyMap<string, boolean>
  undecided: string[]
}

type Request = Pick<Incoming, 'headers' | 'ip'>

export async function weighConsent(
  op: Op,
  incoming: Request,
  ask: Ask,
  { application, accessKey }: Credential,
  session: BrowserSession,
): Promise<Weighed> {
  const { policy } = await op.snapshot()
  const answered = await op.consents.find(session.user.id, application.id)
  const decisions = decideScopes(policy, {
    scopes: expandScopes(policy, ask.scopes),
    applicationId: application.id,
    accessKey,
    userId: session.user.id,
    withheld: null,
    audiences: ask.resources,
    context: userContext(op, incoming, { id: ask.clientId, application, accessKey }, session),
  })
  const granted = decisions.filter((decision) => decision.granted).map(({ scope }) => scope)
  const refused = decisions.filter((decision) => !decision.granted).map(({ scope }) => scope)
  return { granted, refused, answered, undecided: granted.filter((scope) => !answered.has(scope)) }
}

/** How an application says who may sign in: without its required scopes, nobody. */
export function requireWeighed(
  { granted, refused, answered }: Weighed,
  ask: Ask,
  application: Application,
  session: BrowserSession | null,
): void {
  const withheld = granted.filter((scope) => answered.get(scope) === false)
  const lacking = [...refused, ...(ask.prompt.includes('consent') ? [] : withheld)]
  if (application.requiredScopes.some((scope) => lacking.includes(scope))) {
    throw new OAuthError('access_denied', 'the user may not use the application')
  }
  if (granted.length === 0 || (application.strictScopes && refused.length > 0)) {
    throw new OAuthError('invalid_scope', 'the requested scope is refused')
  }
  if (ask.essentialAcr !== null && !ask.essentialAcr.includes(session?.acr ?? '')) {
    throw new OAuthError('unmet_authentication_requirements', 'the requested acr cannot be met')
  }
}

export type ConsentItem = {
  scope: string
  apiName: string
  sentences: Record<string, string>
  required: boolean
  ticked: boolean
}

export type ConsentView = {
  applicationId: string
  applicationName: string
  redirectHost: string
  /** Agreed to together, by signing in at all. */
  signIn: string[]
  /** Each a choice of its own. */
  items: ConsentItem[]
}

/** For the consent page; null when the application is gone. */
export async function consentView(
  op: Op,
  incoming: Request,
  { ask }: Interaction,
  session: BrowserSession,
): Promise<ConsentView | null> {
  const { credentials } = await op.snapshot()
  const credential = credentials.get(ask.clientId)
  if (!credential) return null
  const { granted, answered } = await weighConsent(op, incoming, ask, credential, session)
  const described = await op.consents.describe(granted)
  const others = granted.filter((scope) => !OPENID_SCOPES.has(scope))
  return {
    applicationId: credential.application.id,
    applicationName: credential.application.name,
    redirectHost: hostOf(ask.redirectUri),
    signIn: granted.filter((scope) => OPENID_SCOPES.has(scope)),
    items: others.map((scope) => ({
      scope,
      apiName: described.get(scope)?.apiName ?? '',
      sentences: described.get(scope)?.sentences ?? {},
      required: credential.application.requiredScopes.includes(scope),
      ticked: answered.get(scope) ?? true,
    })),
  }
}

function hostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  return host === '' ? protocol : host
}
