import type { Grant, GrantSet, Policy } from './policy'
import { grantsFor } from './ways'

/** Who was given a permission, by name or by a pattern that covers it? */

export type Holding = { kind: 'application' | 'role'; id: string; grant: Grant }

export function holdersOf(policy: Policy, item: string): Holding[] {
  const given = (kind: Holding['kind'], holders: ReadonlyMap<string, { grants: GrantSet }>) =>
    [...holders].flatMap(([id, { grants }]) =>
      grantsFor(grants, item).map((grant) => ({ kind, id, grant })),
    )
  return [...given('application', policy.applications), ...given('role', policy.roles)]
}
