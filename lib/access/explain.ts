import type { Acr } from './acr'
import { withBudget } from './budget'
import type { CheckDecision } from './check'
import type { Decision, Rule, RuleName } from './decide-scopes'
import type { Context, Grant, Policy, Role, Terms } from './policy'
import { audienceOf } from './resource'
import {
  type AccessPath,
  grantsFor,
  outcomeOf,
  outcomeOfTerms,
  reach,
  type WayOutcome,
} from './ways'

/**
 * Why was a decision made, what came close, and what is the smallest change that would reverse it?
 * Everything is read from the decision's own result, so it cannot contradict it.
 */

export type Step = {
  rule: RuleName
  grant: string
  pattern: string
  outcome: WayOutcome
  /** The former name of `outcome`; it goes with the next version of the API. */
  stood: WayOutcome
  assignment?: string
  group?: string
  /** Keys of the roles from the one that is held to the one that gives the permission. */
  roles?: string[]
  /** IDs of the same roles, in the same order. */
  roleIds?: string[]
  condition?: string
}

export type Change =
  | { do: 'step_up'; acr_values: Acr }
  | { do: 'send_context'; condition: string }
  | { do: 'extend'; id: string }
  | { do: 'meet_condition'; id: string; condition: string }
  | { do: 'simplify_condition'; id: string; condition: string }
  | { do: 'assign_role'; role: string; key: string }
  | { do: 'grant_application'; item: string }
  | { do: 'widen_key'; item: string }
  | { do: 'lift_deny'; id: string }
  | { do: 'consent'; scope: string }
  | { do: 'register_item'; scope: string }
  | { do: 'sign_in_user' }
  | { do: 'ask_for_resource'; audience: string }
  | { do: 'enable_subject' }

/**
 * All remedies together turn the refusal into a grant; of each remedy one alternative is enough.
 */
type Remedy = { rule: RuleName | null; oneOf: Change[][] }

type Explanation = {
  path: Step[]
  denies: Step[]
  nearMisses: Step[]
  /** Roles that give the permission and are not held; for users only. */
  otherRoles: { id: string; key: string }[]
  wouldChange: Remedy[]
}

const MAX_ROLES = 5

type Circumstances = {
  context: Context
  withheld: ReadonlySet<string> | null
  audiences?: readonly string[]
}

export function explainScope(
  policy: Policy,
  decision: Decision,
  { context, withheld, audiences = [] }: Circumstances,
): Explanation {
  const { scope, rules } = decision
  const here = withBudget(context, resourceOf(policy, scope, audiences))
  const roles = rules.some(isUsersRule) ? rolesGiving(policy, scope) : []
  return {
    ...stepsOf(rules),
    otherRoles: notHeld(roles, rules).map(({ id, key }) => ({ id, key })),
    wouldChange: decision.granted ? [] : remediesOf(policy, decision, here, withheld, roles),
  }
}

/** What would turn a refusal into a grant, without a search for roles that are not held. */
export function remediesFor(
  policy: Policy,
  decision: Refused,
  { context, withheld, audiences = [] }: Circumstances,
): Remedy[] {
  const here = withBudget(context, resourceOf(policy, decision.scope, audiences))
  return remediesOf(policy, decision, here, withheld, [])
}

export function explainCheck(
  policy: Policy,
  permission: string,
  decision: CheckDecision,
  context: Context,
): Explanation {
  const rule: Rule = {
    rule: 'user',
    refusal: 'user_not_permitted',
    outcome: outcomeOf(decision.ways),
    ways: decision.ways,
  }
  const resource = { ...resourceOf(policy, permission), ...context.resource }
  const here = withBudget(context, resource)
  const roles = rolesGiving(policy, permission)
  return {
    ...stepsOf([rule]),
    otherRoles: notHeld(roles, [rule]).map(({ id, key }) => ({ id, key })),
    wouldChange: decision.allowed ? [] : checkRemedies(permission, decision, rule, here, roles),
  }
}

