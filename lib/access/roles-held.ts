import { withBudget } from './budget'
import { itemsNamed } from './effective'
import type { Assignment, Context, Holder, Policy } from './policy'
import { byRole, outcomeOfTerms, reach } from './ways'

/**
 * The keys of the roles that a user holds now, with those that they inherit, for applications that
 * decide by roles. A role for one resource instance is none of them.
 */
export function rolesHeld(
  policy: Policy,
  userId: string,
  spaces: ReadonlySet<string>,
  context: Context,
): string[] {
  const asked = withBudget(context, {})
  const held = [...byRole(policy.users.get(userId)?.assignments ?? [])]
    .filter(([, assignments]) => isHeld(assignments, asked))
    .flatMap(([roleId]) => policy.roles.get(roleId) ?? [])
  const all = held.flatMap((role) => reach(policy, role).flatMap((way) => way.at(-1) ?? []))
  const keys = all.filter(({ spaceId }) => spaces.has(spaceId)).map(({ key }) => key)
  return [...new Set(keys)].sort()
}

function isHeld(assignments: readonly Assignment[], context: Context): boolean {
  const outcomes = assignments
    .filter(({ instance }) => instance === null)
    .map((assignment) => outcomeOfTerms(assignment, context).outcome)
  return outcomes.includes('met') && !outcomes.includes('denied')
}

/** The spaces of the APIs whose permissions it holds. */
export function spacesOf(policy: Policy, holder: Holder): Set<string> {
  const items = [...itemsNamed(policy, holder)].flatMap((scope) => policy.items.get(scope) ?? [])
  return new Set(items.map(({ api }) => api.spaceId))
}
