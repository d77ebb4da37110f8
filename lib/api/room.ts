import type { Transaction } from '../context/op'
import { mistake } from '../i18n/mistake'
import {
  type AssignmentRow,
  countAssignments,
  insertAssignments,
  type NewAssignment,
} from '../store/assignments'
import { countGrants } from '../store/grants'
import { Problem } from './problem'

/**
 * How much one subject may hold. Everything about a subject is read together for a decision, so its
 * size has a limit; use a role, a group or a pattern for more.
 */

export const MOST_ASSIGNMENTS = 20_000
export const MOST_GRANTS = 20_000

/** Inserts them unless one of the subjects would hold too many. */
export async function insertWithin(
  tx: Transaction,
  assignments: readonly NewAssignment[],
  now: Date,
): Promise<AssignmentRow[]> {
  const rows = await insertAssignments(tx, assignments, now)
  const subjects = new Map(assignments.map(({ subject }) => [JSON.stringify(subject), subject]))
  for (const subject of subjects.values()) {
    if ((await countAssignments(tx, subject, MOST_ASSIGNMENTS + 1)) <= MOST_ASSIGNMENTS) continue
    throw new Problem(
      'conflict',
      mistake('assignments_most', { maximum: String(MOST_ASSIGNMENTS) }),
    )
  }
  return rows
}

export async function requireGrantsWithin(tx: Transaction, applicationId: string): Promise<void> {
  if ((await countGrants(tx, applicationId, MOST_GRANTS + 1)) <= MOST_GRANTS) return
  throw new Problem('conflict', mistake('grants_most', { maximum: String(MOST_GRANTS) }))
}
