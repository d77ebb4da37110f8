import type { Acr } from './acr'
import { withBudget } from './budget'
import { type Context, type Holder, type Item, NOTHING, type Policy } from './policy'
import { type AccessPath, acrFor, type Outcome, outcomeOf, waysHere, waysOf } from './ways'

/** "Does this subject hold this permission?" Pure, like decide-scopes.ts. */

export type Subject = { kind: 'user'; id: string } | { kind: 'client'; id: string }

export type Check = {
  subject: Subject
  permission: string
  /** One resource instance, for assignments that are limited to one. */
  instance: string | null
  context: Context
}

export const CHECK_REFUSALS = [
  'unknown_permission',
  'unknown_subject',
  'not_permitted',
  'denied',
  'grant_expired',
  'condition_failed',
  'condition_too_costly',
  'context_missing',
  'mfa_required',
] as const

export type CheckRefusal = (typeof CHECK_REFUSALS)[number]

export type CheckDecision =
  | { allowed: true; ways: readonly AccessPath[] }
  | { allowed: false; code: CheckRefusal; ways: readonly AccessPath[]; acr?: Acr }

export function decidePermission(policy: Policy, check: Check): CheckDecision {
  const item = policy.items.get(check.permission)
  if (!item?.api.enabled) return { allowed: false, code: 'unknown_permission', ways: [] }
  const holder = holderOf(policy, check.subject)
  if (!holder) return { allowed: false, code: 'unknown_subject', ways: [] }
  const { subject, instance } = check
  const here = { userId: subject.kind === 'user' ? subject.id : null, instance }
  return decide(waysHere(waysOf(policy, holder, askedOf(check, item)), here))
}

/** For callers that know what the subject holds: also what counts only for somebody else. */
export function decideHeld(
  policy: Policy,
  holder: Holder,
  item: Item,
  asked: Omit<Check, 'subject'>,
): CheckDecision {
  return decide(waysOf(policy, holder, askedOf(asked, item)))
}

/** Null for a disabled user and for an unknown client. */
export function holderOf(policy: Policy, { kind, id }: Subject): Holder | null {
  if (kind === 'client') return policy.applications.get(id) ?? null
  const user = policy.users.get(id)
  if (!user) return NOTHING
  return user.enabled ? user : null
}

function askedOf({ permission, instance, context }: Omit<Check, 'subject'>, { api }: Item) {
  const resource = { audience: api.audience, scope: permission, ...context.resource }
  return { item: permission, instance, context: withBudget(context, resource) }
}

function decide(ways: AccessPath[]): CheckDecision {
  const outcome = outcomeOf(ways)
  if (outcome === 'held') return { allowed: true, ways }
  const acr = acrFor(ways)
  const code = codeOf(outcome, ways)
  return { allowed: false, code, ways, ...(code === 'mfa_required' && acr && { acr }) }
}

function codeOf(outcome: Exclude<Outcome, 'held'>, ways: AccessPath[]): CheckRefusal {
  switch (outcome) {
    case 'absent':
      return ways.some(({ outcome }) => outcome === 'denied') ? 'denied' : 'not_permitted'
    case 'expired':
      return 'grant_expired'
    default:
      return outcome
  }
}
