import { type Acr, satisfies } from '../access/acr'
import { type Decision, decideInTurns, OPENID_SCOPES, type Question } from '../access/decide-scopes'
import { expandScopes } from '../access/expand'
import type { Policy } from '../access/policy'
import { changesPortal, mcpAudience } from '../access/portal-api'
import { audienceOf } from '../access/resource'
import type { Incoming } from '../base/http'
import { contextDigest, nextMembers } from './access-request'
import type { AuthorizationRequest } from './authorization-request'
import { type Application, type Credential, DEVICE_CODE } from './client'
import { userContext } from './context'
import { OAuthError } from './errors'
import { isTooLittle, missingFrom, type RequestableScope, requestableIn } from './missing'
import { scopesForNames } from './named-claims'
import type { BrowserSession, Provider } from './provider'
import { placeOf } from './redirect-uri'
import { askedBy, isAdmitted } from './scopes'
import type { ApplicationFace, Interaction, ItemDescription } from './stores'

/** What the user can consent to: first the scope decision, then the user's earlier answers. */

export type ConsentState = {
  granted: string[]
  refused: string[]
  /** Earlier answers: true, false, or absent. */
  answered: ReadonlyMap<string, boolean>
  undecided: string[]
  /** Scopes for claims that are asked for by name. */
  named: string[]
  /** Scopes that would be granted after a step-up, with the required `acr`. */
  provable: { scope: string; acr: Acr }[]
  /** Scopes that the user may ask for. */
  requestable: RequestableScope[]
  /** What keeps the user out, if they may ask for all of it. */
  missing: RequestableScope[]
  /** Whether the user may use the application at all. */
  admitted: boolean
  /** The token can change the portal, and nobody is asked to confirm the changes. */
  unconfirmed: boolean
}

type Request = Pick<Incoming, 'headers' | 'ip'>

export async function weighConsent(
  op: Provider,
  incoming: Request,
  ask: AuthorizationRequest,
  { application, accessKey }: Credential,
  session: BrowserSession,
): Promise<ConsentState> {
  const { policy } = await op.snapshot({ clients: [ask.clientId], users: [session.user.id] })
  const answered = await op.consents.find(session.user.id, application.id)
  const question: Question = {
    scopes: expandScopes(policy, ask.scopes),
    userId: session.user.id,
    withheld: null,
    audiences: ask.resources,
    context: userContext(
      op,
      incoming,
      { id: ask.clientId, application, accessKey },
      ask.device ? { ...session, grantType: DEVICE_CODE } : session,
      policy,
    ),
    ...askedBy({ application, accessKey }),
  }
  const withheld = ask.prompt.includes('consent') ? null : saidNo(answered)
  const admitted = await isAdmitted(policy, application, { ...question, withheld })
  const decisions = await decideInTurns(policy, question)
  const granted = decisions.filter((decision) => decision.granted).map(({ scope }) => scope)
  const refused = decisions.filter((decision) => !decision.granted).map(({ scope }) => scope)
  const named = await scopesForNames(policy, question, ask.claims, granted)
  const undecided = [...granted, ...named].filter((scope) => !answered.has(scope))
  const outcome = { admitted, granted, refused }
  const whole = { ...question, withheld }
  return {
    ...outcome,
    answered,
    undecided,
    named,
    provable: decisions.flatMap(provableBy),
    requestable: requestableIn(policy, question, decisions),
    missing: await missingFrom(policy, application, whole, decisions, outcome),
    unconfirmed: granted.some((scope) => isUnconfirmed(op, policy, ask, scope)),
  }
}

/** At the MCP server the user confirms each change; at the API nobody does. */
function isUnconfirmed(
  op: Provider,
  policy: Policy,
  { resources }: AuthorizationRequest,
  scope: string,
): boolean {
  const item = changesPortal(scope) ? policy.items.get(scope) : undefined
  if (!item) return false
  return audienceOf(policy, item.api, resources) !== mcpAudience(op.origin)
}

function provableBy(decision: Decision): { scope: string; acr: Acr }[] {
  if (decision.granted || decision.code !== 'mfa_required' || !decision.acr) return []
  return [{ scope: decision.scope, acr: decision.acr }]
}

export function saidNo(answered: ReadonlyMap<string, boolean>): Set<string> {
  return new Set([...answered].filter(([, yes]) => !yes).map(([scope]) => scope))
}

/** A page says what is missing and how to ask for it, before the application is told no. */
export function canAskInstead(
  { prompt }: AuthorizationRequest,
  { missing }: Pick<ConsentState, 'missing'>,
): boolean {
  return missing.length > 0 && !prompt.includes('none')
}

export function requireWeighed(weighed: ConsentState, application: Application): void {
  if (!weighed.admitted) {
    throw new OAuthError(
      'access_denied',
      'the user may not use the application',
      'user_not_admitted',
    )
  }
  if (isTooLittle(application, weighed)) {
    throw new OAuthError('invalid_scope', 'the requested scope is refused', 'scopes_refused')
  }
}

/**
 * A public application on a user's machine: an impostor could use a consent that was given once
 * (RFC 8252 §8.6).
 */
