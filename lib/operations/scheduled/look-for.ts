import type { Op } from '../../context/op'
import type { DueQuery } from '../../store/database/due'

/** What is due now. */
export function lookFor<T>(op: Op, most: number, look: (look: DueQuery) => Promise<T>): Promise<T> {
  return op.read((db) => look({ db, kind: op.databaseKind, now: op.now(), most }))
}

export type MayGoOn = () => boolean
