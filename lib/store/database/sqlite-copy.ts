import type Database from 'libsql'
import { pauseIfLong } from '../../access/turns'
import { StoreUnavailable } from './unavailable'

/**
 * Copies a SQLite file into a database in memory. It reads the file as it was at one moment, and
 * holds up no writer. Statements run on the thread that answers requests, so it pauses in between.
 */

const ROWS_AT_ONCE = 2_000

/** What requests of users and clients leave, which is most of a portal. No change of an admin reads it. */
const LEFT_EMPTY: ReadonlySet<string> = new Set([
  'Interaction',
  'AuthorizationCode',
  'DeviceAuthorization',
  'TokenGrant',
  'RefreshFamily',
  'RefreshToken',
  'RevokedToken',
  'UsedAssertion',
  'StoredDecision',
  'ActivityDay',
  'OutboxMessage',
  'WebhookDelivery',
  'RateCounter',
  'IdempotencyRecord',
  'PublicKeyUse',
])
/** The IDs of what was deleted are never used again; see deletedAmong in lib/store/audit/deleted-ids.ts. */
const AUDIT_LOG = 'AuditEntry'
const DELETIONS = `"event" IN ('application.deleted', 'access_key.deleted', 'user.deleted', 'account.erased')`

type Part = { type: string; name: string; sql: string }

export async function copyDatabase(to: Database.Database, path: string): Promise<void> {
  to.exec(`ATTACH DATABASE '${path.replaceAll("'", "''")}' AS "source"`)
  try {
    // In any order: the rows refer to each other.
    to.exec('PRAGMA foreign_keys=OFF')
    to.exec('BEGIN')
    const parts = partsOf(to)
    if (parts.length === 0) throw new StoreUnavailable('the file of the database is empty')
    const tables = parts.filter(({ type }) => type === 'table')
    for (const table of tables) await copyTable(to, table)
    for (const { sql } of parts.filter(({ type }) => type !== 'table')) to.exec(sql)
    to.exec('COMMIT')
  } finally {
    if (to.inTransaction) to.exec('ROLLBACK')
    to.exec('DETACH DATABASE "source"')
    to.exec('PRAGMA foreign_keys=ON')
  }
}

function partsOf(to: Database.Database): Part[] {
  const text = `SELECT "type", "name", "sql" FROM "source"."sqlite_master"
    WHERE "sql" IS NOT NULL AND "name" NOT LIKE 'sqlite_%'`
  return to.prepare(text).all() as Part[]
}

async function copyTable(to: Database.Database, { name, sql }: Part): Promise<void> {
  to.exec(sql)
  if (LEFT_EMPTY.has(name)) return
  const copy = `INSERT INTO "main"."${name}" SELECT * FROM "source"."${name}" WHERE `
  if (name === AUDIT_LOG) {
    to.exec(copy + DELETIONS)
    return
  }
  const range = `SELECT min(rowid) AS "first", max(rowid) AS "last" FROM "source"."${name}"`
  const { first, last } = to.prepare(range).get() as { first: number | null; last: number }
  if (first === null) return
  for (let at = first; at <= last; at += ROWS_AT_ONCE) {
    to.exec(`${copy}rowid BETWEEN ${at} AND ${at + ROWS_AT_ONCE - 1}`)
    await pauseIfLong()
  }
}
