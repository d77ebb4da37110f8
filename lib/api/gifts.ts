import {
  ALWAYS,
  type Gift,
  type Given,
  type GovernedApi,
  type Limits,
  limitsOf,
} from '../access/authority'
import { patternCovers } from '../access/pattern'
import type { Api, Grant, GrantSet, Holder, Policy, Role } from '../access/policy'
import { allGrants } from '../access/policy'
import { PORTAL_SCOPE_NAMES } from '../access/portal-api'
import { reach } from '../access/standing'
import type { Op } from '../context/op'
import { applicationIdsOf } from '../store/applications'
import type { SubjectType } from '../store/assignments'
import { groupHoldsRoles, isMember } from '../store/groups'
import type { AdminRole, UserRecord } from '../store/users'
import { apisOwnedBy } from './authorize'
import { type Caller, scopesOf } from './caller'

/** What a change makes possible, in the words of lib/access/authority.ts: facts, no decisions. */

// ---------------------------------------------------------------- scopes for applications

type Pattern = Limits & { pattern: string; at: string | null }

/** A grant of `users:*` gives every scope that it covers now; one of `orders:*` the API whole. */
function givenBy(policy: Policy, { pattern, at, ...limits }: Pattern): Given[] {
  const own = PORTAL_SCOPE_NAMES.filter((scope) => patternCovers(pattern, scope))
  if (own.length > 0)
    return own.map((scope) => ({ ...limits, scope, at, api: null, ordinary: false }))
  const item = policy.items.get(pattern)
  const api = item?.api ?? apiOf(policy, pattern)
  if (!api) return []
  const ordinary = item !== undefined && !item.sensitive && !item.needsRole
  return [{ ...limits, scope: pattern, at, api, ordinary }]
}

function apiOf(policy: Policy, pattern: string): Api | undefined {
  if (!pattern.endsWith(':*')) return undefined
  return [...policy.apisByAudience.values()].find(({ prefix }) => `${prefix}:*` === pattern)
}

type Written = { effect: string; pattern: string } & Limits

/** What a set of grants gives beyond another: new allows as they stand, lifted denies whole. */
export function grantsGift(
  policy: Policy,
  before: readonly Written[],
  after: readonly (Written & { at: string | null })[],
): Gift[] {
  const had = new Set(before.map(textOf))
  const has = new Set(after.map(textOf))
  const added = after.filter((grant) => grant.effect === 'allow' && !had.has(textOf(grant)))
  const lifted = before.filter((grant) => grant.effect === 'deny' && !has.has(textOf(grant)))
  const patterns: Pattern[] = [
    ...added.map(({ pattern, at, ...grant }) => ({ ...limitsIn(grant), pattern, at })),
    ...lifted.map(({ pattern }) => ({ ...ALWAYS, pattern, at: null })),
  ]
  const grants = patterns.flatMap((pattern) => givenBy(policy, pattern))
  return grants.length === 0 ? [] : [{ gives: 'grants', grants }]
}

/** A grant is compared whole. */
function textOf({ pattern, effect, condition, validFrom, validUntil }: Written): string {
  return JSON.stringify([pattern, effect, condition, validFrom, validUntil])
}

function limitsIn({ condition, validFrom, validUntil }: Limits): Limits {
  return { condition, validFrom, validUntil }
}

type GrantDates = { validFrom: Date | null; validUntil: Date | null; condition: string | null }

/** As the database keeps it. */
export function writtenRow(row: GrantDates & { pattern: string; effect: string }): Written {
  const { pattern, effect, condition, validFrom, validUntil } = row
  const times = {
    validFrom: validFrom?.getTime() ?? null,
    validUntil: validUntil?.getTime() ?? null,
  }
  return { pattern, effect, condition, ...times }
}

function writtenGrant({ pattern, effect, ...terms }: Grant): Written {
  return { pattern, effect, ...limitsOf({ effect, ...terms }) }
}

// ---------------------------------------------------------------- acting as an application

