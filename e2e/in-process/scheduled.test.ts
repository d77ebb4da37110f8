import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestReset } from '../../lib/accounts/reset-password'
import { createUser } from '../../lib/store/accounts/users'
import { type Database, openDatabase } from '../../lib/store/database/database'
import { type Answer, ask, type Fields } from '../support/ask'
import { freshDatabase } from '../support/databases'
import { type OpenPortal, openPortal } from '../support/in-process'

/** The work that nobody asks for, where no process lives long enough to have timers. */

const CRON_SECRET = 'wK3pX8vQ1nT6yB9sR4mD7hF2jL5cZ0aG'
const PATH = '/api/scheduled'
const bearer = (secret: string): Fields => ({ authorization: `Bearer ${secret}` })
const LONG_AGO = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000)

let db: Database
let portal: OpenPortal

beforeAll(async () => {
  portal = await openPortal({ kind: 'postgres', env: { CRON_SECRET }, empty: true })
  db = portal.op.db
})

afterAll(() => portal.stop())

/** Somebody whose day has come, an id that nobody would believe any more, and a letter. */
async function leaveWork(store: Database): Promise<string> {
  const person = { name: 'Ann', emailVerified: true, adminRole: null, passwordHash: 'x' }
  const email = `${crypto.randomUUID()}@x.org`
  const id = await store.$transaction((tx) => createUser(tx, { ...person, email }, LONG_AGO))
  await store.user.update({ where: { id }, data: { deleteAfter: LONG_AGO } })
  await store.revokedToken.create({ data: { jti: id, expiresAt: LONG_AGO } })
  return id
}

async function isDone(store: Database, id: string): Promise<boolean> {
  const left = await Promise.all([
    store.user.count({ where: { id } }),
    store.revokedToken.count({ where: { jti: id } }),
  ])
  return left.every((count) => count === 0)
}

describe('a scheduler', () => {
  test.each<[string, Fields]>([
    ['nobody', {}],
    ['a wrong secret', bearer(`${CRON_SECRET}x`)],
    ['another scheme', { authorization: `Basic ${CRON_SECRET}` }],
  ])('%s: 401, and nothing is done', async (_who, headers) => {
    const id = await leaveWork(db)
    const answer = await ask(portal.origin, { path: PATH, headers })
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="scheduled"',
    ])
    expect(await isDone(db, id)).toBe(false)
  })

  test.each(['GET', 'POST'])('%s by the scheduler does everything once', async (method) => {
    const person = { name: 'Cleo', emailVerified: true, adminRole: null, passwordHash: 'x' }
    const identifier = `${method}@example.org`
    const { op } = portal
    await op.write((tx) => createUser(tx, { ...person, email: identifier }, LONG_AGO))
    await requestReset(op, { identifier, ip: null, locale: 'en', returnTo: '/' })
    const id = await leaveWork(db)
    // It is called by whatever name the platform has for us.
    const headers = { ...bearer(CRON_SECRET), host: 'portal-4f2a.vercel.app' }
    const { status, body } = await ask(portal.origin, { method, path: PATH, headers })
    expect([status, JSON.parse(body).failed]).toEqual([200, []])
    const { delivered, accountsErased, keysPublished, rowsRemoved } = JSON.parse(body).done
    expect([delivered > 0, accountsErased > 0, keysPublished > 1, rowsRemoved > 0]).toEqual(
      Array(4).fill(true),
    )
    expect(await isDone(db, id)).toBe(true)
    expect(await db.outboxMessage.count({ where: { deliveredAt: null } })).toBe(0)
  })

  test('HEAD must not do anything', async () => {
    const answer = await ask(portal.origin, {
      method: 'HEAD',
      path: PATH,
      headers: bearer(CRON_SECRET),
    })
    expect(answer.status).toBe(405)
  })

  test('parts that fail are named, and keep nothing else from being done', async () => {
    const id = await leaveWork(db)
    await db.$executeRaw`ALTER TABLE "OutboxMessage" RENAME TO "Away"`
    const answer = await ask(portal.origin, { path: PATH, headers: bearer(CRON_SECRET) })
    await db.$executeRaw`ALTER TABLE "Away" RENAME TO "OutboxMessage"`
    expect([answer.status, JSON.parse(answer.body).failed]).toEqual([
      500,
      ['delivered', 'rowsRemoved'],
    ])
    expect(await db.user.count({ where: { id } })).toBe(0)
  })
})

test('where a process lives on, the same is done by itself', async () => {
  const DATABASE_URL = await freshDatabase.sqlite()
  const store = await openDatabase(DATABASE_URL)
  await leaveWork(store)
  const working = await openPortal({ env: { DATABASE_URL }, empty: true, works: true })
  await expect
    .poll(async () => (await store.user.count()) + (await store.revokedToken.count()))
    .toBe(0)
  await working.stop()
  await store.$disconnect()
})

test('without CRON_SECRET nobody may call, with the same answer as to a caller without a token', async () => {
  const closed = await openPortal({ empty: true })
  const id = await leaveWork(closed.op.db)
  const plain = ({ status, body, headers }: Answer) => [status, body, headers['www-authenticate']]
  const anonymous = plain(await ask(portal.origin, { path: PATH }))
  for (const secret of ['', 'null', 'undefined', CRON_SECRET]) {
    const answer = await ask(closed.origin, { path: PATH, headers: bearer(secret) })
    expect(plain(answer)).toEqual(anonymous)
  }
  expect(await isDone(closed.op.db, id)).toBe(false)
  await closed.stop()
})

test('vercel.json calls it, and builds as we do', () => {
  const vercel = JSON.parse(readFileSync(new URL('../../vercel.json', import.meta.url), 'utf8'))
  expect(vercel.crons).toEqual([{ path: PATH, schedule: '* * * * *' }])
  expect(vercel.buildCommand).toBe('node bin/build.mjs')
})
