import {
  type Decision,
  decideScopes,
  type Question,
  type Refusal,
  type Rule,
} from './decide-scopes'
import type { Context, Policy, User } from './policy'
import type { AccessPath } from './ways'

/**
 * A past decision about scopes, made again under the policy of today and under a draft. Pure. Only
 * where these two differ does the draft change something; whether today's policy already differs
 * from the decision of then is said apart.
 */

/** The client as it is set up in one of the two. */
export type ReplayedClient = Pick<Question, 'accessKey' | 'scopeLimit' | 'mayRefresh'> & {
  requiredScopes: readonly string[]
  strictScopes: boolean
  /** Neither the application nor its access key is disabled. */
  usable: boolean
}

export type ReplayState = {
  policy: Policy
  /** Null if the client does not exist. */
  asker: ReplayedClient | null
  /** Conditions can read attributes here that they could not read then. */
  readsMore?: boolean
}

export type DecisionToReplay = {
  scopes: readonly string[]
  /** What was granted then. */
  granted: ReadonlySet<string>
  applicationId: string
  userId: string | null
  exchangeFrom?: string
  carried?: readonly (readonly string[])[]
  withheld: ReadonlySet<string> | null
  /** Required scopes that kept the user out because of their answer; absent for none. */
  withheldRequired?: ReadonlySet<string>
  audiences: readonly string[]
  /** Without the user's attributes: each policy has its own. */
  context: Context
  /** Whether the user had these attributes then; absent for a decision without a user. */
  hadAttributes?(attributes: User['attributes']): boolean
  userAgentCut: boolean
}

/** Why it cannot be told how a decision would come out. */
const UNDECIDABLE_REASONS = [
  'not_stored',
  'subject_gone',
  'attributes_changed',
  'context_not_stored',
  'unreadable',
] as const
export type UndecidableReason = (typeof UNDECIDABLE_REASONS)[number]

/** Reasons beyond those of one scope: the whole request would be refused. */
const WHOLE_REFUSALS = ['client_unusable', 'user_unusable', 'not_admitted', 'strict'] as const
type ReplayRefusal = Refusal | (typeof WHOLE_REFUSALS)[number]

export type Outcome =
  | { scope: string; untold: UndecidableReason }
  | {
      scope: string
      /** Granted then, today, and with the draft. */
      past: boolean
      before: boolean
      after: boolean
      /** Why it is refused, before or after. */
      code: ReplayRefusal | null
    }

type Judged = { granted: boolean; code: ReplayRefusal | null; rules: readonly Rule[] }

/** With a mark after each scope: see turns.ts. */
export function* replayDecision(
  past: DecisionToReplay,
  before: ReplayState,
  after: ReplayState,
): Generator<void, Outcome[]> {
  if (isGone(past, before)) return untold(past, 'subject_gone')
  const then = yield* judging(past, before)
  const now = yield* judging(past, after)
  const changed = attributesChanged(past, before) || after.readsMore === true
  const outcomes = past.scopes.map((scope, at) =>
    outcomeOf(past, scope, changed, then[at], now[at]),
  )
  // With strict scopes each depends on all of them.
  const isStrict = [before, after].some(({ asker }) => asker?.strictScopes)
  const unknown = outcomes.find((one) => 'untold' in one)
  return isStrict && unknown && 'untold' in unknown ? untold(past, unknown.untold) : outcomes
}

function outcomeOf(
  past: DecisionToReplay,
  scope: string,
  changed: boolean,
  had: Judged | undefined,
  has: Judged | undefined,
): Outcome {
  if (!had || !has) return { scope, untold: 'unreadable' }
  const unknown = unknownIn(past, changed, had, has)
  if (unknown) return { scope, untold: unknown }
  return {
    scope,
    past: past.granted.has(scope),
    before: had.granted,
    after: has.granted,
    code: has.code ?? had.code,
  }
}

function untold({ scopes }: DecisionToReplay, reason: UndecidableReason): Outcome[] {
  return scopes.map((scope) => ({ scope, untold: reason }))
}

function isGone({ userId }: DecisionToReplay, { policy, asker }: ReplayState): boolean {
  return asker === null || (userId !== null && policy.users.get(userId) === undefined)
}

// ---------------------------------------------------------------- the decision again

