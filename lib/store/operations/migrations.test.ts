import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { emptyDatabase, KINDS } from '../../../e2e/support/databases'
import { type Database, openDatabase } from '../database/database'
import { migrationStatus, NewerSchemaError } from './migration-status'
import { drift, migrate } from './migrations'

describe.each(KINDS)('migrations on %s', (kind) => {
  async function withDatabase<T>(url: string, use: (db: Database) => Promise<T>): Promise<T> {
    const db = await openDatabase(url)
    try {
      return await use(db)
    } finally {
      await db.$disconnect()
    }
  }

  test('apply once, then there is nothing to do', async () => {
    const url = await emptyDatabase[kind]()
    const first = await migrate(url)
    expect(first).not.toEqual([])
    expect(await migrate(url)).toEqual([])
    const status = await withDatabase(url, (db) => migrationStatus(db, url))
    expect(status).toEqual({ applied: first, pending: [], interrupted: [], unknown: [] })
  })

  test('from several callers at once apply once', async () => {
    const url = await emptyDatabase[kind]()
    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)])
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1)
  })

  test('and the models agree', async () => {
    expect(await drift(await emptyDatabase[kind]())).toBe('')
  })

  test('N24: one that was interrupted finishes on the next run', async () => {
    const url = await emptyDatabase[kind]()
    const names = await migrate(url)
    // What a process killed in the middle leaves: a row without an end, and none of its tables.
    await withDatabase(url, async (db) => {
      await db.$executeRaw`UPDATE "_prisma_migrations" SET finished_at = NULL`
      await dropEverything(db, kind)
    })
    expect(await migrate(url)).toEqual(names)
    const status = await withDatabase(url, (db) => migrationStatus(db, url))
    expect(status).toMatchObject({ applied: names, pending: [], interrupted: [] })
  })

  test('N24: a script that fails half-way leaves nothing behind', async () => {
    const url = await emptyDatabase[kind]()
    await withDatabase(url, (db) => db.$executeRaw`CREATE TABLE "Setting" (x INTEGER)`)
    await expect(migrate(url)).rejects.toThrow()
    const tables = await withDatabase(url, (db) => tableNames(db, kind))
    expect(tables.filter((table) => !table.startsWith('_'))).toEqual(['Setting'])
  })

  test('N24: a database of a newer version is refused', async () => {
    const url = await emptyDatabase[kind]()
    await migrate(url)
    await withDatabase(
      url,
      (db) =>
        db.$executeRaw`UPDATE "_prisma_migrations" SET migration_name = '29990101000000_future'`,
    )
    await expect(migrate(url)).rejects.toThrow(NewerSchemaError)
  })
})

async function tableNames(db: Database, kind: string): Promise<string[]> {
  const rows =
    kind === 'sqlite'
      ? await db.$queryRaw<
          { name: string }[]
        >`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
      : await db.$queryRaw<
          { name: string }[]
        >`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
  return rows.map((row) => row.name)
}

async function dropEverything(db: Database, kind: string): Promise<void> {
  if (kind === 'sqlite') await db.$executeRaw`PRAGMA foreign_keys=OFF`
  const ours = (await tableNames(db, kind)).filter((name) => !name.startsWith('_'))
  for (const name of ours) {
    await db.$executeRawUnsafe(
      `DROP TABLE IF EXISTS ${pg.escapeIdentifier(name)} ${kind === 'sqlite' ? '' : 'CASCADE'}`,
    )
  }
  if (kind === 'postgres')
    await db.$executeRaw`DROP FUNCTION "refuse_audit_change", "make_audit_partition"`
}
