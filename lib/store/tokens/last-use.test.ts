import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { type Database, openDatabase, sqlOf } from '../database/database'
import type { SqlClient } from '../database/sql'
import { migrate } from '../operations/migrations'
import { lastUses } from './last-use'

const NOW = new Date('2026-11-15T12:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)

describe.each(KINDS)('the last use of credentials on %s', (kind) => {
  let db: Database

  beforeAll(async () => {
    const url = await freshDatabase[kind]()
    await migrate(url)
    db = await openDatabase(url)
    const lists = { authMethods: [], grantTypes: [], redirectUris: [], postLogoutRedirectUris: [] }
    const scopes = { origins: [], requiredScopes: [], defaultScopes: [], branding: {} }
    const stamps = { createdAt: NOW, updatedAt: NOW }
    await db.application.create({
      data: { id: 'app_u', name: 'Used', kind: 'machine', ...lists, ...scopes, ...stamps },
    })
    const secret = { applicationId: 'app_u', name: 's', secretHash: 'h', hint: 'abcd' }
    await db.applicationSecret.create({ data: { ...secret, id: 'sec_u', createdAt: NOW } })
    await db.accessKey.create({ data: { ...secret, id: 'ak_u', createdAt: NOW } })
  })

  afterAll(() => db.$disconnect())

  const fails = (error: unknown) => {
    throw error
  }
  const stored = () =>
    db.applicationSecret.findUniqueOrThrow({
      where: { id: 'sec_u' },
      select: { lastUsedAt: true, lastUsedIp: true },
    })
  const secretUse = (ms: number, ip: string) => ({
    kind: 'application_secret' as const,
    id: 'sec_u',
    ip,
    at: later(ms),
  })

  test('the latest of many is written by itself, then at most once a minute', async () => {
    const uses = lastUses(sqlOf(db), fails)
    for (let ms = 0; ms < 100; ms += 1) uses.note(secretUse(ms, `192.0.2.${ms}`))
    await expect.poll(stored).toEqual({ lastUsedAt: later(99), lastUsedIp: '192.0.2.99' })
    uses.note(secretUse(200, '198.51.100.1'))
    await sleep(600)
    expect((await stored()).lastUsedIp).toBe('192.0.2.99')
    await uses.flush()
    expect(await stored()).toEqual({ lastUsedAt: later(200), lastUsedIp: '198.51.100.1' })
  })

  test('an older use of another instance does not come back; keys and secrets are told apart', async () => {
    const uses = lastUses(sqlOf(db), fails)
    uses.note(secretUse(50, '203.0.113.1'))
    uses.note({ kind: 'access_key', id: 'ak_u', ip: null, at: later(1) })
    await uses.flush()
    expect((await stored()).lastUsedIp).toBe('198.51.100.1')
    const key = await db.accessKey.findUniqueOrThrow({ where: { id: 'ak_u' } })
    expect([key.lastUsedAt, key.lastUsedIp, key.version]).toEqual([later(1), null, 1])
  })

  test('what the last sign-in used is written at once when it changes, without a new version', async () => {
    const uses = lastUses(sqlOf(db), fails)
    const used = () =>
      db.application.findUniqueOrThrow({
        where: { id: 'app_u' },
        select: { signedInPkce: true, signedInNonce: true, version: true },
      })
    const note = (ms: number, pkce: boolean, nonce: boolean) =>
      uses.note({ kind: 'sign_in', id: 'app_u', ip: null, pkce, nonce, at: later(ms) })
    expect(await used()).toEqual({ signedInPkce: null, signedInNonce: null, version: 1 })
    note(1, false, false)
    await uses.flush(false)
    expect(await used()).toEqual({ signedInPkce: false, signedInNonce: false, version: 1 })
    note(2, true, false)
    await uses.flush(false)
    expect(await used()).toEqual({ signedInPkce: true, signedInNonce: false, version: 1 })
    note(3, true, true)
    await uses.flush(false)
    expect(await used()).toEqual({ signedInPkce: true, signedInNonce: true, version: 1 })
  })

  test('what cannot be written waits and is written later', async () => {
    const told: unknown[] = []
    let broken = true
    const sql = sqlOf(db)
    const flaky: SqlClient = {
      kind: sql.kind,
      all: (text, values) => sql.all(text, values),
      first: (text, values) => sql.first(text, values),
      run: (text, values) => sql.run(text, values),
      write: (text, values) => sql.write(text, values),
      audited: (written) => sql.audited(written),
      transaction: (work) => (broken ? Promise.reject(new Error('away')) : sql.transaction(work)),
    }
    const uses = lastUses(flaky, (error) => told.push(error))
    uses.note(secretUse(300, '203.0.113.2'))
    await expect.poll(() => told.length).toBe(1)
    broken = false
    await expect.poll(async () => (await stored()).lastUsedIp).toBe('203.0.113.2')
  })
})
