import type { Check, CheckDecision } from './check'
import type { Decision, Question, Rule } from './decide-scopes'
import type { Context, Policy } from './policy'
import { askerContext, type Here, isForAnother, type RequestRule, ruleFor } from './request-rules'
import { outcomeOf, type Way } from './ways'

/**
 * What helps after a refusal? Read from the decision's own result. Only what a rule of the API makes
 * requestable is `request`, so the answer says nothing about what exists.
 */

export const NEXT_ACTIONS = ['step_up', 'consent', 'request', 'none'] as const
export type NextAction = (typeof NEXT_ACTIONS)[number]

/** Who would have to be granted the permission. */
export type Lacking = 'user' | 'application'

export type Next =
  | { action: Exclude<NextAction, 'request'> }
  | { action: 'request'; rule: RequestRule; lacks: readonly Lacking[] }

const NONE: Next = { action: 'none' }

type Refused = Extract<Decision, { granted: false }>
type Asking = Pick<Question, 'userId' | 'exchangeFrom' | 'context'>

export function nextForScope(policy: Policy, asked: Asking, decision: Refused): Next {
  if (decision.code === 'mfa_required') return { action: 'step_up' }
  if (decision.code === 'consent_withheld') return { action: 'consent' }
  const { userId, exchangeFrom, context } = asked
  if (userId === null || exchangeFrom !== undefined) return NONE
  const lacks = lackingIn(decision.rules, userId)
  return lacks ? requestable(policy, decision.scope, userId, context, lacks) : NONE
}

type Denied = Extract<CheckDecision, { allowed: false }>
type Checked = Pick<Check, 'subject' | 'permission' | 'instance' | 'context'>

export function nextForCheck(policy: Policy, asked: Checked, { code, ways }: Denied): Next {
  if (code === 'mfa_required') return { action: 'step_up' }
  const { subject, permission, instance, context } = asked
  if (subject.kind !== 'user' || !ASKABLE.has(code)) return NONE
  if (!isSettledByGrant(ways, { userId: subject.id, instance })) return NONE
  return requestable(policy, permission, subject.id, context, ['user'])
}

const ASKABLE: ReadonlySet<Denied['code']> = new Set<Denied['code']>([
  'not_permitted',
  'grant_expired',
  'condition_failed',
  'context_missing',
])

/** Those who lack it; null if a grant to them would not settle the refusal. */
function lackingIn(rules: readonly Rule[], userId: string): Lacking[] | null {
  const unmet = rules.filter(({ outcome }) => outcome !== 'held')
  const here = { userId, instance: null }
  const askable = unmet.filter(
    ({ rule, ways }) => rule !== 'access_key' && isSettledByGrant(ways, here),
  )
  if (unmet.length === 0 || askable.length < unmet.length) return null
  return askable.flatMap(({ rule }) => (rule === 'access_key' ? [] : [rule]))
}

/** Conditions are the policy's own word: a request does not get around them. */
function isSettledByGrant(ways: readonly Way[], here: Here): boolean {
  return !ways.some(({ outcome }) => outcome === 'denied') && isLacking(ways, here)
}

/** Nothing gives it here, whatever it gives to others. */
export function isLacking(ways: readonly Way[], here: Here): boolean {
  const outcome = outcomeOf(ways.filter(({ grant }) => !isForAnother(grant.condition, here)))
  return outcome === 'absent' || outcome === 'expired'
}

function requestable(
  policy: Policy,
  scope: string,
  userId: string,
  context: Context,
  lacks: readonly Lacking[],
): Next {
  const item = policy.items.get(scope)
  // Most APIs have no rule, and cost no further look.
  if (!item?.api.requestRules) return NONE
  const user = policy.users.get(userId)
  if (user?.enabled !== true) return NONE
  const rule = ruleFor(item, askerContext(userId, user.attributes, context))
  return rule ? { action: 'request', rule, lacks } : NONE
}
