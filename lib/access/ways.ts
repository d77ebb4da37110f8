import { type Acr, strongerThan } from './acr'
import { patternCovers } from './pattern'
import {
  ANY_APPLICATION,
  type Assignment,
  type ConditionResult,
  type Context,
  type Grant,
  type GrantSet,
  type Holder,
  type Policy,
  type Role,
  type Terms,
} from './policy'
import { isForAnother, type RequestPlace } from './request-rules'

/**
 * The outcome of every grant that names a permission. Both decisions, about scopes and about
 * permissions, are made from these, and explanations read the same data.
 */

/** `idle`: a deny that does not apply now. `mfa_required`: a stronger sign-in would meet it. */
export type WayOutcome = ConditionResult | 'expired' | 'denied' | 'idle' | 'mfa_required'

/** One grant and, for a grant of a role, the assignment and the roles that lead to it. */
export type AccessPath = {
  grant: Grant
  assignment: Assignment | null
  /** From the role that is held to the one that gives the permission. */
  roles: readonly Role[]
  outcome: WayOutcome
  /** With `mfa_required`: the weakest level that is enough. */
  acr?: Acr
}

export type PermissionQuestion = { item: string; instance: string | null; context: Context }

export function waysOf(policy: Policy, holder: Holder, asked: PermissionQuestion): AccessPath[] {
  return [
    ...waysByGrants(holder.grants, asked),
    ...[...byRole(holder.assignments)].flatMap(([roleId, assignments]) =>
      waysByRole(policy, roleId, assignments, asked),
    ),
  ]
}

/**
 * A token exchange (RFC 8693) is granted only by grants that are made for it, and by none that is
 * made for a request of another kind. A deny counts for both.
 */
export function waysOfExchange(
  policy: Policy,
  holder: Holder,
  from: string,
  asked: PermissionQuestion,
): AccessPath[] {
  const grants = holder.grants.exchanges.filter(
    ({ pattern, exchangeFrom }) =>
      (exchangeFrom === from || exchangeFrom === ANY_APPLICATION) &&
      patternCovers(pattern, asked.item),
  )
  // One that begins later matters for the end of the token.
  const isDeny = ({ outcome }: AccessPath) => outcome === 'denied' || outcome === 'idle'
  const denies = waysOf(policy, holder, asked).filter(isDeny)
  return [...grants.map((grant) => wayOf(grant, asked)), ...denies]
}

type ByRole = ReadonlyMap<string, readonly Assignment[]>

const grouped = new WeakMap<readonly Assignment[], ByRole>()

/** A user may have the same role for thousands of resource instances: its grants are read once. */
export function byRole(assignments: readonly Assignment[]): ByRole {
  const known = grouped.get(assignments)
  if (known) return known
  const roles = new Map<string, Assignment[]>()
  for (const assignment of assignments) {
    const same = roles.get(assignment.roleId)
    if (same) same.push(assignment)
    else roles.set(assignment.roleId, [assignment])
  }
  grouped.set(assignments, roles)
  return roles
}

export function waysByGrants(grants: GrantSet, asked: PermissionQuestion): AccessPath[] {
  return grantsFor(grants, asked.item).map((grant) => wayOf(grant, asked))
}

function wayOf(grant: Grant, { context }: PermissionQuestion): AccessPath {
  return { grant, assignment: null, roles: [], ...outcomeOfTerms(grant, context) }
}

function waysByRole(
  policy: Policy,
  roleId: string,
  assignments: readonly Assignment[],
  asked: PermissionQuestion,
): AccessPath[] {
  const role = policy.roles.get(roleId)
  if (!role) return []
  const given = reach(policy, role).flatMap((roles) =>
    grantsFor(roles.at(-1)?.grants, asked.item).map((grant) => ({ grant, roles })),
  )
  if (given.length === 0) return []
  const here = assignments.filter(
    ({ instance }) => instance === null || instance === asked.instance,
  )
  return here.flatMap((assignment) => {
    const held = outcomeOfTerms(assignment, asked.context)
    return given.map(({ grant, roles }) => ({
      grant,
      assignment,
      roles,
      ...through(held, outcomeOfTerms(grant, asked.context)),
    }))
  })
}

export function grantsFor(grants: GrantSet | undefined, item: string): readonly Grant[] {
  if (!grants) return []
  const exact = grants.exact.get(item) ?? []
  if (grants.patterns.length === 0) return exact
  return [...exact, ...grants.patterns.filter(({ pattern }) => patternCovers(pattern, item))]
}

const DEEPEST = 10

/**
 * The role and all roles above it, each by its shortest path; a role that is reached twice is
 * visited once.
 */
