import { attributesText, basisOf } from '../access/basis'
import { type Decision, decideInTurns, type Question } from '../access/decide-scopes'
import { expandScopes } from '../access/expand'
import { toStep } from '../access/explain'
import { earliest, heldUntil } from '../access/held-until'
import { type Next, nextForScope } from '../access/next-action'
import type { Context, Policy } from '../access/policy'
import { audienceOf } from '../access/resource'
import { contextDigest, nextMembers } from './access-request'
import type { DecisionBasis } from './audit-event'
import type { AccessKey, Application, Client } from './client'
import { OAuthError } from './errors'
import type { Provider } from './provider'

/** From the decision to the token response (RFC 6749 §3.3). */

type Refused = Extract<Decision, { granted: false }>
/** With what would help, and what it was refused for. */
type RefusedScope = Refused & { next: Next; audience: string }

export type DecidedScopes = {
  granted: string[]
  refused: RefusedScope[]
  /** Who asked, if something was refused. */
  asked: { userId: string | null; policyVersion: number; contextDigest: string } | null
  /**
   * When the first of the granted scopes ends by itself, or the user's admission; in milliseconds,
   * null for never.
   */
  until: number | null
  /** What it was decided on, if decisions are kept. */
  basis?: DecisionBasis
}

/** The client's part of a question to the decision. */
export function askedBy({ application, accessKey }: Asking) {
  return {
    applicationId: application.id,
    accessKey,
    scopeLimit: application.scopeLimit,
    mayRefresh: application.grantTypes.includes('refresh_token'),
  }
}

type Asking = { application: Application; accessKey: AccessKey | null }

/** `until`: when it ends by itself, in milliseconds; null for never. */
export type Admission = { until: number | null }

/** Nothing is required; and a machine is not a user of its application. */
const ALWAYS_ADMITTED: Admission = { until: null }

/**
 * An application controls its users with required scopes: if one is refused, the user may not use
 * the application, even if the scope was not requested. So nobody gets in by asking for less. Null
 * if the user may not use it.
 */
export async function admissionOf(
  policy: Policy,
  application: Application,
  question: Question,
): Promise<Admission | null> {
  if (application.requiredScopes.length === 0) return ALWAYS_ADMITTED
  const decisions = await decideInTurns(policy, requiredOf(application, question))
  if (!decisions.every((decision) => decision.granted)) return null
  return { until: endOf(decisions, question.context.request.time) }
}

export function requiredOf({ requiredScopes }: Application, question: Question): Question {
  return { ...question, scopes: requiredScopes, audiences: [], carried: [] }
}

export async function isAdmitted(
  policy: Policy,
  application: Application,
  question: Question,
): Promise<boolean> {
  return (await admissionOf(policy, application, question)) !== null
}

export async function settleScopes(
  op: Provider,
  policy: Policy,
  client: Client,
  question: Question,
  admission: Admission = ALWAYS_ADMITTED,
): Promise<DecidedScopes> {
  const scopes = expandScopes(policy, question.scopes)
  const decisions = await decideInTurns(policy, { ...question, scopes })
  const held = decisions.filter((decision) => decision.granted)
  const granted = held.map(({ scope }) => scope)
  const until = earliest([admission.until, endOf(held, question.context.request.time)])
  const kept = keptBasis(op, { ...question, scopes })
  if (held.length === decisions.length && granted.length > 0) {
    return { granted, refused: [], asked: null, until, ...kept }
  }
  const refused = decisions.flatMap((decision) => helped(policy, question, decision))
  for (const { code } of refused) op.meter.scopeRefused(code)
  const asked = await askedIn(op, question)
  const settled = { granted, refused, asked, until, ...kept }
  if (granted.length === 0 || client.application.strictScopes) {
    const decisionId = op.newTokenId()
    throw new OAuthError('invalid_scope', 'the requested scope is refused', 'scopes_refused', {
      decisionId,
      members: rejectedMembers(op, client, settled, decisionId),
      ...keptRefusal(op, { ...question, scopes }, null),
    })
  }
  return settled
}