function* judging(past: DecisionToReplay, world: ReplayState): Generator<void, Judged[]> {
  const { policy, asker } = world
  const { scopes, userId } = past
  if (!asker?.usable) return scopes.map(() => wholly('client_unusable'))
  if (userId !== null && !policy.users.get(userId)?.enabled)
    return scopes.map(() => wholly('user_unusable'))
  const question = questionOf(past, policy, asker)
  const admission =
    userId === null ? [] : yield* decideScopes(policy, requiredBy(past, asker, question))
  const rules = admission.flatMap((one) => one.rules)
  if (!admission.every(({ granted }) => granted))
    return scopes.map(() => ({ ...wholly('not_admitted'), rules }))
  const decisions = yield* decideScopes(policy, question)
  const isStopped = asker.strictScopes && decisions.some(({ granted }) => !granted)
  return decisions.map((decision) => judged(decision, rules, isStopped))
}

function wholly(code: ReplayRefusal): Judged {
  return { granted: false, code, rules: [] }
}

function judged(decision: Decision, admission: readonly Rule[], isStopped: boolean): Judged {
  const rules = [...admission, ...decision.rules]
  if (!decision.granted) return { granted: false, code: decision.code, rules }
  return isStopped
    ? { granted: false, code: 'strict', rules }
    : { granted: true, code: null, rules }
}

/**
 * Whoever got as far as a decision had not said no to a required scope; that a scope was not
 * answered keeps nobody out.
 */
export function requiredBy(
  { withheldRequired = NONE }: DecisionToReplay,
  { requiredScopes }: ReplayedClient,
  question: Question,
): Question {
  const required = { scopes: requiredScopes, audiences: [], carried: [] }
  return { ...question, ...required, withheld: withheldRequired }
}

const NONE: ReadonlySet<string> = new Set()

/** The question of then, to the client and the user as they are in this policy. */
export function questionOf(
  past: DecisionToReplay,
  { users }: Policy,
  asker: ReplayedClient,
): Question {
  const { userId, context } = past
  const user = userId === null ? {} : { ...users.get(userId)?.attributes, id: userId }
  return {
    scopes: past.scopes,
    applicationId: past.applicationId,
    accessKey: asker.accessKey,
    ...(asker.scopeLimit !== undefined && { scopeLimit: asker.scopeLimit }),
    mayRefresh: asker.mayRefresh,
    userId,
    ...(past.exchangeFrom !== undefined && { exchangeFrom: past.exchangeFrom }),
    ...(past.carried && { carried: past.carried }),
    withheld: past.withheld,
    audiences: past.audiences,
    context: { ...context, user },
  }
}

// ---------------------------------------------------------------- what is not known

function attributesChanged(past: DecisionToReplay, { policy }: ReplayState): boolean {
  if (past.userId === null) return false
  return past.hadAttributes?.(policy.users.get(past.userId)?.attributes ?? {}) === false
}

/** Only if it matters: where both policies ask the same, the answer is the same. */
function unknownIn(
  past: DecisionToReplay,
  changed: boolean,
  had: Judged,
  has: Judged,
): UndecidableReason | null {
  if (!changed && !past.userAgentCut) return null
  const ways = [...waysIn(had), ...waysIn(has)]
  if (ways.length === 0 || signatureOf(had) === signatureOf(has)) return null
  if (changed && ways.some((way) => reads(way, ATTRIBUTES))) return 'attributes_changed'
  return past.userAgentCut && ways.some((way) => reads(way, USER_AGENT))
    ? 'context_not_stored'
    : null
}

function waysIn({ rules }: Judged): AccessPath[] {
  return rules.flatMap(({ ways }) => ways)
}

/** `user` in any form but `user.id`. Too often rather than too seldom: a text may contain it too. */
const ATTRIBUTES = /\buser\b(?!\.id\b)/
const USER_AGENT = /user_agent/

function reads({ grant, assignment }: AccessPath, what: RegExp): boolean {
  return [grant.condition, assignment?.condition].some((one) => one && what.test(one.source))
}

/** What was considered, without IDs: a draft writes the same grant anew. */
function signatureOf(one: Judged): string {
  const parts = waysIn(one).map(({ grant, assignment, roles }) => [
    ...termsOf(grant),
    grant.pattern,
    ...(assignment ? [...termsOf(assignment), assignment.groupId] : []),
    ...roles.map(({ id }) => id),
  ])
  return JSON.stringify([one.code === 'client_unusable', parts.map(String).sort()])
}

function termsOf({
  effect,
  condition,
  validFrom,
  validUntil,
}: AccessPath['grant'] | NonNullable<AccessPath['assignment']>) {
  return [effect, condition?.source ?? '', validFrom, validUntil]
}
