import type { Decision, Facts, Person, Role, Violation } from './model-facts'

/**
 * Who decides about access, once more from nothing but its specification: whoever is named, is in a
 * group that is named, holds a role that is named or one below it, or is called by an attribute.
 */

/** Whoever is one of them by what stands there; disabled people are not. */
export function decidersOf(decision: Decision, facts: Facts): Set<string> {
  return new Set(
    facts.people.filter((one) => one.enabled && isNamed(decision, one, facts)).map(({ id }) => id),
  )
}

/** `rolesCount`: false for whoever can make the roles go away. */
export function isNamed(decision: Decision, person: Person, facts: Facts, rolesCount = true) {
  const groups = facts.groups.filter(({ members }) => members.includes(person.id))
  const ids = [person.id, ...groups.map(({ id }) => id)]
  return (
    decision.people.includes(person.id) ||
    decision.groups.some((id) => ids.includes(id)) ||
    (rolesCount && rolesBelow(decision.roles, facts.roles).some((role) => isHeld(role, ids))) ||
    decision.attributes.some((attribute) => isCalled(person, attribute, facts))
  )
}

/** Whether members of the group decide, as the group or by its roles. */
export function isNamedGroup(decision: Decision, group: string, facts: Facts): boolean {
  const roles = rolesBelow(decision.roles, facts.roles)
  return decision.groups.includes(group) || roles.some((role) => isHeld(role, [group]))
}

export function holdsRoles(person: Person, facts: Facts): boolean {
  const groups = facts.groups.filter(({ members }) => members.includes(person.id))
  const ids = [person.id, ...groups.map(({ id }) => id)]
  return facts.roles.some(({ holders }) => holders.some(({ id }) => ids.includes(id)))
}

function isHeld({ holders }: Role, ids: readonly string[]): boolean {
  return holders.some(({ id, decides }) => decides && ids.includes(id))
}

function rolesBelow(named: readonly string[], roles: readonly Role[]): Role[] {
  const known = new Set(named)
  for (let count = -1; count !== known.size; ) {
    count = known.size
    for (const { id, parents } of roles) if (parents.some((one) => known.has(one))) known.add(id)
  }
  return roles.filter(({ id }) => known.has(id))
}

function isCalled({ id, username, email, verified }: Person, attribute: string, facts: Facts) {
  const names = [id, username, verified ? email : null].map((name) => name?.toLowerCase())
  return facts.people.some(({ attributes }) => {
    const value: unknown = JSON.parse(attributes)[attribute]
    return typeof value === 'string' && names.includes(value.toLowerCase())
  })
}

export function ofDeciders(
  ceiling: { mayDecide(decision: Decision): boolean },
  start: Facts,
  now: Facts,
): Violation[] {
  return start.decisions.flatMap((decision) => {
    if (ceiling.mayDecide(decision)) return []
    const before = decidersOf(decision, start)
    const added = [...decidersOf(decision, now)].filter((id) => !before.has(id))
    const what = `${added[0]} decides about ${decision.name}`
    return added.length === 0 ? [] : [{ clause: '16 deciders', what }]
  })
}
