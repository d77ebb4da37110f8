import type { Database, DatabaseKind } from './database'

/** What time it is to the database. */
export async function readClock(db: Database, kind: DatabaseKind): Promise<Date> {
  const [row] = await (kind === 'sqlite' ? sqliteClock(db) : postgresClock(db))
  if (!row) throw new Error('the database tells no time')
  return new Date(Number(row.ms))
}

type Row = { ms: number | bigint | string }

function sqliteClock(db: Database): Promise<Row[]> {
  return db.$queryRaw`SELECT (julianday('now') - 2440587.5) * 86400000.0 AS "ms"`
}

function postgresClock(db: Database): Promise<Row[]> {
  return db.$queryRaw`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "ms"`
}
