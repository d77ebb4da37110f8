import { DAY_MS } from '../base/time'
import type { Op } from '../context/op'
import { orderNotice } from '../delivery/mail/notices'
import { BY_SYSTEM } from '../oidc/audit-event'
import {
  listDueToLeave,
  removeDue,
  scheduleDeletion,
  stopLeaving,
} from '../store/accounts/deletion'
import type { LeavingSession, Session } from '../store/accounts/sessions'
import { countOwners } from '../store/accounts/users'
import { disownApplications } from '../store/applications/applications'
import { foldedKey } from '../store/database/folded-key'
import { bumpPolicyVersion } from '../store/policy/policy-version'
import { type Origin, ownEvent } from './audit-event'
import type { StartedSession } from './new-session'
import { rotateSession } from './rotate-session'
import { signOutEverywhere } from './sign-out-everywhere'

/**
 * Deleting one's own account: it stops working at once, and for some days the user can keep it
 * after all. Then all personal data is deleted; the audit log keeps what docs/security.md says.
 */

export const WAITING_DAYS = 14
const AT_ONCE = 100

export type DeletionResult =
  | { ok: true }
  | { ok: false; problem: 'mismatch' | 'last_owner' | 'gone' }

class LastOwner extends Error {}

/**
 * What the user has to type, so that it is not done by accident: the address, otherwise the name or
 * the ID.
 */
export function typedToDelete({ user }: Session): string {
  return user.email ?? user.name ?? user.id
}

export async function askDeletion(
  op: Op,
  session: Session,
  typed: string,
  origin: Origin,
): Promise<DeletionResult> {
  if (foldedKey(typed) !== foldedKey(typedToDelete(session))) {
    return { ok: false, problem: 'mismatch' }
  }
  try {
    return (await leave(op, session, origin)) ? { ok: true } : { ok: false, problem: 'gone' }
  } catch (error) {
    if (error instanceof LastOwner) return { ok: false, problem: 'last_owner' }
    throw error
  }
}

async function leave(op: Op, session: Session, origin: Origin): Promise<boolean> {
  const { user } = session
  const now = op.now()
  const deleteAfter = new Date(now.getTime() + WAITING_DAYS * DAY_MS)
  const concerned = [{ kind: 'user', id: user.id }] as const
  return op.changePolicy(async (tx, audit) => {
    // The lock that every change takes, so that two owners cannot delete their accounts at the same
    // time.
    await bumpPolicyVersion(tx, concerned)
    if (!(await scheduleDeletion(tx, user.id, deleteAfter, now))) return false
    if (user.adminRole === 'owner' && (await countOwners(tx)) === 0) throw new LastOwner()
    await signOutEverywhere(op, tx, user.id, 'account_deletion')
    await orderNotice(op, tx, user.id, { notice: 'deletion_asked' }, origin)
    audit(ownEvent('account.deletion_asked', session, origin))
    return true
  }, concerned)
}

/** Null if the account is due for deletion, or another request was first. */
export async function keepAccount(
  op: Op,
  session: LeavingSession,
  origin: Origin,
): Promise<StartedSession | null> {
  const { user } = session
  return op.changePolicy(
    async (tx, audit) => {
      if (!(await stopLeaving(tx, user.id, op.now()))) return null
      await orderNotice(op, tx, user.id, { notice: 'deletion_cancelled' }, origin)
      audit(ownEvent('account.kept', session, origin))
      return rotateSession(op, tx, session)
    },
    [{ kind: 'user', id: user.id }],
  )
}

/** Returns how many were deleted. */
export async function deleteDueAccounts(op: Op, mayGoOn = () => true): Promise<number> {
  let erased = 0
  for (;;) {
    const due = await op.read((db) => listDueToLeave(db, op.now(), AT_ONCE))
    for (const id of due) if (mayGoOn() && (await erase(op, id))) erased += 1
    if (due.length < AT_ONCE || !mayGoOn()) return erased
  }
}

function erase(op: Op, id: string): Promise<boolean> {
  return op.changePolicy(
    async (tx, audit) => {
      await signOutEverywhere(op, tx, id, 'account_deleted')
      await disownApplications(tx, id)
      if (!(await removeDue(tx, id, op.now()))) return false
      audit({
        event: 'account.erased',
        result: 'success',
        ...BY_SYSTEM,
        targetKind: 'user',
        targetId: id,
        detail: {},
      })
      return true
    },
    [{ kind: 'user', id }],
  )
}
