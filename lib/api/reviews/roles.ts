import { patternCovers } from '../../access/pattern'
import { allGrants, type Grant, type Policy } from '../../access/policy'
import { reach } from '../../access/ways'

/** What a role gives and denies, with its parent roles. */

function grantsOf(policy: Policy, roleId: string): Grant[] {
  const role = policy.roles.get(roleId)
  const roles = role ? reach(policy, role).flatMap((way) => way.at(-1) ?? []) : []
  return roles.flatMap(({ grants }) => allGrants(grants))
}

/** Whoever loses such a role may get more by it. */
export function roleDenies(policy: Policy, roleId: string): boolean {
  return grantsOf(policy, roleId).some(({ effect }) => effect === 'deny')
}

export function roleIsSensitive(policy: Policy, roleId: string): boolean {
  const allowed = grantsOf(policy, roleId).filter(({ effect }) => effect === 'allow')
  return [...policy.items.values()].some(
    ({ sensitive, scope }) =>
      sensitive && allowed.some(({ pattern }) => patternCovers(pattern, scope)),
  )
}
