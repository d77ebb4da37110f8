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
type DecisionContext = { context: Context; instance: string | null }

/**
 * Those of the subjects who gain or lose something; both policies must contain them. One check per
 * subject and permission; it can be interrupted after each: see turns.ts.
 */
export function* impactOf(
  before: Policy,
  after: Policy,
  subjects: readonly Subject[],
  context: DecisionContext,
): Generator<void, Impact[]> {
  const affected: Impact[] = []
  for (const subject of subjects) {
    const impact = yield* impactOn(before, after, subject, context)
    if (impact) affected.push(impact)
  }
  return affected
}

function* impactOn(
  before: Policy,
  after: Policy,
  subject: Subject,
  context: DecisionContext,
): Generator<void, Impact | null> {
  const items = new Set([
    ...namedIn(before, holderIn(before, subject)),
    ...namedIn(after, holderIn(after, subject)),
  ])
  const outcome = new Map<string, Held[]>()
  for (const item of items) {
    const held = [before, after].map((policy) => heldIn(policy, subject, item, context))
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
  { context, instance }: DecisionContext,
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

export function holderIn(policy: Policy, { kind, id }: Subject): Holder | undefined {
  return kind === 'user' ? policy.users.get(id) : policy.applications.get(id)
}

function namedIn(policy: Policy, holder: Holder | undefined): Set<string> {
  return holder ? itemsNamed(policy, holder) : new Set()
}
