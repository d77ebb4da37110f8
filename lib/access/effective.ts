import { type CheckDecision, type CheckRefusal, decideHeld, holderOf, type Subject } from './check'
import { type Step, toStep } from './explain'
import { patternCovers } from './pattern'
import type { Assignment, Context, GrantSet, Holder, Policy } from './policy'
import { byRole, reach } from './ways'

/** Everything that a subject may do, and where it comes from. */

type Effective = {
  permission: string
  /** Null if held in every context; otherwise what the context must fulfil. */
  depends: CheckRefusal | null
  sources: Step[]
}

/** Refusals that a condition or a stronger sign-in could still turn into a yes. */
export const DEPENDS: readonly CheckRefusal[] = [
  'condition_failed',
  'condition_too_costly',
  'context_missing',
  'mfa_required',
]

/** Can be interrupted after each check: see turns.ts. */
export function* permissionsHeldBy(
  policy: Policy,
  subject: Subject,
  context: Context,
  instance: string | null = null,
): Generator<void, Effective[]> {
  const holder = holderOf(policy, subject)
  if (!holder) return []
  const named = yield* rolesNaming(policy, holder)
  const found: Effective[] = []
  for (const permission of [...named.keys()].sort()) {
    const item = policy.items.get(permission)
    if (!item?.api.enabled) continue
    const assignments = (named.get(permission) ?? []).flat()
    const held = { grants: holder.grants, assignments }
    const decision = decideHeld(policy, held, item, { permission, instance, context })
    found.push(...effectiveBy(permission, decision))
    yield
  }
  return found
}

/**
 * Each permission that a grant names, with the assignments of the roles that name it. So a user with
 * a thousand roles is not asked about each of them for each permission.
 */
function* rolesNaming(policy: Policy, { grants, assignments }: Holder) {
  const named = new Map<string, (readonly Assignment[])[]>()
  for (const item of itemsIn(policy, grants)) named.set(item, [])
  const items = new Map<GrantSet, readonly string[]>()
  for (const [roleId, ofRole] of byRole(assignments)) {
    const sets = grantsOf(policy, roleId)
    for (const set of sets) if (!items.has(set)) items.set(set, itemsIn(policy, set))
    for (const item of new Set(sets.flatMap((set) => items.get(set) ?? []))) {
      const others = named.get(item)
      if (others) others.push(ofRole)
      else named.set(item, [ofRole])
    }
    yield
  }
  return named
}

function effectiveBy(permission: string, decision: CheckDecision): Effective[] {
  if (!decision.allowed && !DEPENDS.includes(decision.code)) return []
  const counted = decision.ways.filter(({ outcome }) => outcome !== 'idle' && outcome !== 'denied')
  const sources = counted.map((way) => toStep('user', way))
  return [{ permission, depends: decision.allowed ? null : decision.code, sources }]
}

/** Only permissions that a grant names can be held, so the others need not be checked. */
export function itemsNamed(policy: Policy, { grants, assignments }: Holder): Set<string> {
  const sets = [...byRole(assignments).keys()].flatMap((roleId) => grantsOf(policy, roleId))
  return new Set([grants, ...new Set(sets)].flatMap((set) => itemsIn(policy, set)))
}

/** The grants of a role and of the roles above it. */
function grantsOf(policy: Policy, roleId: string): GrantSet[] {
  const role = policy.roles.get(roleId)
  return role ? reach(policy, role).flatMap((way) => way.at(-1)?.grants ?? []) : []
}

export function itemsIn(policy: Policy, { exact, patterns }: GrantSet): string[] {
  const named = [...exact.keys()].filter((key) => policy.items.has(key))
  if (patterns.length === 0) return named
  const covered = [...policy.items.keys()].filter((key) =>
    patterns.some(({ pattern }) => patternCovers(pattern, key)),
  )
  return [...named, ...covered]
}