function resourceOf(
  policy: Policy,
  scope: string,
  audiences: readonly string[] = [],
): Context['resource'] {
  const api = policy.items.get(scope)?.api
  return { scope, ...(api && { audience: audienceOf(policy, api, audiences) }) }
}

// ---------------------------------------------------------------- what stood how

function stepsOf(rules: readonly Rule[]): Pick<Explanation, 'path' | 'denies' | 'nearMisses'> {
  const steps = rules.flatMap(({ rule, ways }) => ways.map((way) => toStep(rule, way)))
  return {
    path: steps.filter(({ outcome }) => outcome === 'met'),
    denies: steps.filter(({ outcome }) => outcome === 'denied'),
    nearMisses: steps.filter(({ outcome }) => !['met', 'denied', 'idle'].includes(outcome)),
  }
}

export function toStep(rule: RuleName, { grant, assignment, roles, outcome }: AccessPath): Step {
  const condition = [assignment?.condition?.source, grant.condition?.source].filter(Boolean)
  return {
    rule,
    grant: grant.id,
    pattern: grant.pattern,
    outcome,
    stood: outcome,
    ...(assignment && { assignment: assignment.id }),
    ...(assignment?.groupId && { group: assignment.groupId }),
    ...(roles.length > 0 && {
      roles: roles.map(({ key }) => key),
      roleIds: roles.map(({ id }) => id),
    }),
    ...(condition.length > 0 && { condition: condition.join(' && ') }),
  }
}

function isUsersRule({ rule }: Rule): boolean {
  return rule === 'user'
}

/**
 * Roles of the API's own space that give the permission without terms, the narrowest first. The
 * grants of a hundred thousand other roles need not be read for it.
 */
function rolesGiving(policy: Policy, item: string): Role[] {
  const spaceId = policy.items.get(item)?.api.spaceId
  const near = [...policy.roles.values()].filter((role) => role.spaceId === spaceId)
  const giving = near.filter((role) => gives(policy, role, item))
  return giving.sort((a, b) => widthOf(policy, a) - widthOf(policy, b) || compare(a.key, b.key))
}

function gives(policy: Policy, role: Role, item: string): boolean {
  const grants = reach(policy, role).flatMap((way) => grantsFor(way.at(-1)?.grants, item))
  return grants.some(isPlainAllow) && !grants.some(({ effect }) => effect === 'deny')
}

function isPlainAllow({ effect, condition, validFrom, validUntil }: Grant): boolean {
  return effect === 'allow' && !condition && validFrom === null && validUntil === null
}

function widthOf(policy: Policy, role: Role): number {
  return reach(policy, role)
    .map((way) => way.at(-1)?.grants)
    .reduce((sum, set) => sum + (set ? set.exact.size + 1_000 * set.patterns.length : 0), 0)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1
}

function notHeld(roles: Role[], rules: readonly Rule[]): Role[] {
  const ways = rules.filter(isUsersRule).flatMap((rule) => rule.ways)
  const held = new Set(ways.flatMap((way) => way.roles[0]?.id ?? []))
  return roles.filter(({ id }) => !held.has(id)).slice(0, MAX_ROLES)
}

// ---------------------------------------------------------------- what would change it

type Refused = Extract<Decision, { granted: false }>

function remediesOf(
  policy: Policy,
  decision: Refused,
  context: Context,
  withheld: ReadonlySet<string> | null,
  roles: Role[],
): Remedy[] {
  const { scope, code, rules } = decision
  if (code === 'unknown_scope') return [only({ do: 'register_item', scope })]
  if (code === 'user_required') return [only({ do: 'sign_in_user' })]
  if (code === 'resource_mismatch') return [only(askFor(policy, scope))]
  if (rules.length === 0 && code === 'client_not_granted') {
    return [only({ do: 'grant_application', item: scope })]
  }
  return [
    ...rules.flatMap((rule) => ruleRemedies(rule, scope, context, roles)),
    ...(withheld?.has(scope) ? [only({ do: 'consent', scope })] : []),
  ]
}

