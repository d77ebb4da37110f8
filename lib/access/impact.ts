import { decidePermission, type Subject } from './check'
import { DEPENDS, itemsNamed } from './effective'
import type { Context, Holder, Policy } from './policy'

/** Who gains and who loses what if one policy replaces another? */

export type Difference = {
  gains: string[]
  loses: string[]
  /** Not gained in this context, but in one that meets a condition. */
  mayGain: string[]
  mayLose: string[]
}
export type Impact = Difference & { subject: Subject }

/** For one resource instance if `instance` names it. */
export type Occasion = { context: Context; instance: string | null }

/**
 * `most`: how many subjects are listed; all of them are counted. It makes one check per subject and
 * permission and can be interrupted after each: see turns.ts.
 */
export function* impactOf(
  before: Policy,
  after: Policy,
  occasion: Occasion,
  most: number,
): Generator<void, { affected: Impact[]; total: number }> {
  const changed = changedRoles(before, after)
  const affected: Impact[] = []
  let total = 0
  for (const subject of subjectsOf(before, after)) {
    yield
    const impact = yield* impactOn(before, after, subject, changed, occasion)
    if (!impact) continue
    total += 1
    if (affected.length < most) affected.push(impact)
  }
  return { affected, total }
}

function* subjectsOf(before: Policy, after: Policy): Generator<Subject> {
  for (const id of new Set([...before.users.keys(), ...after.users.keys()]))
    yield { kind: 'user', id }
  for (const id of new Set([...before.applications.keys(), ...after.applications.keys()]))
    yield { kind: 'client', id }
}

function* impactOn(
  before: Policy,
  after: Policy,
  subject: Subject,
  changed: ReadonlySet<string>,
  occasion: Occasion,
): Generator<void, Impact | null> {
  const [had, has] = [holderIn(before, subject), holderIn(after, subject)]
  if (had === has && !touches(had, changed)) return null
  const items = new Set([...namedIn(before, had), ...namedIn(after, has)])
  const outcome = new Map<string, Held[]>()
  for (const item of items) {
    const held = [before, after].map((policy) => heldIn(policy, subject, item, occasion))
    outcome.set(item, held)
    yield
  }
  const moved = (from: readonly Held[], to: Held) =>
    [...outcome].flatMap(([item, [then, now]]) =>
      then && now === to && from.includes(then) ? [item] : [],
    )
  const difference = {
    gains: moved(['no', 'depends'], 'yes'),
    loses: [...moved(['yes'], 'no'), ...moved(['yes'], 'depends')],
    mayGain: moved(['no'], 'depends'),
    mayLose: moved(['depends'], 'no'),
  }
  const changes = Object.values(difference).some((list) => list.length > 0)
  return changes ? { subject, ...difference } : null
}

type Held = 'yes' | 'depends' | 'no'

function heldIn(
  policy: Policy,
  subject: Subject,
  permission: string,
  { context, instance }: Occasion,
): Held {
  const own = ownContext(policy, subject, context)
  const decision = decidePermission(policy, { subject, permission, instance, context: own })
  if (decision.allowed) return 'yes'
  return DEPENDS.includes(decision.code) ? 'depends' : 'no'
}

/** The subject's own attributes are known; the rest of the context is the same for all. */
function ownContext(policy: Policy, { kind, id }: Subject, context: Context): Context {
  if (kind === 'client')
    return { ...context, client: { ...context.client, id, application_id: id } }
  return { ...context, user: { ...context.user, ...policy.users.get(id)?.attributes, id } }
}

function holderIn(policy: Policy, { kind, id }: Subject): Holder | undefined {
  return kind === 'user' ? policy.users.get(id) : policy.applications.get(id)
}

function namedIn(policy: Policy, holder: Holder | undefined): Set<string> {
  return holder ? itemsNamed(policy, holder) : new Set()
}

/** IDs of the roles that differ, and of those above and below them. */
function changedRoles(before: Policy, after: Policy): Set<string> {
  const ids = new Set([...before.roles.keys(), ...after.roles.keys()])
  const changed = new Set([...ids].filter((id) => before.roles.get(id) !== after.roles.get(id)))
  for (let grew = changed.size > 0; grew; ) {
    grew = false
    for (const { id, parentIds } of [...before.roles.values(), ...after.roles.values()]) {
      if (changed.has(id) || !parentIds.some((parent) => changed.has(parent))) continue
      changed.add(id)
      grew = true
    }
  }
  return changed
}

function touches(holder: Holder | undefined, changed: ReadonlySet<string>): boolean {
  return holder?.assignments.some(({ roleId }) => changed.has(roleId)) ?? false
}
