import { describe, expect, test } from 'vitest'
import { emptyDatabase, KINDS } from '../../../e2e/support/databases'
import { everyTable, fillEveryTable } from '../../../e2e/support/rows-of-schema'
import { isThorough } from '../../../e2e/support/thorough'
import { openDatabase } from '../database/database'
import { migrations } from '../generated/migrations'
import { drift, migrate, migrateUpTo } from './migrations'

/**
 * A database of any earlier version is upgraded with its data. Migrations are never squashed: each
 * of these schemas was released, and a portal somewhere may have it.
 */

describe.each(KINDS)('an upgrade on %s', (kind) => {
  const names = migrations[kind].map(({ name }) => name)
  const older = names.slice(0, -1)
  const released = isThorough ? older : [older[0] ?? '', older[Math.floor(older.length / 2)] ?? '']

  test.each(released)('N24: from the schema of %s keeps every row', async (name) => {
    const url = await emptyDatabase[kind]()
    await migrateUpTo(url, name)
    const before = await contents(url, true)
    expect(await migrate(url)).toEqual(names.slice(names.indexOf(name) + 1))
    expect(await drift(url)).toBe('')
    const after = await contents(url, false)
    for (const [table, rows] of before) {
      const kept = after.get(table)
      if (!kept) continue
      for (const row of rows) {
        const same = kept.find((one) => keyOf(one) === keyOf(row))
        expect(same, `${table} ${keyOf(row)}`).toMatchObject(sharedBy(row, same ?? {}))
      }
    }
  })

  test('N26: takes over the IDs of what was deleted before, from the audit log', async () => {
    const url = await emptyDatabase[kind]()
    const name = names.findIndex((one) => one.endsWith('_deleted_ids'))
    await migrateUpTo(url, names[name - 1] ?? '')
    const db = await openDatabase(url)
    const entry = { at: new Date(), result: 'success', actorKind: 'system', detail: {} }
    const hashes = { previousHash: '', hash: '' }
    const deleted = ['usr_gone', 'app_gone', 'app_gone'].map((targetId, at) => {
      const event = targetId.startsWith('usr') ? 'user.deleted' : 'application.deleted'
      return { ...entry, ...hashes, seq: BigInt(at + 1), id: `aud_${at}`, event, targetId }
    })
    const changed = { ...deleted[0], seq: 9n, event: 'user.changed', targetId: 'usr_here' }
    await db.auditEntry.createMany({ data: [...deleted, changed as (typeof deleted)[0]] })
    await migrate(url)
    expect((await db.deletedId.findMany()).map(({ id }) => id).sort()).toEqual([
      'app_gone',
      'usr_gone',
    ])
    await db.$disconnect()
  })

  async function contents(url: string, fill: boolean) {
    const db = await openDatabase(url)
    try {
      if (fill) await fillEveryTable(db, kind)
      return await everyTable(db, kind)
    } finally {
      await db.$disconnect()
    }
  }
})

/** What says which row it is: its ID, or else its first column. */
function keyOf(row: Record<string, unknown>): unknown {
  return row.id ?? Object.values(row)[0]
}

/** The columns that both have: a migration may drop one, never change what stays. */
function sharedBy(row: Record<string, unknown>, other: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name in other))
}
