import {
  ALWAYS,
  type GovernedApi,
  isWithin,
  type Limits,
  limitsOf,
  type Privilege,
  type ScopePrivilege,
  type Unasked,
} from '../../access/authority'
import { childrenIn, familyOf } from '../../access/hierarchy'
import { patternCovers, patternsOverlap } from '../../access/pattern'
import type { Api, Grant, GrantSet, Holder, Policy, Role } from '../../access/policy'
import { allGrants } from '../../access/policy'
import { PORTAL_SCOPE_NAMES } from '../../access/portal-api'
import { reach } from '../../access/ways'
import type { Op } from '../../context/op'
import type { Application } from '../../oidc/client'
import type { AdminRole, UserRecord } from '../../store/accounts/users'
import { applicationIdsOf } from '../../store/applications/applications'
import { rolesOfApplications, type SubjectType } from '../../store/permissions/assignments'
import { groupHoldsRoles, isMember } from '../../store/permissions/groups'
import { type Caller, scopesOf, wantedOf } from '../http/caller'
import { apisOwnedBy } from './authorize'
import {
  type PersonNames,
  privilegesOfDecidingGroup,
  privilegesOfDecidingPeople,
  privilegesOfDecidingRoles,
  privilegesOfMovedRoles,
} from './deciders'

/**
 * What a change gives to somebody, as lib/access/authority.ts understands it. Nothing is decided
 * here.
 */

// ---------------------------------------------------------------- scopes for applications

type Pattern = Limits & {
  pattern: string
  at: string | null
  exchangeFrom?: string | null | undefined
}

/**
 * A grant of `users:*` gives every portal scope that it covers now; a grant of `orders:*` gives the
 * whole API.
 */
function givenBy(policy: Policy, given: Pattern): ScopePrivilege[] {
  const { pattern, at, exchangeFrom, ...limits } = given
  const own = PORTAL_SCOPE_NAMES.filter((scope) => patternCovers(pattern, scope))
  if (own.length > 0)
    return own.map((scope) => ({ ...limits, scope, at, api: null, ordinary: false }))
  const item = policy.items.get(pattern)
  const api = item?.api ?? apiOf(policy, pattern)
  if (!api) return []
  // By a token exchange, an application acts for users who did not agree to it themselves.
  const ordinary = !exchangeFrom && item !== undefined && !item.sensitive && !item.needsRole
  return [{ ...limits, scope: pattern, at, api, ordinary }]
}

function apiOf(policy: Policy, pattern: string): Api | undefined {
  if (!pattern.endsWith(':*')) return undefined
  return [...policy.apisByAudience.values()].find(({ prefix }) => `${prefix}:*` === pattern)
}

type Written = { effect: string; pattern: string; exchangeFrom?: string | null } & Limits

/**
 * What a set of grants gives beyond another set: new allows with their limits, and everything that
 * a removed deny held back.
 */
export function privilegesOfGrants(
  policy: Policy,
  before: readonly Written[],
  after: readonly (Written & { at: string | null })[],
): Privilege[] {
  const had = new Set(before.map(grantText))
  const has = new Set(after.map(grantText))
  const added = after.filter((grant) => grant.effect === 'allow' && !had.has(grantText(grant)))
  const lifted = before.filter((grant) => grant.effect === 'deny' && !has.has(grantText(grant)))
  const patterns: Pattern[] = [
    ...added.map(({ pattern, exchangeFrom, at, ...grant }) => ({
      ...limitsIn(grant),
      pattern,
      exchangeFrom,
      at,
    })),
    ...lifted.map(({ pattern, exchangeFrom }) => ({
      ...ALWAYS,
      pattern,
      exchangeFrom,
      at: null,
    })),
  ]
  const grants = patterns.flatMap((pattern) => givenBy(policy, pattern))
  return grants.length === 0 ? [] : [{ gives: 'grants', grants }]
}

/** Two grants are equal only if all their fields are equal. */
export function grantText({ pattern, exchangeFrom = null, effect, ...limits }: Written): string {
  const { condition, validFrom, validUntil } = limits
  return JSON.stringify([pattern, exchangeFrom, effect, condition, validFrom, validUntil])
}

function limitsIn({ condition, validFrom, validUntil }: Limits): Limits {
  return { condition, validFrom, validUntil }
}

/** A grant as the database stores it. */
export type StoredGrant = GrantDates & Omit<Written, keyof Limits>

