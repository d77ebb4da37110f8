import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { EVENT } from '../../../e2e/support/store'
import { verifyWhole } from '../audit/chain'
import { type Database, openDatabase, sqlOf } from './database'
import { insertMany, insertStep, jsonIn, type Sql, type SqlClient, type Step, timeIn } from './sql'

const NOW = new Date('2026-11-15T12:00:00.123Z')
const HERE = process.env.TZ

describe.each(KINDS)('the sql on %s', (kind) => {
  let db: Database
  let sql: SqlClient
  let url: string

  beforeAll(async () => {
    url = await freshDatabase[kind]()
    db = await openDatabase(url)
    sql = sqlOf(db)
  })
  afterAll(() => db.$disconnect())
  afterEach(async () => {
    await db.user.deleteMany()
    if (HERE === undefined) delete process.env.TZ
    else process.env.TZ = HERE
  })

  const person = (id: string) => ({
    id,
    email: null,
    emailVerified: true,
    profile: JSON.stringify({ given_name: 'Zoë', list: [1, null] }),
    attributes: '{}',
    createdAt: NOW,
    updatedAt: NOW,
    version: 7,
  })
  const add = (tx: Sql, id: string) => insertMany(tx, 'User', [person(id)])
  const ids = async () => (await db.user.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)

  test.each(['UTC', 'Asia/Tokyo', 'America/St_Johns'])(
    'writes what Prisma reads, and reads what Prisma wrote, also in %s',
    async (zone) => {
      process.env.TZ = zone
      await sql.transaction((tx) => add(tx, 'usr_a'))
      const row = await db.user.findUniqueOrThrow({ where: { id: 'usr_a' } })
      expect(row).toMatchObject({ email: null, emailVerified: true, createdAt: NOW, version: 7 })
      expect(row.profile).toEqual({ given_name: 'Zoë', list: [1, null] })
      await db.user.update({ where: { id: 'usr_a' }, data: { email: 'a@b.example' } })
      const [read] = await sql.all('SELECT * FROM "User" WHERE "createdAt" = ?', [NOW])
      expect(read).toMatchObject({ id: 'usr_a', email: 'a@b.example' })
      expect(timeIn(read?.createdAt)).toEqual(NOW)
      expect(jsonIn(read?.profile)).toEqual(row.profile)
    },
  )

  test('reads the first row like all of them, and undefined if there is none', async () => {
    await sql.transaction(async (tx) => {
      await add(tx, 'usr_a')
      await add(tx, 'usr_b')
    })
    const text = 'SELECT * FROM "User" WHERE "id" >= ? ORDER BY "id"'
    const [row] = await sql.all(text, ['usr_b'])
    expect(await sql.first(text, ['usr_b'])).toEqual(row)
    expect(await sql.first(text, ['usr_a'])).toMatchObject({ id: 'usr_a' })
    expect(await sql.first(text, ['usr_c'])).toBeUndefined()
    // A statement of which a row is left holds up no later reader.
    await sql.transaction((tx) => tx.run('UPDATE "User" SET "name" = ?', ['Ada']))
    expect(await sql.first(text, ['usr_a'])).toMatchObject({ name: 'Ada' })
  })

  test('counts the rows that a statement changed', async () => {
    await sql.transaction((tx) => add(tx, 'usr_a'))
    const change = 'UPDATE "User" SET "name" = ? WHERE "id" = ? AND "name" IS NULL'
    expect(await sql.run(change, ['Ann', 'usr_a'])).toBe(1)
    expect(await sql.run(change, ['Ann', 'usr_a'])).toBe(0)
  })

  test('inserts many rows in few statements', async () => {
    const all = Array.from({ length: 87 }, (_, at) => person(`usr_${String(at).padStart(2, '0')}`))
    let statements = 0
    await sql.transaction((tx) =>
      insertMany(
        {
          ...tx,
          run(text, values) {
            statements += 1
            return tx.run(text, values)
          },
        },
        'User',
        all,
      ),
    )
    expect(await ids()).toEqual(all.map(({ id }) => id))
    expect(statements).toBe(6) // 64 + 16 + 4 + 1 + 1 + 1
  })

  test('one that fails leaves nothing behind, and takes nobody with it', async () => {
    const results = await Promise.allSettled([
      sql.transaction((tx) => add(tx, 'usr_a')),
      sql.transaction(async (tx) => {
        await add(tx, 'usr_b')
        throw new Error('changed my mind')
      }),
      sql.transaction(async (tx) => {
        await add(tx, 'usr_c')
        await add(tx, 'usr_c')
      }),
      sql.transaction((tx) => add(tx, 'usr_d')),
    ])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ])
    expect(await ids()).toEqual(['usr_a', 'usr_d'])
    await sql.transaction((tx) => add(tx, 'usr_e'))
    expect(await ids()).toEqual(['usr_a', 'usr_d', 'usr_e'])
  })

  test('nothing can be read before it is committed', async () => {
    const seen = await sql.transaction(async (tx) => {
      await add(tx, 'usr_a')
      return (await sql.all('SELECT "id" FROM "User"', [])).length
    })
    expect(seen).toBe(0)
    expect(await sql.all('SELECT "id" FROM "User"', [])).toHaveLength(1)
  })

  test('waits for a transaction of Prisma’s, and Prisma for the sql', async () => {
    const slow = db.$transaction(async (tx) => {
      const { id, createdAt, updatedAt } = person('usr_slow')
      await tx.user.create({ data: { id, createdAt, updatedAt, profile: {}, attributes: {} } })
      await sleep(200)
    })
    await sleep(50)
    const quick = Array.from({ length: 40 }, (_, at) =>
      sql.transaction((tx) => add(tx, `usr_${at}`)),
    )
    await Promise.all([slow, ...quick])
    expect(await ids()).toHaveLength(41)
  })

  describe('writes with their audit entries', () => {
    const rename = (id: string, name: string) => ({
      text: 'UPDATE "User" SET "name" = ? WHERE "id" = ? AND "name" IS NULL',
      values: [name, id],
      locks: id,
    })
    const addStep = (id: string) => insertStep('User', person(id))
    const about = (id: string) => ({ ...EVENT, targetId: id, at: NOW })
    const write = (id: string, ...steps: Step[]) => sql.audited({ steps, events: [about(id)] })

    async function recorded(write: () => Promise<unknown>): Promise<string[]> {
      const [last] = await db.auditEntry.findMany({ orderBy: { seq: 'desc' }, take: 1 })
      await write()
      const where = { seq: { gt: last?.seq ?? 0n } }
      const rows = await db.auditEntry.findMany({ where, select: { targetId: true } })
      expect((await verifyWhole(db)).broken).toBeNull()
      return rows.map(({ targetId }) => targetId ?? '').sort()
    }

    test('a step is done only if the one before it changed a row', async () => {
      const found = await recorded(async () => {
        expect(await write('a', addStep('usr_a'))).toBe(true)
        expect(await write('b', rename('usr_none', 'Ann'), addStep('usr_b'))).toBe(false)
        expect(await write('c', addStep('usr_c'), addStep('usr_d'), addStep('usr_e'))).toBe(true)
      })
      expect(found).toEqual(['a', 'c'])
      expect(await ids()).toEqual(['usr_a', 'usr_c', 'usr_d', 'usr_e'])
    })

    test('of many that want the same at once, one gets it and is recorded', async () => {
      const other = await openDatabase(url)
      await sql.transaction((tx) => add(tx, 'usr_a'))
      const results: boolean[] = []
      const found = await recorded(async () => {
        const tries = Array.from({ length: 100 }, (_, at) =>
          (at % 2 === 0 ? sql : sqlOf(other)).audited({
            steps: [rename('usr_a', `Ann ${at}`), addStep(`usr_${at}`)],
            events: [about(String(at))],
          }),
        )
        results.push(...(await Promise.all(tries)))
      })
      await other.$disconnect()
      const winner = String(results.indexOf(true))
      expect(results.filter((won) => won)).toHaveLength(1)
      expect(found).toEqual([winner])
      expect(await ids()).toEqual([`usr_${winner}`, 'usr_a'].sort())
    })

    test('one that fails leaves nothing behind, and takes nobody with it', async () => {
      await sql.transaction((tx) => add(tx, 'usr_taken'))
      const statuses: string[] = []
      const found = await recorded(async () => {
        const settled = await Promise.allSettled([
          write('a', addStep('usr_a')),
          write('b', addStep('usr_b'), addStep('usr_taken')),
          write('c', addStep('usr_c')),
        ])
        statuses.push(...settled.map(({ status }) => status))
      })
      expect(statuses).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(found).toEqual(['a', 'c'])
      expect(await ids()).toEqual(['usr_a', 'usr_c', 'usr_taken'])
    })

    test('two processes that lock the same rows in many orders do not wait for each other', async () => {
      const other = await openDatabase(url)
      const names = Array.from({ length: 20 }, (_, at) => `usr_${at}`)
      for (const id of names) await sql.transaction((tx) => add(tx, id))
      // So slow that both processes are at it.
      const slowly = kind === 'postgres' ? ' AND (SELECT pg_sleep(0.002)) IS NOT NULL' : ''
      const touch = (id: string) => ({
        text: `UPDATE "User" SET "name" = ? WHERE "id" = ?${slowly}`,
        values: ['x', id],
        locks: id,
      })
      const all = (on: SqlClient, order: string[]) =>
        order.map((id) => on.audited({ steps: [touch(id)], events: [about(id)] }))
      for (let round = 0; round < 3; round += 1) {
        const both = [...all(sql, names), ...all(sqlOf(other), names.toReversed())]
        expect(await Promise.all(both)).toEqual(Array(40).fill(true))
      }
      // A connection that ends hands in its statistics.
      await Promise.all([other.$disconnect(), db.$disconnect()])
      expect((await verifyWhole(db)).broken).toBeNull()
      if (kind === 'postgres') expect(await deadlocks()).toBe(0)
    })

    async function deadlocks(): Promise<number> {
      const text = 'SELECT "deadlocks" FROM pg_stat_database WHERE "datname" = current_database()'
      return Number((await sql.all(text, []))[0]?.deadlocks)
    }
  })

  test.runIf(kind === 'postgres')('goes on when a pooler loses prepared statements', async () => {
    const other = await openDatabase(url)
    const one = () => sqlOf(other).all('SELECT 1 AS "one"', [])
    expect(await one()).toEqual([{ one: 1 }])
    await sqlOf(other).all('DEALLOCATE ALL', [])
    expect(await Promise.all([one(), one(), one()])).toEqual(Array(3).fill([{ one: 1 }]))
    const steps = [insertStep('User', person('usr_a'))]
    expect(await sqlOf(other).audited({ steps, events: [] })).toBe(true)
    await other.$disconnect()
  })

  test('goes on after the client was disconnected', async () => {
    await db.$disconnect()
    await sql.transaction((tx) => add(tx, 'usr_a'))
    expect(await ids()).toEqual(['usr_a'])
  })
})
