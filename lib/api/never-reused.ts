import type { Transaction } from '../context/op'
import { wasDeleted } from '../store/audit'
import { invalidField } from './problem'

/** The ID of a deleted object is never given to another one (attack N26). */
export async function requireNeverUsed(
  tx: Transaction,
  pointer: string,
  id: string | undefined,
): Promise<void> {
  if (id === undefined || !(await wasDeleted(tx, id))) return
  throw invalidField(pointer, 'this ID belonged to an object that was deleted: choose another')
}
