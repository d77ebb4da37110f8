import type { Transaction } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import {
  type AssignmentRow,
  countAssignments,
  insertAssignments,
  type NewAssignment,
} from '../../store/permissions/assignments'
import { countGrants } from '../../store/permissions/grants'
import { Problem } from '../http/problem'

/**
 * How much one subject may hold. Everything about a subject is read together for a decision, so its
 * size has a limit; use a role, a group or a pattern for more.
 */

export const MAX_ASSIGNMENTS = 20_000
export const MAX_GRANTS = 20_000

/** Inserts them unless one of the subjects would hold too many. */
export async function insertWithin(
  tx: Transaction,
  assignments: readonly NewAssignment[],
  now: Date,
): Promise<AssignmentRow[]> {
  const rows = await insertAssignments(tx, assignments, now)
  const subjects = new Map(assignments.map(({ subject }) => [JSON.stringify(subject), subject]))
  for (const subject of subjects.values()) {
    if ((await countAssignments(tx, subject, MAX_ASSIGNMENTS + 1)) <= MAX_ASSIGNMENTS) continue
    throw new Problem(
      'conflict',
      errorMessage('assignments_most', { maximum: String(MAX_ASSIGNMENTS) }),
    )
  }
  return rows
}

export async function requireGrantsWithin(tx: Transaction, applicationId: string): Promise<void> {
  if ((await countGrants(tx, applicationId, MAX_GRANTS + 1)) <= MAX_GRANTS) return
  throw new Problem('conflict', errorMessage('grants_most', { maximum: String(MAX_GRANTS) }))
}
