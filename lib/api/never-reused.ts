import { mistake } from '../i18n/mistake'
import { deletedAmong } from '../store/audit'
import type { Reader } from '../store/connection'
import { invalidField } from './problem'

/** The ID of a deleted object is never given to another one (attack N26). */

export const USED_BEFORE = mistake('id_reused')

export async function requireNeverUsed(
  tx: Reader,
  pointer: string,
  id: string | undefined,
): Promise<void> {
  if (id === undefined || !(await deletedAmong(tx, [id])).has(id)) return
  throw invalidField(pointer, USED_BEFORE)
}
