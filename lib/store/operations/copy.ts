import { join } from 'node:path'
import Sqlite from 'libsql'
import { databaseKindOf, type Reader, type Transaction } from '../database/connection'
import { type Database, openDatabase, prisma } from '../database/database'
import { sqlitePath } from '../database/sqlite'
import { BUSY_GIVE_UP_MS } from '../database/sqlite-connection'
import { migrations } from '../generated/migrations'
import { migrationStatus } from './migration-status'

/** The whole database at one point in time, read or written while others use it. */

const MAX_MS = 6 * 60 * 60 * 1000

/** The last migration of this build; the same on both databases. */
export function schemaVersion(): string {
  return migrations.sqlite.at(-1)?.name ?? ''
}

export class NotMigrated extends Error {
  constructor() {
    super(
      'the database has not been migrated to this version: make the backup with the version that runs it',
    )
  }
}

/** `scratch`: a private folder for a temporary copy. */
export async function atOneMoment<T>(
  url: string,
  scratch: string,
  read: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return databaseKindOf(url) === 'sqlite'
    ? ofSqliteCopy(url, scratch, read)
    : withDatabase(url, async (db) => {
        await requireMigrated(db, url)
        return db.$transaction(read, { isolationLevel: 'RepeatableRead', timeout: MAX_MS } as {
          timeout: number
        })
      })
}

/** A long transaction would lock out writers; a copy locks out nobody. */
async function ofSqliteCopy<T>(
  url: string,
  scratch: string,
  read: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const copy = join(scratch, 'copy.db')
  const source = new Sqlite(sqlitePath(url), { fileMustExist: true, timeout: BUSY_GIVE_UP_MS })
  try {
    source.exec(`VACUUM INTO '${copy.replaceAll("'", "''")}'`)
  } finally {
    source.close()
  }
  return withDatabase(`file:${copy}`, async (db) => {
    await requireMigrated(db, url)
    return db.$transaction(read, { timeout: MAX_MS })
  })
}

async function withDatabase<T>(url: string, use: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(url, { longestQueryMs: MAX_MS })
  try {
    return await use(db)
  } finally {
    await db.$disconnect()
  }
}

async function requireMigrated(db: Reader, url: string): Promise<void> {
  const { pending, unknown } = await migrationStatus(db, url)
  if (pending.length + unknown.length > 0) throw new NotMigrated()
}

/** All or nothing. The triggers that protect the audit log are disabled meanwhile. */
export async function rewrite<T>(url: string, write: (tx: Transaction) => Promise<T>): Promise<T> {
  const rest = databaseKindOf(url) === 'sqlite' ? withoutSqliteTriggers : withoutPostgresTriggers
  return withDatabase(url, (db) =>
    db.$transaction((tx) => rest(tx, () => write(tx)), { timeout: MAX_MS }),
  )
}

type Trigger = { name: string; sql: string }

async function withoutSqliteTriggers<T>(tx: Transaction, write: () => Promise<T>): Promise<T> {
  const triggers = await prisma(tx).$queryRaw<Trigger[]>`
    SELECT "name", "sql" FROM sqlite_master WHERE "type" = 'trigger' AND "tbl_name" = 'AuditEntry'`
  for (const { name } of triggers) await prisma(tx).$executeRawUnsafe(`DROP TRIGGER "${name}"`)
  const written = await write()
  for (const { sql } of triggers) await prisma(tx).$executeRawUnsafe(sql)
  return written
}

async function withoutPostgresTriggers<T>(tx: Transaction, write: () => Promise<T>): Promise<T> {
  await prisma(tx).$executeRaw`ALTER TABLE "AuditEntry" DISABLE TRIGGER USER`
  const written = await write()
  await prisma(tx).$executeRaw`ALTER TABLE "AuditEntry" ENABLE TRIGGER USER`
  return written
}
