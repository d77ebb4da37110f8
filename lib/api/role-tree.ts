import { DEEPEST_ROLE, misplacedIn } from '../access/hierarchy'
import type { Transaction } from '../context/op'
import { parentsIn, setParents } from '../store/roles'
import { lockSpace } from '../store/spaces'
import { Problem } from './problem'

/** Roles above roles, whether one role is written or a whole model. */

/** `parents`: of every role of a space. */
export function requireHierarchy(
  parents: ReadonlyMap<string, readonly string[]>,
  pointer = '/parents',
): void {
  const code = misplacedIn(parents)
  if (!code) return
  const detail = MISPLACED[code]
  throw new Problem('conflict', detail, { errors: [{ pointer, code, detail }] })
}

const MISPLACED = {
  cycle: 'the parents would form a cycle',
  too_deep: `roles stand at most ${DEEPEST_ROLE} deep`,
} as const

/** Checked within the transaction that writes, so that two halves of a cycle cannot both get in. */
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