function isUnassured({ kind, authMethods }: Pick<Application, 'kind' | 'authMethods'>): boolean {
  return kind === 'native' && authMethods.includes('none')
}

/**
 * A consent is for a scope, whatever the address. So an earlier one, given for the MCP server, must
 * not open the API silently.
 */
export function asksEveryTime(
  application: Pick<Application, 'kind' | 'authMethods'>,
  { unconfirmed }: Pick<ConsentState, 'unconfirmed'>,
): boolean {
  return isUnassured(application) || unconfirmed
}

type ConsentItem = {
  scope: string
  apiName: string
  sentences: Record<string, string>
  sensitive: boolean
  required: boolean
  ticked: boolean
  /** The user consented to it earlier. */
  known: boolean
}

export type ConsentView = ApplicationFace & {
  applicationId: string
  applicationName: string
  /** Null for a device, which is told at the token endpoint. */
  redirectHost: string | null
  /** The host of the metadata document that describes it; null if there is none. */
  documentHost: string | null
  /** The answer counts for the next time; otherwise the user is asked every time. */
  remembered: boolean
  /** The application could change the portal without asking again. */
  unconfirmed: boolean
  /** Accepted together by signing in. */
  signIn: string[]
  /** Each is a separate choice. */
  items: ConsentItem[]
  /** Scopes that a second factor would add; `atHand`: the user has one that is strong enough. */
  provable: (ItemDescription & { scope: string; atHand: boolean })[]
  /** Scopes that the user may ask for, each with the binding that a request starts from. */
  requestable: (ItemDescription & { scope: string; binding: string })[]
  /** Without these, the user cannot use the application: there is nothing to agree to yet. */
  keptOut: boolean
}

/** For the consent page; null if the application was deleted. */
export async function consentView(
  op: Provider,
  incoming: Request,
  { ask }: Interaction,
  session: BrowserSession,
): Promise<ConsentView | null> {
  const { credentials } = await op.snapshot({ clients: [ask.clientId] })
  const credential = credentials.get(ask.clientId)
  const face = credential && (await op.consents.face(credential.application.id))
  if (!face) return null
  const { id, name, requiredScopes } = credential.application
  const weighed = await weighConsent(op, incoming, ask, credential, session)
  const { answered, unconfirmed, missing } = weighed
  const keptOut = missing.length > 0
  const granted = keptOut ? [] : weighed.granted
  const named = keptOut ? [] : weighed.named
  const provable = keptOut ? [] : weighed.provable
  const requestable = keptOut ? missing : weighed.requestable
  const others = [...provable, ...requestable].map(({ scope }) => scope)
  const described = await op.consents.describe([...granted, ...others])
  const about = (scope: string) => described.get(scope) ?? NOT_DESCRIBED
  const reachable = provable.length > 0 ? await op.strongestFactor(session.user.id) : null
  return {
    ...face,
    applicationId: id,
    applicationName: name,
    redirectHost: ask.device ? null : placeOf(ask.redirectUri),
    documentHost: documentHostOf({ id, ...face }),
    remembered: ask.device === null && !asksEveryTime(credential.application, weighed),
    unconfirmed,
    signIn: [...granted, ...named].filter((scope) => OPENID_SCOPES.has(scope)),
    items: granted
      .filter((scope) => !OPENID_SCOPES.has(scope))
      .map((scope) => ({
        scope,
        ...about(scope),
        required: requiredScopes.includes(scope),
        ticked: answered.get(scope) ?? true,
        known: answered.get(scope) === true,
      })),
    provable: provable.map(({ scope, acr }) => ({
      scope,
      ...about(scope),
      atHand: satisfies(reachable ?? undefined, acr),
    })),
    requestable: await bindingsOf(op, ask, id, session.user.id, requestable).then((all) =>
      all.map((one) => ({ ...one, ...about(one.scope) })),
    ),
    keptOut,
  }
}

async function bindingsOf(
  op: Provider,
  { resources: audiences }: AuthorizationRequest,
  applicationId: string,
  userId: string,
  requestable: readonly RequestableScope[],
): Promise<{ scope: string; binding: string }[]> {
  if (requestable.length === 0) return []
  const { version: policyVersion } = await op.snapshot()
  const decisionId = op.newTokenId()
  const whose = { applicationId, userId, tokenGrantId: null }
  const bound = { ...whose, policyVersion, decisionId, ...NO_INSTANCE }
  const digest = contextDigest({ audiences })
  return requestable.map(({ scope, next, audience }) => {
    const refused = { ...bound, scope, audience, contextDigest: digest }
    const { access_request } = nextMembers(op, next, refused)
    return { scope, binding: access_request?.binding_token ?? '' }
  })
}

const NO_INSTANCE = { resourceType: null, resourceId: null }

const NOT_DESCRIBED: ItemDescription = { apiName: '', sentences: {}, sensitive: false }

/** Where an application describes itself; null if it does not. */
export function documentHostOf({
  id,
  registration,
}: Pick<Application, 'id' | 'registration'>): string | null {
  return registration === 'metadata_document' ? placeOf(id) : null
}
