import type { Op } from '../../context/op'
import type { Look } from '../../store/due'

/** What is due now. */
export function lookFor<T>(op: Op, most: number, look: (look: Look) => Promise<T>): Promise<T> {
  return op.read((db) => look({ db, kind: op.databaseKind, now: op.now(), most }))
}
