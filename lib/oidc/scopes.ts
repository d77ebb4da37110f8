import { attributesText, basisOf } from '../access/basis'
import { type Decision, decideInTurns, type Question } from '../access/decide-scopes'
import { expandScopes } from '../access/expand'
import { toStep } from '../access/explain'
import { earliest, heldUntil } from '../access/held-until'
import type { Context, Policy } from '../access/policy'
import type { AccessKey, Application, Client } from './client'
import { OAuthError } from './errors'
import type { DecisionBasis, Provider } from './provider'

/** From the decision to the token response (RFC 6749 §3.3). */

type Refused = Extract<Decision, { granted: false }>

export type Settled = {
  granted: string[]
  refused: Refused[]
  /** When the first of the granted scopes ends by itself, in milliseconds; null for none. */
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

/**
 * An application controls its users with required scopes: if one is refused, the user may not use
 * the application, even if the scope was not requested. So nobody gets in by asking for less.
 */
export async function isAdmitted(
  policy: Policy,
  application: Application,
  question: Question,
): Promise<boolean> {
  const required = { ...question, scopes: application.requiredScopes, audiences: [] }
  return (await decideInTurns(policy, required)).every((decision) => decision.granted)
}

export async function settleScopes(
  op: Provider,
  policy: Policy,
  client: Client,
  question: Question,
): Promise<Settled> {
  const scopes = expandScopes(policy, question.scopes)
  const decisions = await decideInTurns(policy, { ...question, scopes })
  const held = decisions.filter((decision) => decision.granted)
  const granted = held.map(({ scope }) => scope)
  const refused = decisions.filter((decision): decision is Refused => !decision.granted)
  for (const { code } of refused) op.meter.scopeRefused(code)
  if (granted.length === 0 || (client.application.strictScopes && refused.length > 0)) {
    throw new OAuthError('invalid_scope', 'the requested scope is refused', {
      members: rejectedMembers(client, refused),
      ...keptRefusal(op, { ...question, scopes }, null),
    })
  }
  const until = endOf(held, question.context.request.time)
  return { granted, refused, until, ...keptBasis(op, { ...question, scopes }) }
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

/** `scope_rejected` if a scope was refused; reasons only for an authenticated client. */
export function rejectedMembers(client: Client, refused: Refused[]): Record<string, unknown> {
  if (refused.length === 0) return {}
  const scope_rejected = refused.map(({ scope }) => scope).join(' ')
  if (!client.confidential) return { scope_rejected }
  const scope_rejected_reasons = refused.map(({ scope, code, acr }) => ({
    scope,
    code,
    ...(acr && { acr_values: acr }), // what to request at the authorization endpoint (RFC 9470)
  }))
  return { scope_rejected, scope_rejected_reasons }
}

/** Why it was refused, with the grants that were considered. */
export function forAudit({ scope, code, rules }: Refused) {
  const steps = rules.flatMap(({ rule, ways }) => ways.map((way) => toStep(rule, way)))
  return { scope, code, steps }
}