function askFor(policy: Policy, scope: string): Change {
  return { do: 'ask_for_resource', audience: policy.items.get(scope)?.api.audience ?? '' }
}

function checkRemedies(
  permission: string,
  { code }: Extract<CheckDecision, { allowed: false }>,
  rule: Rule,
  context: Context,
  roles: Role[],
): Remedy[] {
  if (code === 'unknown_permission') return [only({ do: 'register_item', scope: permission })]
  if (code === 'unknown_subject') return [only({ do: 'enable_subject' })]
  return ruleRemedies(rule, permission, context, roles)
}

function only(change: Change): Remedy {
  return { rule: null, oneOf: [[change]] }
}

function ruleRemedies(rule: Rule, item: string, context: Context, roles: Role[]): Remedy[] {
  if (rule.outcome === 'held') return []
  const denies = rule.ways.filter(({ outcome }) => outcome === 'denied')
  const lifted = [...new Set(denies.map(denierOf))].map((id) => ({
    rule: rule.rule,
    oneOf: [[{ do: 'lift_deny', id } as const]],
  }))
  const rest = rule.ways.filter(({ outcome }) => outcome !== 'denied' && outcome !== 'idle')
  const open = outcomeOf(rest) === 'held' || rule.listed === true
  if (open) return lifted
  return [...lifted, { rule: rule.rule, oneOf: alternatives(rule, rest, item, context, roles) }]
}

/** What denies: the grant itself, or the assignment that denies the whole role. */
function denierOf({ grant, assignment }: AccessPath): string {
  return assignment?.effect === 'deny' ? assignment.id : grant.id
}

function alternatives(
  rule: Rule,
  ways: AccessPath[],
  item: string,
  context: Context,
  roles: Role[],
): Change[][] {
  const opened = ways
    .filter((way) => !bringsDeny(rule, way))
    .map((way) => hurdlesOf(way, context))
    .sort((a, b) => a.length - b.length)
  switch (rule.rule) {
    case 'application':
      return [...opened, [{ do: 'grant_application', item }]]
    case 'access_key':
      return [...opened, [{ do: 'widen_key', item }]]
    case 'user': {
      const assigned = notHeld(roles, [rule]).map((role): Change[] => [
        { do: 'assign_role', role: role.id, key: role.key },
      ])
      return [...opened, ...assigned]
    }
  }
}

/** Meeting the terms of a role that also denies the permission would not help. */
function bringsDeny({ ways }: Rule, { assignment }: AccessPath): boolean {
  if (!assignment) return false
  return ways.some((way) => way.assignment === assignment && way.grant.effect === 'deny')
}

/** The terms of the assignment and of the grant, each with its period and its condition. */
function hurdlesOf({ grant, assignment }: AccessPath, context: Context): Change[] {
  const terms: Terms[] = assignment ? [assignment, grant] : [grant]
  return terms.flatMap((one) => [...timeHurdle(one, context), ...conditionHurdle(one, context)])
}

function timeHurdle(terms: Terms, context: Context): Change[] {
  return outcomeOfTerms(terms, context).outcome === 'expired'
    ? [{ do: 'extend', id: terms.id }]
    : []
}

function conditionHurdle(terms: Terms, context: Context): Change[] {
  const { outcome, acr } = outcomeOfTerms({ ...terms, validFrom: null, validUntil: null }, context)
  const condition = terms.condition?.source ?? ''
  switch (outcome) {
    case 'mfa_required':
      return acr ? [{ do: 'step_up', acr_values: acr }] : []
    case 'context_missing':
      return [{ do: 'send_context', condition }]
    case 'condition_failed':
    case 'unanswerable':
      return [{ do: 'meet_condition', id: terms.id, condition }]
    case 'condition_too_costly':
      return [{ do: 'simplify_condition', id: terms.id, condition }]
    default:
      return []
  }
}
