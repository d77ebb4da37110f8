import type { DatabaseKind, Reader } from './connection'
import { readPlain } from './database'
import { textIn, type Value } from './sql'

/**
 * What comes due. Every process looks for it every few seconds, mostly in vain, so by a prepared
 * statement: by Prisma, each look would cost ten times as much.
 */

export type DueQuery = { db: Reader; kind: DatabaseKind; now: Date; most: number }

/** The statement ends with the most that it may find. */
export async function idsDue({ db, kind, most }: DueQuery, text: string, values: readonly Value[]) {
  const rows = await readPlain(db, kind, text, [...values, most])
  return rows.map(({ id }) => textIn(id))
}
