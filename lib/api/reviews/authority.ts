import { ADMIN_ROLES, type Privilege } from '../../access/authority'
import type { PortalScope } from '../../access/portal-api'
import type { Op } from '../../context/op'
import { findUser } from '../../store/accounts/users'
import { findApplication } from '../../store/applications/applications'
import type { Thing } from '../../store/reviews/things'
import { apisOwnedBy, missingOf } from '../authority/authorize'
import {
  privilegesOfAccount,
  privilegesOfAdminRole,
  privilegesOfAssignment,
  privilegesOfGrants,
} from '../authority/privileges'
import type { Caller } from '../http/caller'
import { mayTakeBack } from '../requests/revoke'
import { roleDenies } from './roles'

/** You can review only what you could take away yourself, and decide only below your rank. */

/** Each of these lets somebody take something away. */
export const TAKING: readonly PortalScope[] = [
  'assignments:write',
  'applications:write',
  'roles:write',
  'users:write',
]

export type PlacedThing = Thing & { apiId: string | null }

/** Asks what the operation asks that takes it away. */
export async function mayTake(op: Op, caller: Caller, thing: PlacedThing): Promise<boolean> {
  const { kind, subject, gives, terms } = thing
  if (kind === 'assignment') {
    if (!caller.scopes.has('assignments:write')) return false
    // Silence must not lift a deny; removing the assignment would.
    if (roleDenies((await op.latestSnapshot()).policy, gives)) return false
    const type = subject.type === 'user' || subject.type === 'group' ? subject.type : 'client'
    const held = { roleId: gives, effect: 'allow' }
    return mayGive(
      op,
      caller,
      await privilegesOfAssignment(op, caller, { ...subject, type }, null, held),
    )
  }
  if (kind === 'admin_role') return mayDemote(op, caller, subject.id)
  if (terms.requestId !== null) {
    const request = { userId: subject.type === 'user' ? subject.id : '', apiId: thing.apiId ?? '' }
    return mayTakeBack(op, caller, request)
  }
  if (subject.type === 'role') return caller.scopes.has('roles:write')
  return caller.scopes.has('applications:write') && reaches(op, caller, thing)
}

/**
 * Others decide about it, so it may concern the caller themself. An empty list costs no look at
 * the policy.
 */
async function mayGive(op: Op, caller: Caller, privileges: readonly Privilege[]): Promise<boolean> {
  const counted = privileges.filter(({ gives }) => gives !== 'own_access')
  return counted.length === 0 || (await missingOf(op, caller, counted)).length === 0
}

async function mayDemote(op: Op, caller: Caller, userId: string): Promise<boolean> {
  if (!caller.scopes.has('users:write')) return false
  const user = await op.read((db) => findUser(db, userId))
  if (!user) return false
  const { policy } = await op.latestSnapshot()
  const privileges = [
    ...(await privilegesOfAccount(op, policy, user)),
    ...privilegesOfAdminRole(user.adminRole),
  ]
  return mayGive(op, caller, privileges)
}

/** An app manager: their own applications, and permissions of their own APIs. */
async function reaches(op: Op, caller: Caller, thing: PlacedThing): Promise<boolean> {
  if (!caller.ownOnly) return true
  const { policy } = await op.latestSnapshot()
  const owned = await apisOwnedBy(op, policy, caller.id)
  const { apiId, applicationId, subject } = thing
  // What an access key may use is up to its application.
  if (apiId !== null && owned.has(apiId) && subject.type !== 'access_key') return true
  if (applicationId === null) return false
  return (await op.read((db) => findApplication(db, applicationId, caller.id))) !== null
}

/** Access to the portal itself is decided by those who could give it. */
export async function isAbove(
  op: Op,
  caller: Caller,
  { kind, gives }: { kind: string; gives: string },
): Promise<boolean> {
  const { policy } = await op.latestSnapshot()
  const always = { condition: null, validFrom: null, validUntil: null }
  const privileges =
    kind === 'admin_role'
      ? privilegesOfAdminRole(roleNamed(gives))
      : privilegesOfGrants(policy, [], [{ ...always, pattern: gives, effect: 'allow', at: null }])
  return !(await mayGive(op, caller, privileges))
}

function roleNamed(name: string) {
  return ADMIN_ROLES.find((role) => role === name) ?? null
}
