import { copyFileSync, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../e2e/support/databases'
import { temporaryFolder } from '../../../e2e/support/folder'
import { type Database, openDatabase, sqlOf } from './database'
import { sqlitePath } from './sqlite'
import { isUnavailable } from './unavailable'

/** O7: the file is deleted or replaced while the portal has it open. */

const row = (key: string) => ({ key, value: 1, updatedAt: new Date() })
const insert = (key: string) =>
  `INSERT INTO "RateCounter" ("key", "count", "expiresAt") VALUES ('${key}', 1, 0)`

let path: string
let db: Database
const keys = async () => (await db.setting.findMany()).map(({ key }) => key).sort()

async function outageOf(work: Promise<unknown>): Promise<boolean> {
  return work.then(() => false, isUnavailable)
}

beforeEach(async () => {
  const url = await freshDatabase.sqlite()
  path = sqlitePath(url)
  db = await openDatabase(url)
  await db.setting.create({ data: row('first') })
  expect(await keys()).toEqual(['first'])
  return () => db.$disconnect()
})

describe('a file that is gone', () => {
  test('takes no write and answers no read, is not made again, and goes on when it is back', async () => {
    const aside = join(temporaryFolder(), 'aside.db')
    renameSync(path, aside)
    for (const work of [
      () => db.setting.create({ data: row('lost') }),
      () => db.$transaction((tx) => tx.setting.create({ data: row('lost') })),
      () => sqlOf(db).run(insert('lost'), []),
      () => db.setting.count(),
      () => sqlOf(db).all('SELECT 1', []),
    ]) {
      expect(await outageOf(work())).toBe(true)
    }
    expect(existsSync(path)).toBe(false)
    renameSync(aside, path)
    await db.setting.create({ data: row('second') })
    expect(await keys()).toEqual(['first', 'second'])
  })

  test('in the middle of a transaction: its commit is not answered as done', async () => {
    const aside = join(temporaryFolder(), 'aside.db')
    const committed = db.$transaction(async (tx) => {
      await tx.setting.create({ data: row('late') })
      renameSync(path, aside)
    })
    expect(await outageOf(committed)).toBe(true)
  })
})

describe('another file at its place', () => {
  test('is written and read from then on, without the log of the one before', async () => {
    const other = await copyOfFile()
    await db.setting.create({ data: row('of the old file') })
    renameSync(other, path)
    await db.setting.create({ data: row('of the new file') })
    await expectOnly(['first', 'of the new file'])
  })

  test.each<[string, (work: () => void) => Promise<unknown>]>([
    [
      'a transaction of several steps',
      (work) =>
        db.$transaction(async (tx) => {
          await tx.setting.create({ data: row('late') })
          work()
        }),
    ],
    [
      'a batch',
      (work) =>
        sqlOf(db).transaction(async (tx) => {
          await tx.run(insert('late'), [])
          work()
        }),
    ],
  ])('in the middle of %s: the log stays out of it too', async (_what, transaction) => {
    const other = await copyOfFile()
    await db.setting.create({ data: row('of the old file') })
    expect(await outageOf(transaction(() => renameSync(other, path)))).toBe(true)
    await db.setting.create({ data: row('of the new file') })
    await expectOnly(['first', 'of the new file'])
  })

  async function copyOfFile(): Promise<string> {
    const other = join(temporaryFolder(), 'other.db')
    const source = new Sqlite(path)
    source.exec(`VACUUM INTO '${other}'`)
    source.close()
    copyFileSync(other, `${path}.new`)
    return `${path}.new`
  }

  async function expectOnly(expected: string[]): Promise<void> {
    expect(await keys()).toEqual(expected)
    const seen = new Sqlite(path)
    expect(seen.prepare('SELECT count(*) AS n FROM Setting').get()).toMatchObject({ n: 2 })
    expect(seen.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' })
    seen.close()
  }
})
