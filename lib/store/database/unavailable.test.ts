import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { READ_ONLY } from '../../../e2e/support/read-only'
import { type Database, openDatabase, sqlOf } from './database'
import { isUnavailable } from './unavailable'

/** O7, from the errors that the drivers and Prisma really throw. */

const row = (key: string) => ({ key, value: 1, updatedAt: new Date() })
const PLAIN = `INSERT INTO "RateCounter" ("key", "count", "expiresAt") VALUES ('plain', 1, ?)`

/** Every way in which the portal writes. */
const WRITES: Record<string, (db: Database) => Promise<unknown>> = {
  'a statement': (db) => db.setting.create({ data: row('one') }),
  'a transaction': (db) => db.$transaction((tx) => tx.setting.create({ data: row('two') })),
  'plain SQL': (db) => sqlOf(db).run(PLAIN, [new Date()]),
  'a plain transaction': (db) =>
    sqlOf(db).transaction((tx) => tx.run(PLAIN.replace('plain', 'other'), [new Date()])),
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error) => error,
  )
}

async function administer(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

describe.each(KINDS)('O7: a %s that can only be read', (kind) => {
  test('refuses each write as unavailable, answers reads, and takes writes again', async (context) => {
    const url = await freshDatabase[kind]()
    const obstacle = READ_ONLY[kind].obstacle(url)
    if (obstacle) context.skip(obstacle)
    const db = await openDatabase(url)
    await db.setting.create({ data: row('before') })
    await READ_ONLY[kind].begin(url)
    try {
      // Sessions that were ended say so once.
      for (const write of Object.values(WRITES)) await errorOf(write(db))
      for (const [what, write] of Object.entries(WRITES)) {
        const error = await errorOf(write(db))
        expect([what, error !== null, isUnavailable(error)]).toEqual([what, true, true])
      }
      expect(await db.setting.count()).toBe(1)
    } finally {
      await READ_ONLY[kind].end(url)
    }
    // A session of before may still be in the pool, and says at its next use that it was ended.
    for (const write of Object.values(WRITES)) await vi.waitFor(() => write(db), 30_000)
    expect((await db.setting.findMany()).map(({ key }) => key).sort()).toEqual([
      'before',
      'one',
      'two',
    ])
    await db.$disconnect()
  })
})

test('O7: a PostgreSQL that shuts down in the middle of a transaction', async () => {
  const url = await freshDatabase.postgres()
  const db = await openDatabase(url)
  const error = await errorOf(
    db.$transaction(async (tx) => {
      const [own] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS "pid"`
      await tx.setting.create({ data: row('lost') })
      const asked = errorOf(tx.$queryRaw`SELECT pg_sleep(10)`)
      await administer(url, `SELECT pg_terminate_backend(${own?.pid})`)
      const ended = await asked
      expect(isUnavailable(ended)).toBe(true)
      throw ended
    }),
  )
  expect(isUnavailable(error)).toBe(true)
  expect(await db.setting.count()).toBe(0)
  await db.$disconnect()
})

test('a mistake of ours is no outage', async () => {
  const db = await openDatabase(await freshDatabase.sqlite())
  await db.setting.create({ data: row('twice') })
  const error = await errorOf(db.setting.create({ data: row('twice') }))
  expect([error instanceof Error, isUnavailable(error)]).toEqual([true, false])
  await db.$disconnect()
})
