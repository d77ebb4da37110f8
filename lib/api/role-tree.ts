import { DEEPEST_ROLE, misplacedIn } from '../access/hierarchy'
import type { Transaction } from '../context/op'
import { parentsIn, setParents } from '../store/roles'
import { lockSpace } from '../store/spaces'
import { Problem } from './problem'

/** Rules for parent roles, for a single role and for a whole permission model. */

/** `parents`: the parents of every role of the space. */
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
  cycle: 'the parent roles would form a cycle',
  too_deep: `roles may have at most ${DEEPEST_ROLE} levels of parents`,
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
