import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import { type Database, openDatabase, sqlOf } from './database'
import { insert, insertMany, jsonIn, type Sql, type SqlClient, timeIn } from './sql'

const NOW = new Date('2026-11-15T12:00:00.123Z')
const HERE = process.env.TZ

describe.each(KINDS)('the sql on %s', (kind) => {
  let db: Database
  let sql: SqlClient

  beforeAll(async () => {
    db = await openDatabase(await freshDatabase[kind]())
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
  const add = (tx: Sql, id: string) => insert(tx, 'User', person(id))
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

  test('goes on after the client was disconnected', async () => {
    await db.$disconnect()
    await sql.transaction((tx) => add(tx, 'usr_a'))
    expect(await ids()).toEqual(['usr_a'])
  })
})
