import type { Privilege } from '../../access/authority'
import { isPortalScope, PORTAL_SCOPE_NAMES, type PortalScope } from '../../access/portal-api'
import type { Op } from '../../context/op'
import { isUsable } from '../../oidc/client'
import { stillGranted } from '../../oidc/still-granted'
import { findApplication } from '../../store/applications/applications'
import type { SubjectType } from '../../store/permissions/assignments'
import { type Caller, userCaller, wantedOf } from '../http/caller'
import { apisOwnedBy, missingOf } from './authorize'
import {
  grantText,
  privilegesOfAssignment,
  privilegesOfGrants,
  privilegesOfOwnRole,
  privilegesOfRoleChange,
  type StoredGrant,
  writtenRow,
} from './privileges'

/**
 * Who answers for a grant or an assignment that begins later: when it begins, they must still be
 * allowed to give it.
 */

/** Null for the operator, who may give everything, and for what begins at once. */
export function grantorOf({ kind, id }: Caller, validFrom: Date | null): string | null {
  return validFrom === null || kind === 'system' ? null : `${kind}:${id}`
}

/** In a set that is replaced, what was there already keeps its giver. */
export function withGrantors<Row extends StoredGrant>(
  caller: Caller,
  before: readonly (StoredGrant & { givenBy: string | null })[],
  after: readonly Row[],
): (Row & { givenBy: string | null })[] {
  const known = new Map(before.map((row) => [grantText(writtenRow(row)), row.givenBy]))
  return after.map((row) => {
    const kept = known.get(grantText(writtenRow(row)))
    return { ...row, givenBy: kept === undefined ? grantorOf(caller, row.validFrom) : kept }
  })
}

// ---------------------------------------------------------------- when it begins

export type LaterPrivilege =
  | { gives: 'role'; roleId: string; subject: { type: SubjectType; id: string } }
  | { gives: 'permission'; to: { kind: string; id: string }; grant: StoredGrant }

/** Asks what the operation asked that gave it, about its giver as they are now. */
export async function mayStillGrant(
  op: Op,
  giver: string,
  later: LaterPrivilege,
): Promise<boolean> {
  const caller = await callerNow(op, giver)
  if (!caller?.scopes.has(scopeFor(later)) || !(await reaches(op, caller, later))) return false
  const given = await privilegesGivenLater(op, caller, later)
  // Whoever joined the group or got the role since then did not give it to themselves.
  const privileges = isToThemselves(caller, later)
    ? given
    : given.filter(({ gives }) => gives !== 'own_access')
  return (await missingOf(op, caller, privileges)).length === 0
}

function isToThemselves({ kind, id }: Caller, later: LaterPrivilege): boolean {
  if (later.gives !== 'role' || kind !== 'user') return false
  return later.subject.type === 'user' && later.subject.id === id
}

export async function callerNow(op: Op, giver: string): Promise<Caller | null> {
  const [kind, id] = [giver.slice(0, giver.indexOf(':')), giver.slice(giver.indexOf(':') + 1)]
  return kind === 'user' ? userNow(op, id) : clientNow(op, id)
}

async function userNow(op: Op, id: string): Promise<Caller | null> {
  const { policy } = await op.latestSnapshot({ users: [id] })
  if (!policy.users.get(id)?.enabled) return null
  return userCaller(id, await op.users.adminRoleOf(id))
}

async function clientNow(op: Op, id: string): Promise<Caller | null> {
  const { credentials } = await op.latestSnapshot({ clients: [id] })
  const through = credentials.get(id)
  if (!through || !isUsable(through, op.now())) return null
  const held = await stillGranted(op, { client_id: id, scope: PORTAL_SCOPE_NAMES.join(' ') })
  const scopes = new Set(held.filter(isPortalScope))
  const about = { kind: 'client', id, adminRole: null, ownOnly: false } as const
  return { ...about, scopes, lost: new Set(), through }
}

function scopeFor(later: LaterPrivilege): PortalScope {
  if (later.gives === 'role') return 'assignments:write'
  return later.to.kind === 'role' ? 'roles:write' : 'applications:write'
}

/** An app manager gives to their own applications, and permissions of their own APIs. */
async function reaches(op: Op, caller: Caller, later: LaterPrivilege): Promise<boolean> {
  if (!caller.ownOnly || later.gives === 'role') return true
  const { policy } = await op.latestSnapshot()
  const owned = await apisOwnedBy(op, policy, caller.id)
  const [prefix] = later.grant.pattern.split(':')
  const apis = [...policy.apisByAudience.values()]
  if (apis.some((api) => api.prefix === prefix && owned.has(api.id))) return true
  return (await op.read((db) => findApplication(db, later.to.id, caller.id))) !== null
}

async function privilegesGivenLater(
  op: Op,
  caller: Caller,
  later: LaterPrivilege,
): Promise<Privilege[]> {
  if (later.gives === 'role') {
    const { roleId, subject } = later
    return privilegesOfAssignment(op, caller, subject, { roleId, effect: 'allow' })
  }
  const { policy } = await op.latestSnapshot(wantedOf(caller))
  const grant = { ...writtenRow(later.grant), at: null }
  if (later.to.kind !== 'role') return privilegesOfGrants(policy, [], [grant])
  return [
    ...privilegesOfOwnRole(policy, caller, later.to.id),
    ...(await privilegesOfRoleChange(op, policy, later.to.id, [], [grant])),
  ]
}
