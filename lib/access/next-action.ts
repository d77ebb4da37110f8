import type { Check, CheckDecision } from './check'
import type { Decision, Question, Rule } from './decide-scopes'
import type { Context, Policy, RequestRule } from './policy'
import { askerContext, ruleFor } from './request-rules'

/**
 * What helps after a refusal? Read from the decision's own result. Only what a rule of the API makes
 * requestable is `request`, so the answer says nothing about what exists.
 */

export const NEXT_ACTIONS = ['step_up', 'consent', 'request', 'none'] as const
export type NextAction = (typeof NEXT_ACTIONS)[number]

/** Who would have to be granted the permission. */
export type LackingParty = 'user' | 'application'

export type Next =
  | { action: Exclude<NextAction, 'request'> }
  | { action: 'request'; rule: RequestRule; lacks: readonly LackingParty[] }

const NONE: Next = { action: 'none' }

type Refused = Extract<Decision, { granted: false }>
type Asking = Pick<Question, 'userId' | 'exchangeFrom' | 'context'>

export function nextForScope(policy: Policy, asked: Asking, decision: Refused): Next {
  if (decision.code === 'mfa_required') return { action: 'step_up' }
  if (decision.code === 'consent_withheld') return { action: 'consent' }
  const { userId, exchangeFrom, context } = asked
  if (userId === null || exchangeFrom !== undefined) return NONE
  const lacks = lackingIn(decision.rules)
  return lacks ? requestable(policy, decision.scope, userId, context, lacks) : NONE
}

type Denied = Extract<CheckDecision, { allowed: false }>
type Checked = Pick<Check, 'subject' | 'permission' | 'context'>

export function nextForCheck(policy: Policy, asked: Checked, { code }: Denied): Next {
  if (code === 'mfa_required') return { action: 'step_up' }
  const { subject, permission, context } = asked
  if (subject.kind !== 'user' || !ASKABLE.has(code)) return NONE
  return requestable(policy, permission, subject.id, context, ['user'])
}

/** Conditions are the policy's own word: a request does not get around them. */
const ASKABLE: ReadonlySet<Denied['code']> = new Set<Denied['code']>([
  'not_permitted',
  'grant_expired',
])

/** Those who lack it; null if a grant to them would not settle the refusal. */
function lackingIn(rules: readonly Rule[]): LackingParty[] | null {
  const unmet = rules.filter(({ outcome }) => outcome !== 'held')
  const askable = unmet.filter((rule) => rule.rule !== 'access_key' && isSettledByGrant(rule))
  if (unmet.length === 0 || askable.length < unmet.length) return null
  return askable.flatMap(({ rule }) => (rule === 'access_key' ? [] : [rule]))
}

/** Nothing gives it here, and nothing denies it. */
function isSettledByGrant({ outcome, ways }: Rule): boolean {
  const isLacking = outcome === 'absent' || outcome === 'expired'
  return isLacking && !ways.some((way) => way.outcome === 'denied')
}

function requestable(
  policy: Policy,
  scope: string,
  userId: string,
  context: Context,
  lacks: readonly LackingParty[],
): Next {
  const item = policy.items.get(scope)
  // Most APIs have no rule, and cost no further look.
  if (!item?.api.requestRules) return NONE
  const user = policy.users.get(userId)
  if (user?.enabled !== true) return NONE
  const rule = ruleFor(item, askerContext(userId, user.attributes, context))
  return rule ? { action: 'request', rule, lacks } : NONE
}
