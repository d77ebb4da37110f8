import type { DatabaseKind, Reader } from './connection'
import { prisma } from './database'

/** The time according to the database. */
export async function readClock(db: Reader, kind: DatabaseKind): Promise<Date> {
  const [row] = await (kind === 'sqlite' ? sqliteClock(db) : postgresClock(db))
  if (!row) throw new Error('the database did not return its time')
  return new Date(Number(row.ms))
}

type Row = { ms: number | bigint | string }

function sqliteClock(db: Reader): Promise<Row[]> {
  return prisma(db).$queryRaw`SELECT (julianday('now') - 2440587.5) * 86400000.0 AS "ms"`
}

function postgresClock(db: Reader): Promise<Row[]> {
  return prisma(db).$queryRaw`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "ms"`
}
