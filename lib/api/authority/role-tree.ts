import { DEEPEST_ROLE, misplacedIn } from '../../access/hierarchy'
import type { Transaction } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { parentsIn, setParents } from '../../store/permissions/roles'
import { lockSpace } from '../../store/permissions/spaces'
import { fieldProblem, Problem } from '../http/problem'

/** Rules for parent roles, for a single role and for a whole permission model. */

/** `parents`: the parents of every role of the space. */
export function requireHierarchy(
  parents: ReadonlyMap<string, readonly string[]>,
  pointer = '/parents',
): void {
  const code = misplacedIn(parents)
  if (!code) return
  const reason = MISPLACED[code]
  throw new Problem('conflict', reason, { errors: [fieldProblem(pointer, reason)] })
}

const MISPLACED = {
  cycle: errorMessage('cycle'),
  too_deep: errorMessage('too_deep', { maximum: String(DEEPEST_ROLE) }),
} as const

/** Checked within the writing transaction, so that two changes cannot form a cycle together. */
export async function saveParents(
  tx: Transaction,
  spaceId: string,
  parents: ReadonlyMap<string, readonly string[]>,
  pointer?: string,
): Promise<void> {
  await lockSpace(tx, spaceId)
  requireHierarchy(new Map([...(await parentsIn(tx, spaceId)), ...parents]), pointer)
  for (const [roleId, parentIds] of parents) await setParents(tx, roleId, parentIds)
}