type Acting = {
  applicationId: string
  ownerId: string | null
  /** Of an access key: as far as its own list goes; null: all. */
  scopes?: readonly string[] | null
}

/** Whoever makes a credential for an application can do all that the application may, now or later. */
export function actingGift(policy: Policy, acting: Acting, now: Date): Gift[] {
  const holder = policy.applications.get(acting.applicationId)
  const held = holder ? holdingsOf(policy, holder, now.getTime()) : []
  const reachable = held.filter(({ pattern }) => overlaps(acting.scopes ?? null, pattern))
  const grants = reachable.flatMap((one) => givenBy(policy, { ...one, at: null }))
  return grants.length === 0 ? [] : [{ gives: 'application', grants, ownerId: acting.ownerId }]
}

function overlaps(list: readonly string[] | null, pattern: string): boolean {
  return (
    list === null || list.some((one) => patternCovers(one, pattern) || patternCovers(pattern, one))
  )
}

/** What is over is not held; what begins later, or on an occasion, is. */
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
 * A role is what it gives by itself and through those above it. An application that gets one has
 * that; one that loses it, or holds it less often, is free of what the role denied.
 */
export function roleToApplicationGift(
  policy: Policy,
  roleId: string,
  { comes, goes }: { comes: boolean; goes: boolean },
): Gift[] {
  const grants = setsOf(policy, roleId).flatMap(allGrants).map(writtenGrant)
  return [...(comes ? gained(policy, grants) : []), ...(goes ? grantsGift(policy, grants, []) : [])]
}

function gained(policy: Policy, grants: readonly Written[]): Gift[] {
  return grantsGift(
    policy,
    [],
    grants.map((grant) => ({ ...grant, at: null })),
  )
}

/** With a space its roles go, and what they denied. */
export function spaceGoneGift(policy: Policy, spaceId: string): Gift[] {
  const roles = [...policy.roles.values()].filter((role) => role.spaceId === spaceId)
  return roles.flatMap(({ id, grants }) =>
    roleChangeGift(policy, id, allGrants(grants).map(writtenGrant), []),
  )
}

/** A change of a role reaches every application that holds it, or one below it. */
export function roleChangeGift(
  policy: Policy,
  roleId: string,
  before: readonly Written[],
  after: readonly Written[],
): Gift[] {
  if (!heldByApplications(policy).has(roleId)) return []
  const asked = after.map((grant) => ({ ...grant, at: null }))
  return grantsGift(policy, before, asked)
}

/** The same for many roles at once; `after`: all that a role will come to. */
export function modelGift(
  policy: Policy,
  roles: readonly Role[],
  after: (role: Role) => readonly Written[],
): Gift[] {
  const held = heldByApplications(policy)
  return roles
    .filter(({ id }) => held.has(id))
    .flatMap((role) => {
      const before = setsOf(policy, role.id).flatMap(allGrants).map(writtenGrant)
      const asked = after(role).map((grant) => ({ ...grant, at: null }))
      return grantsGift(policy, before, asked)
    })
}

/** New parents give what they give; parents that go take their denies with them. */
export function parentsGift(
  policy: Policy,
  roleId: string,
  before: readonly string[],
  after: readonly string[],
): Gift[] {
  const givenIn = (ids: readonly string[]) =>
    ids.flatMap((id) => setsOf(policy, id).flatMap(allGrants).map(writtenGrant))
  return roleChangeGift(policy, roleId, givenIn(before), givenIn(after))
}

/** Ids of the roles that an application holds, itself or through one below. */
function heldByApplications(policy: Policy): Set<string> {
  const assigned = [...policy.applications.values()].flatMap(({ assignments }) => assignments)
  const ids = new Set(assigned.map(({ roleId }) => roleId))
  const ways = [...ids].flatMap((id) => {
    const role = policy.roles.get(id)
    return role ? reach(policy, role) : []
  })
  return new Set(ways.flat().map(({ id }) => id))
}