type GrantDates = { validFrom: Date | null; validUntil: Date | null; condition: string | null }

export function writtenRow(row: StoredGrant): Written {
  const { pattern, exchangeFrom = null, effect, condition, validFrom, validUntil } = row
  const times = {
    validFrom: validFrom?.getTime() ?? null,
    validUntil: validUntil?.getTime() ?? null,
  }
  return { pattern, exchangeFrom, effect, condition, ...times }
}

function writtenGrant({ pattern, exchangeFrom = null, effect, ...terms }: Grant): Written {
  return { pattern, exchangeFrom, effect, ...limitsOf({ effect, ...terms }) }
}

// ---------------------------------------------------------------- acting as an application

type Acting = {
  applicationId: string
  ownerId: string | null
  /** For an access key: its own scopes; null for all scopes of the application. */
  scopes?: readonly string[] | null
}

/**
 * Whoever creates a credential for an application can do everything that the application may do,
 * now or later. The policy must contain the application.
 */
export function privilegesOfActingAs(policy: Policy, acting: Acting, now: Date): Privilege[] {
  const holder = policy.applications.get(acting.applicationId)
  const held = holder ? holdingsOf(policy, holder, now.getTime()) : []
  const reachable = held.filter(({ pattern }) => overlaps(acting.scopes ?? null, pattern))
  const grants = reachable.flatMap((one) => givenBy(policy, { ...one, at: null }))
  return grants.length === 0 ? [] : [{ gives: 'application', grants, ownerId: acting.ownerId }]
}

function overlaps(list: readonly string[] | null, pattern: string): boolean {
  return list === null || patternsOverlap(list, [pattern])
}

/** An expired grant is not held. A grant that begins later or has a condition is. */
function holdingsOf(policy: Policy, { grants, assignments }: Holder, now: number) {
  const roles = assignments.filter((one) => one.effect === 'allow' && !isOver(one, now))
  const sets = [grants, ...roles.flatMap(({ roleId }) => setsOf(policy, roleId))]
  return sets
    .flatMap(allGrants)
    .filter((grant) => grant.effect === 'allow' && !isOver(grant, now))
    .map(writtenGrant)
}

function isOver({ validUntil }: { validUntil: number | null }, now: number): boolean {
  return validUntil !== null && validUntil <= now
}

function setsOf(policy: Policy, roleId: string): GrantSet[] {
  const role = policy.roles.get(roleId)
  return role ? reach(policy, role).flatMap((way) => way.at(-1)?.grants ?? []) : []
}

// ---------------------------------------------------------------- roles

/**
 * A role gives its own grants and those of its parent roles. An application that gets the role
 * gains them. An application that loses the role, or holds it under narrower terms, loses what the
 * role denied.
 */
function privilegesOfRoleForApplication(
  policy: Policy,
  roleId: string,
  { comes, goes }: { comes: boolean; goes: boolean },
): Privilege[] {
  const grants = setsOf(policy, roleId).flatMap(allGrants).map(writtenGrant)
  return [
    ...(comes ? gained(policy, grants) : []),
    ...(goes ? privilegesOfGrants(policy, grants, []) : []),
  ]
}

function gained(policy: Policy, grants: readonly Written[]): Privilege[] {
  return privilegesOfGrants(
    policy,
    [],
    grants.map((grant) => ({ ...grant, at: null })),
  )
}

type Assigned = {
  roleId: string
  effect: string
  instance?: string | null
  condition?: string | null
  validFrom?: Date | null
  validUntil?: Date | null
}

/**
 * `assignments:write` is enough for roles of users, unless the role decides about something. A role
 * of an application is a grant to it: removing the role, or changing its terms, also removes what
 * it denied.
 */
export async function privilegesOfAssignment(
  op: Op,
  caller: Caller,
  subject: { type: SubjectType; id: string },
  after: Assigned | null,
  before: Assigned | null = null,
): Promise<Privilege[]> {
  const own = await privilegesOverOwnSubject(op, caller, subject)
  const roleId = after?.roleId ?? before?.roleId
  if (roleId === undefined) return own
  if (subject.type !== 'client') {
    const decides = makesDecider(before, after)
    return [...own, ...(decides ? await privilegesOfDecidingRoles(op, [roleId]) : [])]
  }
  const { policy } = await op.latestSnapshot()
  const comes = after?.effect === 'allow' || before?.effect === 'deny'
  return [
    ...own,
    ...privilegesOfRoleForApplication(policy, roleId, { comes, goes: before !== null }),
  ]
}

