import { type Check, decidePermission, type Subject } from './check'
import { itemsNamed } from './effective'
import { childrenIn, familyOf } from './hierarchy'
import type { Context, Model, Policy } from './policy'

/**
 * Who may do it, on what, and what may they do? The store finds candidates; every answer is a check
 * that said yes. The search can be interrupted after each check: see turns.ts.
 */

type Asked = Pick<Check, 'permission' | 'instance'> & { context(subject: Subject): Context }

/** All patterns that cover a permission: itself, and `orders:*` for `orders:read`. */
export function patternsCovering(permission: string): string[] {
  const parts = permission.split(':')
  const wide = parts.slice(0, -1).map((_part, at) => `${parts.slice(0, at + 1).join(':')}:*`)
  return [permission, ...wide]
}

/** The patterns by which something of an API can be given, such as `orders:items:*`. */
export function patternsOf({ items }: Model, type: string): string[] {
  const prefix = `${type}:`
  const keys = [...items.keys()].filter((key) => key.startsWith(prefix))
  return [...new Set(keys.flatMap(patternsCovering))]
}

/** These roles and all that inherit from them. */
export function holdingRoles({ roles }: Model, ids: Iterable<string>): string[] {
  return [...familyOf(childrenIn(roles), ids)]
}

/** Those of the subjects who may do it; the policy must contain them. */
export function* subjectsAllowed(
  policy: Policy,
  asked: Asked,
  subjects: readonly Subject[],
): Generator<void, string[]> {
  const { permission, instance } = asked
  const found: string[] = []
  for (const subject of subjects) {
    const check = { subject, permission, instance, context: asked.context(subject) }
    if (decidePermission(policy, check).allowed) found.push(subject.id)
    yield
  }
  return found
}

/** Those of the resource instances on which the subject may do it. */
export function* instancesAllowed(
  policy: Policy,
  check: Check,
  instances: readonly string[],
): Generator<void, string[]> {
  const found: string[] = []
  for (const instance of instances) {
    const resource = { ...check.context.resource, id: instance }
    const context = { ...check.context, resource }
    if (decidePermission(policy, { ...check, instance, context }).allowed) found.push(instance)
    yield
  }
  return found
}

export function* actionsAllowed(
  policy: Policy,
  type: string,
  check: Omit<Check, 'permission'>,
): Generator<void, string[]> {
  const { subject } = check
  const holder = (subject.kind === 'user' ? policy.users : policy.applications).get(subject.id)
  if (!holder) return []
  const prefix = `${type}:`
  const found: string[] = []
  for (const permission of itemsNamed(policy, holder)) {
    if (!permission.startsWith(prefix)) continue
    const name = permission.slice(prefix.length)
    // Conditions read the action that is asked about.
    const context = { ...check.context, action: { ...check.context.action, name } }
    if (decidePermission(policy, { ...check, permission, context }).allowed) found.push(name)
    yield
  }
  return found.sort()
}
