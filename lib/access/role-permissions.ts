import { itemsIn } from './effective'
import { type Grant, NO_GRANTS, type Policy, type Role } from './policy'
import { grantsFor, reach } from './ways'

/** What a role gives by itself and through its parent roles, and which role gives it. */

/** `depends`: on a condition. `not_now`: outside its validity period. */
type RoleGives = 'held' | 'denied' | 'depends' | 'not_now'

export type RolePermission = {
  permission: string
  gives: RoleGives
  /** From the role itself to the one that gives the permission. */
  sources: { roles: readonly Role[]; grant: Grant }[]
}

export function rolePermissions(policy: Policy, role: Role, now: Date): RolePermission[] {
  const ways = reach(policy, role)
  const items = ways.flatMap((way) => itemsIn(policy, way.at(-1)?.grants ?? NO_GRANTS))
  return [...new Set(items)].sort().map((permission) => {
    const sources = ways.flatMap((roles) =>
      grantsFor(roles.at(-1)?.grants, permission).map((grant) => ({ roles, grant })),
    )
    const grants = sources.map(({ grant }) => grant)
    return { permission, gives: givenBy(grants, now.getTime()), sources }
  })
}

/** Deny overrides allow; a condition stays open until there is a context. */
function givenBy(grants: readonly Grant[], now: number): RoleGives {
  const current = grants.filter(
    ({ validFrom, validUntil }) => (validFrom ?? now) <= now && now < (validUntil ?? Infinity),
  )
  const [denies, allows] = [
    current.filter(({ effect }) => effect === 'deny'),
    current.filter(({ effect }) => effect === 'allow'),
  ]
  if (denies.some(isPlain)) return 'denied'
  if (allows.length === 0)
    return grants.every(({ effect }) => effect === 'deny') ? 'denied' : 'not_now'
  return denies.length === 0 && allows.some(isPlain) ? 'held' : 'depends'
}

function isPlain({ condition }: Grant): boolean {
  return condition === null
}