/** Whether somebody could decide by the role who could not before, or not for as long. */
function makesDecider(before: Assigned | null, after: Assigned | null): boolean {
  if (before && isDeny(before) && !(after && isDeny(after) && lastsWithin(before, after)))
    return true
  if (!after || !decidesBy(after)) return false
  return !before || !decidesBy(before) || !lastsWithin(after, before)
}

/** Whoever holds it for an instance or under a condition decides nothing by it. */
function decidesBy({ effect, instance = null, condition = null }: Assigned): boolean {
  return effect === 'allow' && instance === null && condition === null
}

function isDeny({ effect, instance = null }: Assigned): boolean {
  return effect === 'deny' && instance === null
}

function lastsWithin(inner: Assigned, outer: Assigned): boolean {
  return isWithin(timesOf(inner), timesOf(outer))
}

function timesOf({ validFrom = null, validUntil = null }: Assigned): Limits {
  const [from, until] = [validFrom?.getTime() ?? null, validUntil?.getTime() ?? null]
  return { condition: null, validFrom: from, validUntil: until }
}

/**
 * Deleting a space deletes its roles, and with them what the roles denied, perhaps to the caller.
 */
export async function privilegesOfRemovingSpace(
  op: Op,
  caller: Caller,
  spaceId: string,
): Promise<Privilege[]> {
  const { policy } = await op.latestSnapshot(wantedOf(caller))
  const roles = [...policy.roles.values()].filter((role) => role.spaceId === spaceId)
  const held = await heldByApplications(op, policy, roles)
  return [
    ...roles.flatMap(({ id }) => privilegesOfOwnRole(policy, caller, id)),
    ...held.flatMap(({ grants }) =>
      privilegesOfGrants(policy, allGrants(grants).map(writtenGrant), []),
    ),
  ]
}

/** A change of a role affects every application that holds it or one of its child roles. */
export async function privilegesOfRoleChange(
  op: Op,
  policy: Policy,
  roleId: string,
  before: readonly Written[],
  after: readonly Written[],
): Promise<Privilege[]> {
  const role = policy.roles.get(roleId)
  if (!role || (await heldByApplications(op, policy, [role])).length === 0) return []
  const asked = after.map((grant) => ({ ...grant, at: null }))
  return privilegesOfGrants(policy, before, asked)
}

/** The same for many roles at once; `after` returns everything that a role will give. */
export async function privilegesOfModel(
  op: Op,
  policy: Policy,
  roles: readonly Role[],
  after: (role: Role) => readonly Written[],
): Promise<Privilege[]> {
  const held = await heldByApplications(op, policy, roles)
  return held.flatMap((role) => {
    const before = setsOf(policy, role.id).flatMap(allGrants).map(writtenGrant)
    const asked = after(role).map((grant) => ({ ...grant, at: null }))
    return privilegesOfGrants(policy, before, asked)
  })
}

/** What a role that is deleted denied, also by its parents; and perhaps to the caller. */
export async function privilegesOfRemovingRole(
  op: Op,
  caller: Caller,
  roleId: string,
): Promise<Privilege[]> {
  const { policy } = await op.latestSnapshot(wantedOf(caller))
  const given = setsOf(policy, roleId).flatMap(allGrants).map(writtenGrant)
  return [
    ...privilegesOfOwnRole(policy, caller, roleId),
    ...(await privilegesOfRoleChange(op, policy, roleId, given, [])),
    ...(await privilegesOfMoving(op, policy, roleId, null)),
  ]
}

/**
 * New parent roles add their grants, and what their holders decide about; removed parent roles take
 * their denies with them.
 */