function helped(policy: Policy, question: Question, decision: Decision): RefusedScope[] {
  if (decision.granted) return []
  const api = policy.items.get(decision.scope)?.api
  const audience = api ? audienceOf(policy, api, question.audiences) : ''
  return [{ ...decision, next: nextForScope(policy, question, decision), audience }]
}

/** The version of the policy costs no query: the snapshot is in memory. */
async function askedIn(op: Provider, { userId, audiences }: Question) {
  const { version: policyVersion } = await op.snapshot()
  return { userId, policyVersion, contextDigest: contextDigest({ audiences }) }
}

/** For the audit entry of the token. */
function keptBasis(op: Provider, question: Question): { basis?: DecisionBasis } {
  return op.keepsDecisions() ? { basis: storedBasis(op, question) } : {}
}

/**
 * For the audit entry of the refusal, which lists no more than the client is told.
 * `withheldRequired`: required scopes that the user said no to; null if the user was admitted.
 */
export function keptRefusal(
  op: Provider,
  question: Question,
  withheldRequired: readonly string[] | null,
): { basis?: DecisionBasis } {
  return op.keepsDecisions() ? { basis: storedBasis(op, question, { withheldRequired }) } : {}
}

function storedBasis(
  op: Provider,
  question: Question,
  refused?: { withheldRequired: readonly string[] | null },
): DecisionBasis {
  const { userId, context } = question
  const digest = userId === null ? null : attributesDigest(op, context.user)
  const facts = { attributesDigest: digest, ...(refused && { refused }) }
  return { userId, text: JSON.stringify(basisOf(question, facts)) }
}

const DIGEST_LENGTH = 16

/** With a key of this portal: who only has the rows cannot try attributes out. Null for none. */
export function attributesDigest(
  { hashSecret }: Pick<Provider, 'hashSecret'>,
  user: Context['user'],
): string | null {
  const text = attributesText(user)
  return text && hashSecret(`attributes ${text}`).slice(0, DIGEST_LENGTH)
}

/** A token ends with the first of the grants that its scopes rest on. */
export function endOf(held: readonly Decision[], now: Date): number | null {
  return earliest(held.map(({ rules }) => heldUntil(rules, now.getTime())))
}

/**
 * `scope_rejected` if a scope was refused; reasons and what helps only for an authenticated client.
 * `decisionId`: under which it stands in the audit log. `tokenGrantId`: what the tokens depend on,
 * if there are any.
 */
export function rejectedMembers(
  op: Provider,
  client: Client,
  { refused, asked }: Pick<DecidedScopes, 'refused' | 'asked'>,
  decisionId: string,
  tokenGrantId: string | null = null,
): Record<string, unknown> {
  if (refused.length === 0) return {}
  const scope_rejected = refused.map(({ scope }) => scope).join(' ')
  if (!client.confidential) return { scope_rejected }
  const { userId, ...policy } = asked ?? { userId: null, policyVersion: 0, contextDigest: '' }
  const bound = {
    ...policy,
    userId: userId ?? '',
    applicationId: client.application.id,
    tokenGrantId,
  }
  const scope_rejected_reasons = refused.map(({ scope, code, acr, next, audience }) => ({
    scope,
    code,
    ...(acr && { acr_values: acr }), // what to request at the authorization endpoint (RFC 9470)
    ...nextMembers(op, next, {
      ...bound,
      scope,
      audience,
      resourceType: null,
      resourceId: null,
      decisionId,
    }),
  }))
  return { scope_rejected, scope_rejected_reasons }
}

/** Why it was refused, with the grants that were considered. */
export function forAudit({ scope, code, rules }: Refused) {
  const steps = rules.flatMap(({ rule, ways }) => ways.map((way) => toStep(rule, way)))
  return { scope, code, steps }
}
