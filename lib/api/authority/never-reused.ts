import { errorMessage } from '../../i18n/error-message'
import { deletedAmong } from '../../store/audit/deleted-ids'
import type { Reader } from '../../store/database/connection'
import { invalidField } from '../http/problem'

/** The ID of a deleted object is never given to another one (attack N26). */

export const USED_BEFORE = errorMessage('id_reused')

export async function requireNeverUsed(
  tx: Reader,
  pointer: string,
  id: string | undefined,
): Promise<void> {
  if (id === undefined || !(await deletedAmong(tx, [id])).has(id)) return
  throw invalidField(pointer, USED_BEFORE)
}
