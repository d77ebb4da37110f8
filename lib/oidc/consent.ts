import { decideScopes, OPENID_SCOPES, type Question } from '../access/decide-scopes'
import { expandScopes } from '../access/expand'
import type { Incoming } from '../http'
import type { Ask } from './ask'
import type { Application, Credential } from './client'
import { userContext } from './context'
import { OAuthError } from './errors'
import type { BrowserSession, Interaction, Op } from './provider'
import { askedBy, isAdmitted } from './scopes'

/** What there is to agree to: the decision first, then what the person has said about it. */

export type Weighed = {
  granted: string[]
  refused: string[]
  /** What was said before: true, false, or not in the map. */
  answered: ReadonlyMap<string, boolean>
  undecided: string[]
  /** The application lets the person in at all. */
  admitted: boolean
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
  const question: Question = {
    ...askedBy({ application, accessKey }),
    scopes: expandScopes(policy, ask.scopes),
    userId: session.user.id,
    withheld: null,
    audiences: ask.resources,
    context: userContext(
      op,
      incoming,
      { id: ask.clientId, application, accessKey },
      session,
      policy.users.get(session.user.id)?.attributes ?? {},
    ),
  }
  const withheld = ask.prompt.includes('consent') ? null : saidNo(answered)
  const admitted = isAdmitted(policy, application, { ...question, withheld })
  const decisions = decideScopes(policy, question)
  const granted = decisions.filter((decision) => decision.granted).map(({ scope }) => scope)
  const refused = decisions.filter((decision) => !decision.granted).map(({ scope }) => scope)
  const undecided = granted.filter((scope) => !answered.has(scope))
  return { granted, refused, answered, undecided, admitted }
}

export function saidNo(answered: ReadonlyMap<string, boolean>): Set<string> {
  return new Set([...answered].filter(([, yes]) => !yes).map(([scope]) => scope))
}

export function requireWeighed(
  { granted, refused, admitted }: Weighed,
  application: Application,
): void {
  if (!admitted) {
    throw new OAuthError('access_denied', 'the user may not use the application')
  }
  if (granted.length === 0 || (application.strictScopes && refused.length > 0)) {
    throw new OAuthError('invalid_scope', 'the requested scope is refused')
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
