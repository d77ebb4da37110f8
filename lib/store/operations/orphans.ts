import type { DatabaseKind, Reader } from '../database/connection'
import { prisma } from '../database/database'

/**
 * Rows that refer to a missing row. Both databases refuse them, unless somebody bypassed the
 * checks.
 */

export function listOrphans(db: Reader, kind: DatabaseKind): Promise<string[]> {
  return kind === 'sqlite' ? sqliteOrphans(db) : postgresOrphans(db)
}

type SqliteOrphan = { table: string; rowid: number | null; parent: string }

async function sqliteOrphans(db: Reader): Promise<string[]> {
  const rows = await prisma(db).$queryRaw<SqliteOrphan[]>`
    SELECT "table", "rowid", "parent" FROM pragma_foreign_key_check`
  return rows.map(({ table, rowid, parent }) => `${table} ${rowid}, of ${parent}`)
}

type ForeignKey = { child: string; column: string; parent: string; key: string }

async function postgresOrphans(db: Reader): Promise<string[]> {
  const keys = await prisma(db).$queryRaw<ForeignKey[]>`
    SELECT k.conrelid::regclass::text AS "child", quote_ident(c.attname) AS "column",
      k.confrelid::regclass::text AS "parent", quote_ident(p.attname) AS "key"
    FROM pg_constraint k
    JOIN pg_attribute c ON c.attrelid = k.conrelid AND c.attnum = k.conkey[1]
    JOIN pg_attribute p ON p.attrelid = k.confrelid AND p.attnum = k.confkey[1]
    WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`
  const found: string[] = []
  for (const key of keys) found.push(...(await orphansOf(db, key)))
  return found
}

/** The names come from the catalogue, quoted by the database. */
async function orphansOf(db: Reader, { child, column, parent, key }: ForeignKey) {
  const rows = await prisma(db).$queryRawUnsafe<{ at: string }[]>(
    `SELECT c.ctid::text AS "at" FROM ${child} c LEFT JOIN ${parent} p ON p.${key} = c.${column}
     WHERE c.${column} IS NOT NULL AND p.${key} IS NULL`,
  )
  return rows.map(({ at }) => `${child} ${at}, of ${parent}`)
}
