import { readsAttributes } from './condition'
import type { Approver, Policy, RequestRule, RequestTerms } from './policy'

/**
 * "What does this person, group or role decide about?" Whoever decides about access holds a power
 * over it, so that whoever makes somebody a decider must hold that power. It is answered here and
 * nowhere else, and what makes somebody a decider asks it. Pure: over the roles of a snapshot, and
 * what was read about rules, requests and reviews.
 */

/** What people decide about: permissions of an API, or the items of an access review. */
export type Decided =
  | { about: 'api'; apiId: string; patterns: readonly string[] }
  | { about: 'review'; reviewId: string }

/** Something that people decide about, with all whom it names. */
export type Naming = Decided & { named: readonly Approver[] }

type NamingRule = Pick<RequestRule, 'patterns' | 'stages' | 'emergency'>
type NamingTerms = Pick<RequestTerms, 'stages' | 'emergency'>

export type DecisionRecords = {
  /** Whoever turns one on again does not look at who has joined since. */
  disabledRules: readonly (NamingRule & { apiId: string })[]
  /** A request keeps the terms that it was made under, whatever becomes of its rule. */
  waiting: readonly { apiId: string; scope: string; terms: NamingTerms }[]
  /** Opened in an emergency, and not reviewed yet. */
  unreviewed: readonly { apiId: string; scope: string; terms: NamingTerms }[]
  openReviews: readonly {
    id: string
    reviewers: readonly Approver[]
    fallback: readonly Approver[]
  }[]
}

/** All that names people who decide. */
export function namingsIn(
  policy: Pick<Policy, 'apisByAudience'>,
  { disabledRules, waiting, unreviewed, openReviews }: DecisionRecords,
): Naming[] {
  const inForce = [...policy.apisByAudience.values()].flatMap(({ id: apiId, requestRules = [] }) =>
    requestRules.map((rule) => ({ ...rule, apiId })),
  )
  return [
    ...[...inForce, ...disabledRules].map((rule) => ofApi(rule.apiId, rule.patterns, ofRule(rule))),
    ...waiting.map(({ apiId, scope, terms }) => ofApi(apiId, [scope], ofStages(terms))),
    ...unreviewed.map(({ apiId, scope, terms }) =>
      ofApi(apiId, [scope], terms.emergency?.reviewers ?? []),
    ),
    ...openReviews.map(
      ({ id: reviewId, reviewers, fallback }): Naming => ({
        about: 'review',
        reviewId,
        named: [...reviewers, ...fallback],
      }),
    ),
  ]
}

function ofApi(apiId: string, patterns: readonly string[], named: readonly Approver[]): Naming {
  return { about: 'api', apiId, patterns, named }
}

/** Whoever approves, decides late, opens alone or reviews that. */
function ofRule({ stages, emergency }: Omit<NamingRule, 'patterns'>): Approver[] {
  const opening = emergency ? [...emergency.people, ...emergency.reviewers] : []
  return [...ofStages({ stages }), ...opening]
}

function ofStages({ stages }: Pick<NamingTerms, 'stages'>): Approver[] {
  return stages.flatMap(({ approvers, escalateTo }) => [...approvers, ...escalateTo])
}

/** All that somebody is by which they could be named, or what several are together. */
export type Candidate = {
  users?: readonly string[]
  groups?: readonly string[]
  /** Held directly: their parents are held, too. */
  roles?: readonly string[]
  /** Whether the attribute of somebody concerned names them. Absent: of nobody. */
  isManagerBy?: (attribute: string, of: Decided) => boolean
}

/** Owners of an API are not looked at here: they govern it anyway. */
export function decidedBy(
  policy: Pick<Policy, 'roles'>,
  namings: readonly Naming[],
  { users = [], groups = [], roles = [], isManagerBy = () => false }: Candidate,
): Decided[] {
  const known: Record<'user' | 'group' | 'role', ReadonlySet<string>> = {
    user: new Set(users),
    group: new Set(groups),
    role: rolesReached(policy, roles),
  }
  return namings.filter((naming) =>
    naming.named.some((one) => {
      if (one.type === 'api_owners') return false
      if (one.type === 'manager') return isManagerBy(one.attribute, naming)
      return known[one.type].has(one.id)
    }),
  )
}

/** These roles and all above them. */
function rolesReached(policy: Pick<Policy, 'roles'>, ids: readonly string[]): ReadonlySet<string> {
  const reached = new Set(ids)
  for (const id of reached)
    for (const parent of policy.roles.get(id)?.parentIds ?? []) reached.add(parent)
  return reached
}

/** The attributes by which somebody who decides is named, each with what they decide about. */
export function managerAttributes(namings: readonly Naming[]): Map<string, Decided[]> {
  const found = new Map<string, Decided[]>()
  for (const naming of namings)
    for (const one of naming.named) {
      if (one.type !== 'manager') continue
      found.set(one.attribute, [...(found.get(one.attribute) ?? []), naming])
    }
  return found
}

// ---------------------------------------------------------------- what decides without people

type ReadingRule = Pick<NamingRule, 'patterns' | 'emergency'> & {
  apiId: string
  autoApprove: string | null
  autoRefuse: string | null
}

/**
 * What is decided by these attributes of whoever asks: a rule approves at once by them, or they
 * lift what refuses where nobody else would be asked.
 */
export function decidedByAttributes(
  rules: readonly ReadingRule[],
  keys: ReadonlySet<string>,
): Decided[] {
  const reads = (condition: string | null) => condition !== null && readsAttributes(condition, keys)
  return rules
    .filter(({ autoApprove, autoRefuse, emergency }) => {
      const isAlone = autoApprove !== null || emergency !== null
      return reads(autoApprove) || (isAlone && reads(autoRefuse))
    })
    .map(({ apiId, patterns }) => ({ about: 'api', apiId, patterns }))
}

// ---------------------------------------------------------------- parents of roles

/** By ID, or by key within a space. */
export type ParentMap = ReadonlyMap<string, readonly string[]>

/** Roles whose holders come to hold more, or lose what is above: with what they gain and lose. */
type MovedRole = {
  /** The role and all below it, then. */
  family: ReadonlySet<string>
  gained: ReadonlySet<string>
  lost: ReadonlySet<string>
}

export function movedRoles(before: ParentMap, after: ParentMap): MovedRole[] {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const text = (map: ParentMap, name: string) => [...(map.get(name) ?? [])].sort().join(' ')
  const moved = names.filter((name) => text(before, name) !== text(after, name))
  if (moved.length === 0) return []
  const [childrenBefore, childrenAfter] = [turned(before), turned(after)]
  return moved.map((name) => {
    const [was, is] = [upFrom(before, name), upFrom(after, name)]
    const family = new Set([...upFrom(childrenBefore, name), ...upFrom(childrenAfter, name)])
    return { family, gained: without(is, was), lost: without(was, is) }
  })
}

function upFrom(map: ParentMap, name: string): Set<string> {
  const found = new Set([name])
  for (const one of found) for (const next of map.get(one) ?? []) found.add(next)
  return found
}

function turned(map: ParentMap): ParentMap {
  const children = new Map<string, string[]>()
  for (const [name, parents] of map)
    for (const parent of parents) {
      const known = children.get(parent)
      if (known) known.push(name)
      else children.set(parent, [name])
    }
  return children
}

function without(all: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...all].filter((one) => !others.has(one)))
}
