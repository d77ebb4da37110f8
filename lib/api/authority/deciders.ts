import { isDeepStrictEqual } from 'node:util'
import type { Privilege } from '../../access/authority'
import {
  type Candidate,
  type Decided,
  decidedBy,
  decidedByAttributes,
  managerAttributes,
  movedRoles,
  type Naming,
  namingsIn,
  type ParentMap,
} from '../../access/deciders'
import type { Policy } from '../../access/policy'
import type { PortalScope } from '../../access/portal-api'
import type { Op } from '../../context/op'
import { foldedKey } from '../../store/database/folded-key'
import { rolesHeld } from '../../store/permissions/assignments'
import { listGroupsOf, rolesOfGroup } from '../../store/permissions/groups'
import {
  isNamedByAttribute,
  listDisabledRules,
  listUnreviewedTerms,
  listWaitingTerms,
} from '../../store/requests/namings'
import { listReviewersOfOpen, listTakenBy, listUsersUnderReview } from '../../store/reviews/namings'

/**
 * What somebody gets who becomes one of those who decide, as lib/access/authority.ts understands
 * it: to govern the APIs whose permissions they decide about, and to take away what they review.
 */

type Known = {
  policy: Policy
  namings: readonly Naming[]
  disabledRules: Awaited<ReturnType<typeof listDisabledRules>>
}

async function readKnown(op: Op): Promise<Known> {
  const { policy } = await op.latestSnapshot()
  const kind = op.databaseKind
  const [disabledRules, waiting, unreviewed, openReviews] = await Promise.all([
    op.read(listDisabledRules),
    op.read((db) => listWaitingTerms(db, kind)),
    op.read((db) => listUnreviewedTerms(db, kind)),
    op.read(listReviewersOfOpen),
  ])
  const namings = namingsIn(policy, { disabledRules, waiting, unreviewed, openReviews })
  return { policy, namings, disabledRules }
}

// ---------------------------------------------------------------- what it takes

const TAKING: Record<string, PortalScope> = {
  'assignment user': 'assignments:write',
  'assignment group': 'assignments:write',
  'assignment application': 'assignments:write',
  'grant role': 'roles:write',
  'grant user': 'assignments:write',
  'admin_role user': 'admin-roles:write',
}

async function privilegesOf(
  op: Op,
  { policy }: Pick<Known, 'policy'>,
  decided: readonly Decided[],
): Promise<Privilege[]> {
  const apiIds = new Set(decided.flatMap((one) => (one.about === 'api' ? [one.apiId] : [])))
  const reviews = new Set(decided.flatMap((one) => (one.about === 'review' ? [one.reviewId] : [])))
  const apis = [...policy.apisByAudience.values()].filter(({ id }) => apiIds.has(id))
  const taken = reviews.size === 0 ? [] : await op.read((db) => listTakenBy(db, [...reviews]))
  const scopes = taken.map(
    ({ kind, subjectType }) => TAKING[`${kind} ${subjectType}`] ?? 'applications:write',
  )
  return [
    ...(apis.length === 0 ? [] : [{ gives: 'apis', apis } as const]),
    ...(scopes.length === 0 ? [] : [{ gives: 'scopes', scopes: [...new Set(scopes)] } as const]),
  ]
}

// ---------------------------------------------------------------- who they are

/** What those decide about who hold these roles, and all roles above them. */
export async function privilegesOfDecidingRoles(
  op: Op,
  roles: readonly string[],
): Promise<Privilege[]> {
  return decidingAs(op, { roles })
}

/** Members of a group decide as the group, and by its roles. */
export async function privilegesOfDecidingGroup(op: Op, groupId: string): Promise<Privilege[]> {
  const roles = await op.read((db) => rolesOfGroup(db, groupId))
  return decidingAs(op, { groups: [groupId], roles })
}

async function decidingAs(op: Op, candidate: Candidate): Promise<Privilege[]> {
  const known = await readKnown(op)
  return privilegesOf(op, known, decidedBy(known.policy, known.namings, candidate))
}

/** What an attribute may call somebody by: see `idOf` of the users. */
export type PersonNames = {
  id: string
  username: string | null
  email: string | null
  emailVerified: boolean
}

/** What these people decide about: in person, by their groups and roles, and as managers. */
export async function privilegesOfDecidingPeople(
  op: Op,
  people: readonly PersonNames[],
): Promise<Privilege[]> {
  const known = await readKnown(op)
  if (known.namings.length === 0 || people.length === 0) return []
  const users = people.map(({ id }) => id)
  const { policy } = await op.latestSnapshot({ users })
  const roles = users.flatMap((id) => policy.users.get(id)?.assignments ?? [])
  const groups = await Promise.all(users.map((id) => op.read((db) => listGroupsOf(db, id))))
  const candidate: Candidate = {
    users,
    groups: groups.flat().map(({ id }) => id),
    roles: roles.map(({ roleId }) => roleId),
    isManagerBy: await managersNamed(op, known, namesOf(people)),
  }
  return privilegesOf(op, known, decidedBy(known.policy, known.namings, candidate))
}

/** What they come to decide about by these names alone, where an attribute says one of them. */
export async function privilegesOfNames(
  op: Op,
  people: readonly PersonNames[],
): Promise<Privilege[]> {
  const names = namesOf(people)
  if (names.size === 0) return []
  const known = await readKnown(op)
  const isManagerBy = await managersNamed(op, known, names)
  return privilegesOf(op, known, decidedBy(known.policy, known.namings, { isManagerBy }))
}