export async function privilegesOfParents(
  op: Op,
  policy: Policy,
  roleId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<Privilege[]> {
  const givenIn = (ids: readonly string[]) =>
    ids.flatMap((id) => setsOf(policy, id).flatMap(allGrants).map(writtenGrant))
  return [
    ...(await privilegesOfRoleChange(op, policy, roleId, givenIn(before), givenIn(after))),
    ...(await privilegesOfMoving(op, policy, roleId, after)),
  ]
}

/** Other parents for one role; null: it is deleted. */
function privilegesOfMoving(
  op: Op,
  policy: Policy,
  roleId: string,
  parents: readonly string[] | null,
): Promise<Privilege[]> {
  const spaceId = policy.roles.get(roleId)?.spaceId
  const roles = [...policy.roles.values()].filter((role) => role.spaceId === spaceId)
  const before = new Map(roles.map((role) => [role.id, role.parentIds]))
  if (parents) return privilegesOfMovedRoles(op, before, new Map([...before, [roleId, parents]]))
  const left = roles
    .filter(({ id }) => id !== roleId)
    .map(({ id, parentIds }) => [id, parentIds.filter((parent) => parent !== roleId)] as const)
  return privilegesOfMovedRoles(op, before, new Map(left))
}

/** Those of the roles that an application holds directly or through a child role. */
async function heldByApplications(op: Op, policy: Policy, roles: readonly Role[]): Promise<Role[]> {
  const children = childrenIn(policy.roles)
  const families = roles.map((role) => ({ role, ids: familyOf(children, [role.id]) }))
  const ids = new Set(families.flatMap((family) => [...family.ids]))
  const assigned = await op.read((db) => rolesOfApplications(db, [...ids]))
  return families
    .filter((family) => assigned.some((id) => family.ids.has(id)))
    .map(({ role }) => role)
}

/**
 * Only an owner may change a role that they hold themselves: nobody else decides about their own
 * permissions. The policy must contain the caller.
 */
export function privilegesOfOwnRole(policy: Policy, caller: Caller, roleId: string): Privilege[] {
  const held = caller.kind === 'user' ? (policy.users.get(caller.id)?.assignments ?? []) : []
  const reached = held.flatMap((one) => {
    const role = policy.roles.get(one.roleId)
    return role ? reach(policy, role).flat() : []
  })
  return reached.some(({ id }) => id === roleId) ? [{ gives: 'own_access' }] : []
}

/** Directly, or through a group of the caller. */
async function privilegesOverOwnSubject(
  op: Op,
  caller: Caller,
  { type, id }: { type: SubjectType; id: string },
): Promise<Privilege[]> {
  if (type === 'user') return privilegesOfOwning(caller, id)
  if (type !== 'group' || caller.kind !== 'user') return []
  return (await op.read((db) => isMember(db, id, caller.id))) ? [{ gives: 'own_access' }] : []
}

export function privilegesOfOwning(caller: Caller, userId: string): Privilege[] {
  return caller.kind === 'user' && caller.id === userId ? [{ gives: 'own_access' }] : []
}

// ---------------------------------------------------------------- people

export function privilegesOfAdminRole(role: AdminRole | null): Privilege[] {
  return role === null ? [] : [{ gives: 'admin_role', scopes: [...scopesOf(role)] }]
}

/**
 * Whoever can sign in as these users has what they have: their accounts, their roles, what was
 * approved for them, and what they decide about.
 */
export async function privilegesOfActingAsUsers(
  op: Op,
  users: readonly (PersonNames & Pick<UserRecord, 'adminRole'>)[],
): Promise<Privilege[]> {
  const { policy } = await op.latestSnapshot({ users: users.map(({ id }) => id) })
  const privileges: Privilege[] = []
  for (const user of users) {
    privileges.push(...(await privilegesOfAccount(op, policy, user)))
    const held = policy.users.get(user.id)
    if (held) privileges.push(...privilegesOfHolding(policy, held, op.now().getTime()))
  }
  return [...privileges, ...(await privilegesOfDecidingPeople(op, users))]
}

/** Roles of people are given with `assignments:write`; what was approved, by those who govern the API. */
function privilegesOfHolding(policy: Policy, held: Holder, now: number): Privilege[] {
  const roles = held.assignments.some((one) => one.effect === 'allow' && !isOver(one, now))
  const approved = allGrants(held.grants).filter((one) => !isOver(one, now))
  return [
    ...(roles ? [{ gives: 'scopes', scopes: ['assignments:write'] } as const] : []),
    ...gained(policy, approved.map(writtenGrant)),
  ]
}

/** What every change of a user needs, whether or not it lets anybody sign in as them. */
export async function privilegesOfAccount(
  op: Op,
  policy: Policy,
  user: Pick<UserRecord, 'id' | 'adminRole'>,
): Promise<Privilege[]> {
  const apis = apisIn(policy, await apisOwnedBy(op, policy, user.id))
  const scopes = [...scopesOf(user.adminRole)]
  const own: Privilege[] =
    scopes.length + apis.length === 0 ? [] : [{ gives: 'account', scopes, apis }]
  return [...own, ...(await privilegesOfOwnedApplications(op, user.id))]
}

/** The owner of applications can use what they hold of APIs: see `missingToActAs`. */
async function privilegesOfOwnedApplications(op: Op, ownerId: string): Promise<Privilege[]> {
  const ids = await op.read((db) => applicationIdsOf(db, ownerId))
  if (ids.length === 0) return []
  const { policy, credentials } = await op.latestSnapshot({ clients: ids })
  const applications = ids.flatMap((id) => credentials.get(id)?.application ?? [])
  const unasked = applications.flatMap((one) => unaskedBy(policy, one) ?? [])
  return [
    ...ids.flatMap((applicationId) =>
      privilegesOfActingAs(policy, { applicationId, ownerId: null }, op.now()).map(itemsOnly),
    ),
    ...unasked.flatMap(({ scopes, apis }): Privilege[] => [
      { gives: 'scopes', scopes },
      { gives: 'apis', apis },
    ]),
  ]
}

/** What a first-party application learns about its users without asking them. */
export const ABOUT_USERS: readonly string[] = ['users:read']

/** Null if the users of the application are asked. */
export function unaskedBy(
  policy: Policy,
  { firstParty, preapprovedScopes }: Pick<Application, 'firstParty' | 'preapprovedScopes'>,
): Unasked | null {
  if (!firstParty) return null
  const apis = preapprovedScopes.flatMap((scope) => policy.items.get(scope)?.api ?? [])
  return { scopes: ABOUT_USERS, apis: [...new Set(apis)] }
}

function itemsOnly(privilege: Privilege): Privilege {
  if (privilege.gives !== 'application') return privilege
  return { ...privilege, grants: privilege.grants.filter(({ api }) => api !== null) }
}

/** Joining and leaving a group count alike: a group may give roles, and may deny them. */
export async function privilegesOfJoining(
  op: Op,
  caller: Caller,
  groupId: string,
  userIds: readonly string[],
): Promise<Privilege[]> {
  const { policy } = await op.latestSnapshot()
  const own = userIds.flatMap((id) => privilegesOfOwning(caller, id))
  return [...own, ...(await privilegesOfMembership(op, policy, groupId))]
}

/** A group that is deleted takes its roles with it, and what they denied to its members. */
export async function privilegesOfRemovingGroup(
  op: Op,
  caller: Caller,
  groupId: string,
): Promise<Privilege[]> {
  const { policy } = await op.latestSnapshot()
  const theirs = await privilegesOfMembership(op, policy, groupId)
  if (theirs.length === 0) return []
  return [
    ...(await privilegesOverOwnSubject(op, caller, { type: 'group', id: groupId })),
    ...theirs,
  ]
}

/** Members of a group get its roles and the APIs that it owns, and decide what it decides. */
async function privilegesOfMembership(
  op: Op,
  policy: Policy,
  groupId: string,
): Promise<Privilege[]> {
  const holdsRoles = await op.read((db) => groupHoldsRoles(db, groupId))
  const apis = [...policy.apisByAudience.values()].filter(({ owners }) =>
    owners.some(({ type, id }) => type === 'group' && id === groupId),
  )
  return [
    ...(holdsRoles ? [{ gives: 'scopes', scopes: ['assignments:write'] } as const] : []),
    ...(apis.length > 0 ? [{ gives: 'apis', apis } as const] : []),
    ...(await privilegesOfDecidingGroup(op, groupId)),
  ]
}

function apisIn(policy: Policy, ids: ReadonlySet<string>): GovernedApi[] {
  return [...policy.apisByAudience.values()].filter(({ id }) => ids.has(id))
}

// ---------------------------------------------------------------- the rest

/** A webhook receives what the audit log records. */
export const WEBHOOK_PRIVILEGE: readonly Privilege[] = [{ gives: 'scopes', scopes: ['audit:read'] }]

/**
 * Whoever sets the mail server can read every mail that resets a password; whoever defines a
 * provider can sign in as anybody.
 */
export const SIGN_IN_PRIVILEGE: readonly Privilege[] = [
  { gives: 'scopes', scopes: ['sign-in:write'] },
]

/** APIs would no longer see which service acts for a user: it concerns all of them. */
export const IMPERSONATION_PRIVILEGE: readonly Privilege[] = [
  { gives: 'scopes', scopes: ['resources:write'] },
]
