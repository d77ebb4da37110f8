import type { Privilege } from '../../access/authority'
import { signOutEverywhere } from '../../accounts/sign-out-everywhere'
import type { Op, Transaction } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import {
  countOwners,
  findUser,
  removeUser,
  type UserFields,
  type UserRecord,
  updateUser,
} from '../../store/accounts/users'
import { disownApplications } from '../../store/applications/applications'
import { bumpPolicyVersion } from '../../store/policy/policy-version'
import type { Caller } from '../http/caller'
import type { Call } from '../http/operation'
import { Problem, requireFound } from '../http/problem'
import { requireWritten } from '../http/version'
import { authorize } from './authorize'
import { privilegesOfAccount, privilegesOfActingAsUsers } from './privileges'

/** Rules for every change that one user makes to another (attack N5). */

/** By ID or user name. */
export async function requireUser(op: Op, name: string): Promise<UserRecord> {
  return requireFound(await op.read((db) => findUser(db, name)), 'no_user', name)
}

/** Checked before anything about the users is revealed. */
export async function requireBelow(
  op: Op,
  call: Call,
  ...users: readonly UserRecord[]
): Promise<Privilege[]> {
  const { policy } = await op.latestSnapshot()
  const privileges: Privilege[] = []
  for (const user of users) privileges.push(...(await privilegesOfAccount(op, policy, user)))
  await authorize(op, call, privileges)
  return privileges
}

/** The same for a change by which somebody could sign in as them, or they could again. */
export async function requireToActAs(
  op: Op,
  call: Call,
  ...users: readonly UserRecord[]
): Promise<Privilege[]> {
  const privileges = await privilegesOfActingAsUsers(op, users)
  await authorize(op, call, privileges)
  return privileges
}

export function refuseSelf(caller: Caller, user: UserRecord): void {
  if (caller.kind !== 'user' || caller.id !== user.id) return
  throw new Problem('conflict', errorMessage('own_account'))
}

/** Runs the change and undoes it if no owner is left. */
async function keepingAnOwner(
  tx: Transaction,
  { id, adminRole }: UserRecord,
  work: () => Promise<void>,
): Promise<void> {
  if (adminRole !== 'owner') return work()
  // Takes the lock that every change takes, so that two owners cannot remove each other at the same
  // time.
  await bumpPolicyVersion(tx, [{ kind: 'user', id }])
  await work()
  if ((await countOwners(tx)) === 0) throw new Problem('conflict', errorMessage('last_owner'))
}

/** Whether these fields disable a user who is enabled. */
export function disables(user: UserRecord, { disabledAt }: Partial<UserFields>): boolean {
  return user.disabledAt === null && disabledAt !== undefined && disabledAt !== null
}

/** A user whom this disables is signed out everywhere. */
export function saveUser(
  op: Op,
  tx: Transaction,
  user: UserRecord,
  fields: Partial<UserFields>,
  now = op.now(),
): Promise<void> {
  return keepingAnOwner(tx, user, async () => {
    requireWritten(await updateUser(tx, user, fields, now))
    if (disables(user, fields)) await signOutEverywhere(op, tx, user.id, 'user_disabled')
  })
}

/**
 * Deletes the user with their sessions, tokens and roles. Their applications stay, without an
 * owner.
 */
export function eraseUser(op: Op, tx: Transaction, user: UserRecord): Promise<void> {
  return keepingAnOwner(tx, user, async () => {
    await signOutEverywhere(op, tx, user.id, 'user_deleted')
    await disownApplications(tx, user.id)
    requireWritten(await removeUser(tx, user))
  })
}
