import type { Decision, Question } from './decide-scopes'
import { remediesFor } from './explain'
import type { Policy, Role } from './policy'
import { outcomeOfTerms, reach } from './ways'

/**
 * Which single change would settle a refusal? A role that the user holds gets the permission, the
 * application is granted it, or the access key is widened. A refusal that needs more than one change
 * has none.
 */

export type Remedy =
  | { do: 'add_to_role'; id: string }
  | { do: 'grant_application'; id: string }
  | { do: 'widen_key'; id: string }

type Refused = Extract<Decision, { granted: false }>

const MAX_ROLES = 20

/** Somebody wrote a condition: to grant the same without it is no advice. */
const BY_CONDITION: readonly Refused['code'][] = [
  'condition_failed',
  'condition_too_costly',
  'context_missing',
  'mfa_required',
]

export function settlingsOf(policy: Policy, decision: Refused, question: Question): Remedy[] {
  if (BY_CONDITION.includes(decision.code)) return []
  const [only, ...more] = remediesFor(policy, decision, question)
  if (!only || more.length > 0 || question.exchangeFrom !== undefined) return []
  const lifts = only.oneOf.some((changes) => changes.some((one) => one.do === 'lift_deny'))
  if (lifts) return []
  switch (only.rule) {
    case 'application':
      return [{ do: 'grant_application', id: question.applicationId }]
    case 'access_key':
      return question.accessKey ? [{ do: 'widen_key', id: question.accessKey.id }] : []
    case 'user':
      return rolesHeld(policy, question).map(({ id }) => ({ do: 'add_to_role', id }))
    case null:
      return []
  }
}

/** In force at the time of the question, with the roles above them; the nearest first. */
function rolesHeld(policy: Policy, { userId, context }: Question): Role[] {
  const held = policy.users.get(userId ?? '')?.assignments ?? []
  const inForce = held.filter(
    (one) =>
      one.instance === null &&
      one.effect === 'allow' &&
      outcomeOfTerms(one, context).outcome === 'met',
  )
  const roles = inForce.flatMap(({ roleId }) => policy.roles.get(roleId) ?? [])
  const ways = roles.flatMap((role) => reach(policy, role))
  const near = ways.sort((a, b) => a.length - b.length).flatMap((way) => way.at(-1) ?? [])
  return [...new Set(near)].slice(0, MAX_ROLES)
}
