import { type Check, decidePermission, type Subject } from './check'
import { itemsNamed } from './effective'
import type { Assignment, Context, Policy } from './policy'
import { reach } from './ways'

/**
 * Who may do it, on what, and what may they do? Every answer is a check that said yes. The search
 * can be interrupted after each check: see turns.ts.
 */

type Asked = Pick<Check, 'permission' | 'instance'> & { context(subject: Subject): Context }

/** IDs in order, so that a page can say where it ended; at most `most`. */
export function* usersAllowed(
  policy: Policy,
  asked: Asked,
  { after, most }: { after: string; most: number },
): Generator<void, string[]> {
  const found: string[] = []
  for (const id of inOrder(policy)) {
    if (id <= after) continue
    if (found.length === most) break
    const subject: Subject = { kind: 'user', id }
    const { permission, instance } = asked
    const check = { subject, permission, instance, context: asked.context(subject) }
    if (decidePermission(policy, check).allowed) found.push(id)
    yield
  }
  return found
}

const orders = new WeakMap<Policy, readonly string[]>()

function inOrder(policy: Policy): readonly string[] {
  const known = orders.get(policy) ?? [...policy.users.keys()].sort()
  orders.set(policy, known)
  return known
}

/** The resource instances that assignments name: the portal knows no others. */
export function* instancesAllowed(
  policy: Policy,
  type: string,
  check: Check,
): Generator<void, string[]> {
  const found: string[] = []
  for (const instance of [...instancesOf(policy, type)].sort()) {
    const resource = { ...check.context.resource, id: instance }
    const context = { ...check.context, resource }
    if (decidePermission(policy, { ...check, instance, context }).allowed) found.push(instance)
    yield
  }
  return found
}

function instancesOf(policy: Policy, type: string): Set<string> {
  const holders = [...policy.users.values(), ...policy.applications.values()]
  const assignments = holders.flatMap((holder) => holder.assignments)
  const giving = new Map<string, boolean>()
  const instances = new Set<string>()
  for (const { roleId, instance } of assignments) {
    if (instance === null || instances.has(instance)) continue
    const gives = giving.get(roleId) ?? givesOf(policy, roleId, `${type}:`)
    giving.set(roleId, gives)
    if (gives) instances.add(instance)
  }
  return instances
}

function givesOf(policy: Policy, roleId: Assignment['roleId'], prefix: string): boolean {
  const role = policy.roles.get(roleId)
  if (!role) return false
  const sets = reach(policy, role).flatMap((way) => way.at(-1)?.grants ?? [])
  return sets.some(
    ({ exact, patterns }) =>
      patterns.some(({ pattern }) => pattern.startsWith(prefix)) ||
      [...exact.keys()].some((key) => key.startsWith(prefix)),
  )
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
