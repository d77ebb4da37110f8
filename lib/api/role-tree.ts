import { DEEPEST_ROLE, misplacedIn } from '../access/hierarchy'
import type { Transaction } from '../context/op'
import { mistake } from '../i18n/mistake'
import { parentsIn, setParents } from '../store/roles'
import { lockSpace } from '../store/spaces'
import { fieldProblem, Problem } from './problem'

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
  cycle: mistake('cycle'),
  too_deep: mistake('too_deep', { maximum: String(DEEPEST_ROLE) }),
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