/** Nobody below an owner changes a role that they hold: what they may do is for somebody else to say. */
export function ownRoleGift(policy: Policy, caller: Caller, roleId: string): Gift[] {
  const held = caller.kind === 'user' ? (policy.users.get(caller.id)?.assignments ?? []) : []
  const reached = held.flatMap((one) => {
    const role = policy.roles.get(one.roleId)
    return role ? reach(policy, role).flat() : []
  })
  return reached.some(({ id }) => id === roleId) ? [{ gives: 'own_access' }] : []
}

/** Plainly, or through a group that they are in. */
export async function ownSubjectGift(
  op: Op,
  caller: Caller,
  { type, id }: { type: SubjectType; id: string },
): Promise<Gift[]> {
  if (type === 'user') return ownGift(caller, id)
  if (type !== 'group' || caller.kind !== 'user') return []
  return (await op.read((db) => isMember(db, id, caller.id))) ? [{ gives: 'own_access' }] : []
}

export function ownGift(caller: Caller, userId: string): Gift[] {
  return caller.kind === 'user' && caller.id === userId ? [{ gives: 'own_access' }] : []
}

// ---------------------------------------------------------------- people

export function adminRoleGift(role: AdminRole | null): Gift[] {
  return role === null ? [] : [{ gives: 'admin_role', scopes: [...scopesOf(role)] }]
}

/** Whoever changes somebody's ways in can be them. */
export async function accountGift(
  op: Op,
  policy: Policy,
  user: Pick<UserRecord, 'id' | 'adminRole'>,
): Promise<Gift[]> {
  const apis = apisIn(policy, await apisOwnedBy(op, policy, user.id))
  const scopes = [...scopesOf(user.adminRole)]
  const own: Gift[] = scopes.length + apis.length === 0 ? [] : [{ gives: 'account', scopes, apis }]
  return [...own, ...(await applicationsGift(op, policy, user.id))]
}

/** What their applications hold of APIs is theirs to use: see `missingToActAs`. */
async function applicationsGift(op: Op, policy: Policy, ownerId: string): Promise<Gift[]> {
  const ids = await op.read((db) => applicationIdsOf(db, ownerId))
  return ids.flatMap((applicationId) =>
    actingGift(policy, { applicationId, ownerId: null }, op.now()).map(itemsOnly),
  )
}

function itemsOnly(gift: Gift): Gift {
  if (gift.gives !== 'application') return gift
  return { ...gift, grants: gift.grants.filter(({ api }) => api !== null) }
}

/** Coming and going alike: a group may give roles, and deny them. */
export async function joiningGift(
  op: Op,
  caller: Caller,
  groupId: string,
  userIds: readonly string[],
): Promise<Gift[]> {
  const { policy } = await op.latestSnapshot()
  const own = userIds.flatMap((id) => ownGift(caller, id))
  return [...own, ...(await membershipGift(op, policy, groupId))]
}

/** A group's roles, and the APIs that it owns, are its members'. */
export async function membershipGift(op: Op, policy: Policy, groupId: string): Promise<Gift[]> {
  const holdsRoles = await op.read((db) => groupHoldsRoles(db, groupId))
  const apis = [...policy.apisByAudience.values()].filter(({ owners }) =>
    owners.some((owner) => owner.type === 'group' && owner.id === groupId),
  )
  return [
    ...(holdsRoles ? [{ gives: 'scopes', scopes: ['assignments:write'] } as const] : []),
    ...(apis.length > 0 ? [{ gives: 'apis', apis } as const] : []),
  ]
}

function apisIn(policy: Policy, ids: ReadonlySet<string>): GovernedApi[] {
  return [...policy.apisByAudience.values()].filter(({ id }) => ids.has(id))
}

// ---------------------------------------------------------------- the rest

/** A webhook is told what the audit log records. */
export const WEBHOOK_GIFT: readonly Gift[] = [{ gives: 'scopes', scopes: ['audit:read'] }]

/** Whoever sets the mail server reads every reset letter; whoever defines a provider can be anybody. */
export const SIGN_IN_GIFT: readonly Gift[] = [{ gives: 'scopes', scopes: ['sign-in:write'] }]
