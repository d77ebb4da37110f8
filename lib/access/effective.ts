import {
  type CheckDecision,
  type CheckRefusal,
  decidePermission,
  holderOf,
  type Subject,
} from './check'
import { type Step, toStep } from './explain'
import { patternCovers } from './pattern'
import type { Context, GrantSet, Holder, Policy } from './policy'
import { reach } from './ways'

/** Everything that a subject may do, and where it comes from. */

export type Effective = {
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
  const found: Effective[] = []
  for (const permission of holder ? [...itemsNamed(policy, holder)].sort() : []) {
    const decision = decidePermission(policy, { subject, permission, instance, context })
    found.push(...effectiveBy(permission, decision))
    yield
  }
  return found
}

function effectiveBy(permission: string, decision: CheckDecision): Effective[] {
  if (!decision.allowed && !DEPENDS.includes(decision.code)) return []
  const counted = decision.ways.filter(({ outcome }) => outcome !== 'idle' && outcome !== 'denied')
  const sources = counted.map((way) => toStep('user', way))
  return [{ permission, depends: decision.allowed ? null : decision.code, sources }]
}

/** Only permissions that a grant names can be held, so the others need not be checked. */
export function itemsNamed(policy: Policy, { grants, assignments }: Holder): Set<string> {
  const roles = new Set(assignments.map(({ roleId }) => roleId))
  const sets = [...roles].flatMap((id) => {
    const role = policy.roles.get(id)
    return role ? reach(policy, role).flatMap((way) => way.at(-1)?.grants ?? []) : []
  })
  return new Set([grants, ...new Set(sets)].flatMap((set) => itemsIn(policy, set)))
}

export function itemsIn(policy: Policy, { exact, patterns }: GrantSet): string[] {
  const named = [...exact.keys()].filter((key) => policy.items.has(key))
  if (patterns.length === 0) return named
  const covered = [...policy.items.keys()].filter((key) =>
    patterns.some(({ pattern }) => patternCovers(pattern, key)),
  )
  return [...named, ...covered]
}
