import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { freshDatabase, KINDS, type Kind } from '../../../e2e/support/databases'
import { type Database, openDatabase, sqlOf } from './database'
import { sqlitePath } from './sqlite'
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

type ReadOnly = { begin(url: string): Promise<void>; end(url: string): Promise<void> }

const READ_ONLY: Record<Kind, ReadOnly> = {
  sqlite: {
    begin: async (url) => immutable('+i', sqlitePath(url)),
    end: async (url) => immutable('-i', sqlitePath(url)),
  },
  postgres: {
    begin: (url) => settingOf(url, 'SET default_transaction_read_only = on'),
    end: (url) => settingOf(url, 'RESET default_transaction_read_only'),
  },
}

function immutable(flag: string, path: string): void {
  spawnSync('chattr', [flag, path, `${path}-wal`])
}

/** Takes effect in the sessions that begin afterwards, so those that are open are ended. */
async function settingOf(url: string, change: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await administer(url.replace(/[^/]+$/, 'postgres'), `ALTER DATABASE "${name}" ${change}`)
  await administer(url.replace(/[^/]+$/, 'postgres'), END_SESSIONS.replace('?', name))
}

const END_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = '?' AND pid <> pg_backend_pid()`

/** Only root may make a file that nobody can write, and not every file system knows it. */
function cannotTry(kind: Kind, url: string): boolean {
  if (kind === 'postgres') return false
  const { status } = spawnSync('chattr', ['+i', sqlitePath(url)])
  spawnSync('chattr', ['-i', sqlitePath(url)])
  return status !== 0
}

describe.each(KINDS)('O7: a %s that can only be read', (kind) => {
  test('refuses each write as unavailable, answers reads, and takes writes again', async (context) => {
    const url = await freshDatabase[kind]()
    if (cannotTry(kind, url)) context.skip('this machine has no chattr +i')
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
    for (const write of Object.values(WRITES)) await errorOf(write(db))
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