function namesOf(people: readonly PersonNames[]): Set<string> {
  const names = people.flatMap(({ id, username, email, emailVerified }) => [
    id,
    ...(username === null ? [] : [username]),
    ...(email === null || !emailVerified ? [] : [email]),
  ])
  return new Set(names.map(foldedKey))
}

type IsManagerBy = NonNullable<Candidate['isManagerBy']>

/** Asked of the database once for each attribute that names managers: of most portals never. */
async function managersNamed(
  op: Op,
  { namings }: Known,
  names: ReadonlySet<string>,
): Promise<IsManagerBy> {
  const attributes = managerAttributes(namings)
  const everywhere = new Set<string>()
  for (const [attribute, decided] of attributes) {
    if (!decided.some(({ about }) => about === 'api')) continue
    const isNamed = (db: Parameters<typeof isNamedByAttribute>[0]) =>
      isNamedByAttribute(db, op.databaseKind, attribute, names)
    if (await op.read(isNamed)) everywhere.add(attribute)
  }
  const people = await underReview(op, attributes)
  const says = (value: unknown) => typeof value === 'string' && names.has(foldedKey(value))
  return (attribute, of) => {
    if (of.about === 'api') return everywhere.has(attribute)
    return people.some((one) => one.reviewId === of.reviewId && says(one.attributes[attribute]))
  }
}

async function underReview(op: Op, attributes: ReadonlyMap<string, readonly Decided[]>) {
  const decided = [...attributes.values()].flat()
  const reviews = decided.flatMap((one) => (one.about === 'review' ? [one.reviewId] : []))
  return reviews.length === 0 ? [] : op.read((db) => listUsersUnderReview(db, reviews))
}

// ---------------------------------------------------------------- attributes of whoever asks

type Attributes = Readonly<Record<string, unknown>>

/** An attribute may name who approves for somebody, or make a rule approve at once. */
export async function privilegesOfAttributes(
  op: Op,
  userId: string,
  before: Attributes,
  after: Attributes,
): Promise<Privilege[]> {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...keys].filter((key) => !isDeepStrictEqual(before[key], after[key]))
  const written = changed.map((key): Written => [key, after[key]])
  return privilegesOfWritten(op, written, userId)
}

type Newcomer = PersonNames & { attributes: Attributes }

/** Somebody new may have a name that an attribute of others says, and attributes of their own. */
export async function privilegesOfNewcomers(
  op: Op,
  newcomers: readonly Newcomer[],
): Promise<Privilege[]> {
  const written = newcomers.flatMap(({ attributes }) => Object.entries(attributes))
  return [
    ...(await privilegesOfNames(op, newcomers)),
    ...(await privilegesOfWritten(op, written, null)),
  ]
}

type Written = [key: string, value: unknown]

/** `userId`: null for somebody new, whom no review is about. */
async function privilegesOfWritten(
  op: Op,
  written: readonly Written[],
  userId: string | null,
): Promise<Privilege[]> {
  if (written.length === 0) return []
  const known = await readKnown(op)
  // To have no manager any more gives nobody anything.
  const naming = new Set(written.filter(([, value]) => isName(value)).map(([key]) => key))
  const named = [...managerAttributes(known.namings)].filter(([key]) => naming.has(key))
  const people = userId === null ? [] : await underReview(op, new Map(named))
  const isReviewed = (reviewId: string) =>
    people.some((one) => one.reviewId === reviewId && one.userId === userId)
  const byManager = named
    .flatMap(([, decided]) => decided)
    .filter((one) => one.about === 'api' || isReviewed(one.reviewId))
  const keys = new Set(written.map(([key]) => key))
  return privilegesOf(op, known, [...byManager, ...decidedByAttributes(readingRules(known), keys)])
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function readingRules({ policy, disabledRules }: Known) {
  const inForce = [...policy.apisByAudience.values()].flatMap(({ id: apiId, requestRules = [] }) =>
    requestRules.map(({ patterns, emergency, autoApprove, autoRefuse }) => ({
      ...{ apiId, patterns, emergency },
      autoApprove: autoApprove?.source ?? null,
      autoRefuse: autoRefuse?.source ?? null,
    })),
  )
  return [...inForce, ...disabledRules]
}

// ---------------------------------------------------------------- parents of roles

/**
 * Whoever holds a role that gets a parent comes to decide what the parent decides; whoever is kept
 * out by a deny of it decides when it loses the parent. `idOf`: of a name in the maps.
 */
export async function privilegesOfMovedRoles(
  op: Op,
  before: ParentMap,
  after: ParentMap,
  idOf: (name: string) => string | undefined = (name) => name,
): Promise<Privilege[]> {
  const moved = movedRoles(before, after)
  const ids = (names: Iterable<string>) => [...names].flatMap((name) => idOf(name) ?? [])
  const family = ids(moved.flatMap((one) => [...one.family]))
  if (family.length === 0) return []
  const held = await op.read((db) => rolesHeld(db, family))
  const some = (effect: string, names: ReadonlySet<string>) => {
    const among = new Set(ids(names))
    return held.some((one) => one.effect === effect && among.has(one.roleId))
  }
  const reached = moved.flatMap(({ family: names, gained, lost }) => [
    ...(some('allow', names) ? gained : []),
    ...(some('deny', names) ? lost : []),
  ])
  return reached.length === 0 ? [] : privilegesOfDecidingRoles(op, ids(reached))
}
