import type { Transaction } from '../context/op'
import { wasDeleted } from '../store/audit'
import { invalidField } from './problem'

/** What was deleted is gone for good: nothing else is ever called by its id (attack N26). */
export async function requireNeverUsed(
  tx: Transaction,
  pointer: string,
  id: string | undefined,
): Promise<void> {
  if (id === undefined || !(await wasDeleted(tx, id))) return
  throw invalidField(pointer, 'this belonged to something that was deleted: choose another')
}
