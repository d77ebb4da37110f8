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

/** The patterns by which something of an API can be given. */
export function patternsOf({ items }: Model, type: string): string[] {
  const prefix = `${type}:`
  return [...[...items.keys()].filter((key) => key.startsWith(prefix)), `${type}:*`]
}

/** These roles and all that inherit from them. */
export function holdingRoles({ roles }: Model, ids: Iterable<string>): string[] {
  return [...familyOf(childrenIn(roles), ids)]
}

/** Those of the users who may do it; the policy must contain them. */
export function* usersAllowed(
  policy: Policy,
  asked: Asked,
  ids: readonly string[],
): Generator<void, string[]> {
  const { permission, instance } = asked
  const found: string[] = []
  for (const id of ids) {
    const subject: Subject = { kind: 'user', id }
    const check = { subject, permission, instance, context: asked.context(subject) }
    if (decidePermission(policy, check).allowed) found.push(id)
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
    const { allowed } = decidePermission(policy, { ...check, permission })
    if (allowed) found.push(permission.slice(prefix.length))
    yield
  }
  return found.sort()
}
