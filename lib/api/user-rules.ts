import { signOutEverywhere } from '../accounts/sign-out-everywhere'
import type { Op } from '../op'
import { disownApplications } from '../store/applications'
import type { Transaction } from '../store/database'
import { bumpPolicyVersion } from '../store/policy-version'
import {
  type AdminRole,
  countOwners,
  findUser,
  removeUser,
  type UserFields,
  type UserRecord,
  updateUser,
} from '../store/users'
import type { Caller } from './caller'
import { notFound, Problem } from './problem'
import { requireWritten } from './version'

/** What holds whenever one person changes another (N5). */

/** By id or by user name. */
export async function requireUser(op: Op, name: string): Promise<UserRecord> {
  const user = await op.read((db) => findUser(db, name))
  if (!user) throw notFound()
  return user
}

const RANK: Record<AdminRole, number> = { owner: 3, admin: 2, auditor: 1, app_manager: 1 }

/** Nobody gives a role above their own, nor touches somebody who has one (N5). */
export function requireRank({ adminRole }: Caller, ...roles: (AdminRole | null)[]): void {
  const own = adminRole === null ? 0 : RANK[adminRole]
  if (roles.every((role) => role === null || RANK[role] <= own)) return
  throw new Problem('forbidden', 'this role is above the caller’s own')
}

export function refuseSelf(caller: Caller, user: UserRecord): void {
  if (caller.kind !== 'user' || caller.id !== user.id) return
  throw new Problem('conflict', 'somebody else has to do this to you')
}

/** Runs the change, and takes it back where it leaves nobody in charge. */
async function keepingAnOwner(
  tx: Transaction,
  { id, adminRole }: UserRecord,
  work: () => Promise<void>,
): Promise<void> {
  if (adminRole !== 'owner') return work()
  // Takes the lock that every change takes, so that two owners cannot remove each other at once.
  await bumpPolicyVersion(tx, [{ kind: 'user', id }])
  await work()
  if ((await countOwners(tx)) === 0) throw new Problem('conflict', 'the last owner has to stay')
}

/** Whether these fields take away what was there: signing in. */
export function disables(user: UserRecord, { disabledAt }: Partial<UserFields>): boolean {
  return user.disabledAt === null && disabledAt !== undefined && disabledAt !== null
}

/** Whoever is disabled by it is signed out everywhere. */
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

/** With their sessions, tokens and roles; their applications are nobody's. */
export function eraseUser(op: Op, tx: Transaction, user: UserRecord): Promise<void> {
  return keepingAnOwner(tx, user, async () => {
    await signOutEverywhere(op, tx, user.id, 'user_deleted')
    await disownApplications(tx, user.id)
    requireWritten(await removeUser(tx, user))
  })
}