export function reach(policy: Policy, role: Role): Role[][] {
  if (role.parentIds.length === 0) return [[role]]
  const seen = new Set([role.id])
  const found: Role[][] = [[role]]
  for (let at = 0; at < found.length; at += 1) {
    const way = found[at] ?? []
    if (way.length > DEEPEST) continue
    for (const id of way.at(-1)?.parentIds ?? []) {
      const parent = policy.roles.get(id)
      if (!parent || seen.has(id)) continue
      seen.add(id)
      found.push([...way, parent])
    }
  }
  return found
}

type WayResult = Pick<AccessPath, 'outcome' | 'acr'>

export function outcomeOfTerms(terms: Terms, context: Context): WayResult {
  const now = context.request.time.getTime()
  const inTime = (terms.validFrom ?? now) <= now && now < (terms.validUntil ?? Infinity)
  // What is over costs no evaluation.
  if (!inTime) return { outcome: terms.effect === 'deny' ? 'idle' : 'expired' }
  const result = terms.condition?.evaluate(context) ?? 'met'
  if (terms.effect === 'deny') return { outcome: denies(result) ? 'denied' : 'idle' }
  return result === 'met' ? { outcome: 'met' } : unmet(terms, context, result)
}

/** A deny whose condition cannot be evaluated still denies. */
function denies(result: ConditionResult): boolean {
  return result !== 'condition_failed'
}

/**
 * Would a stronger sign-in meet the condition now? Only for a signed-in user, and if the condition
 * could be evaluated.
 */
function unmet({ condition }: Terms, context: Context, result: ConditionResult): WayResult {
  const answered = result !== 'unanswerable' && result !== 'condition_too_costly'
  if (!answered || context.auth.acr === undefined) return { outcome: result }
  const enough = strongerThan(context.auth.acr).find(
    ({ acr, amr }) =>
      condition?.evaluate({ ...context, auth: { ...context.auth, acr, amr } }) === 'met',
  )
  return enough ? { outcome: 'mfa_required', acr: enough.acr } : { outcome: result }
}

/** A grant of a role counts only as far as its assignment. */
function through(assignment: WayResult, grant: WayResult): WayResult {
  if (assignment.outcome === 'met') return grant
  // A deny of a role that is not held has no effect, and it is not a missed grant.
  if (grant.outcome === 'denied' || grant.outcome === 'idle') return { outcome: 'idle' }
  // Two conditions: a stronger sign-in helps only if it meets both.
  if (assignment.outcome === 'mfa_required' && grant.outcome !== 'met') {
    return grant.outcome === 'mfa_required' ? stronger(assignment, grant) : grant
  }
  return assignment
}

function stronger(a: WayResult, b: WayResult): WayResult {
  return strongerThan(a.acr).some(({ acr }) => acr === b.acr) ? b : a
}

export type Outcome =
  | 'held'
  | 'absent'
  | 'expired'
  | 'condition_failed'
  | 'condition_too_costly'
  | 'context_missing'
  | 'mfa_required'

/** Without what was given for somebody or something else, unless it counts here all the same. */
export function waysHere(ways: AccessPath[], here: RequestPlace): AccessPath[] {
  const isOthers = ({ outcome, grant }: AccessPath) =>
    outcome !== 'met' && outcome !== 'denied' && isForAnother(grant.condition, here)
  return ways.some(isOthers) ? ways.filter((way) => !isOthers(way)) : ways
}

/** Deny overrides allow; otherwise the best outcome counts. */
export function outcomeOf(ways: readonly AccessPath[]): Outcome {
  const outcome = new Set(ways.map((way) => way.outcome))
  if (outcome.has('denied')) return 'absent'
  if (outcome.has('met')) return 'held'
  if (outcome.has('mfa_required')) return 'mfa_required'
  if (outcome.has('condition_too_costly')) return 'condition_too_costly'
  if (outcome.has('condition_failed') || outcome.has('unanswerable')) return 'condition_failed'
  if (outcome.has('context_missing')) return 'context_missing'
  return outcome.has('expired') ? 'expired' : 'absent'
}

/** The weakest level that meets one of the grants. */
export function acrFor(ways: readonly AccessPath[]): Acr | null {
  const needed = ways.flatMap((way) => (way.outcome === 'mfa_required' && way.acr ? [way.acr] : []))
  return needed.find((acr) => !needed.some((other) => isWeaker(other, acr))) ?? null
}

function isWeaker(a: Acr, b: Acr): boolean {
  return strongerThan(a).some(({ acr }) => acr === b)
}
