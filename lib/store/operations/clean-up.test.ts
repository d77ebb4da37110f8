import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { DAY_MS } from '../../base/time'
import { createUser } from '../accounts/users'
import { appendAudit } from '../audit/audit'
import { type Database, openDatabase } from '../database/database'
import { cleanUp } from './clean-up'

const NOW = new Date('2026-11-15T12:00:00.000Z')
const days = (count: number) => new Date(NOW.getTime() + count * DAY_MS)
const LISTS = { scopes: [], resources: [], amr: [] }
const NO_LISTS = { authMethods: [], grantTypes: [], redirectUris: [], postLogoutRedirectUris: [] }

describe.each(KINDS)('what is over goes, and nothing else, on %s', (kind) => {
  let db: Database
  let userId = ''

  beforeAll(async () => {
    db = await openDatabase(await freshDatabase[kind]())
    const person = { name: 'Ann', emailVerified: true, adminRole: null, passwordHash: 'h' }
    userId = await db.$transaction((tx) => createUser(tx, { ...person, email: 'ann@x.org' }, NOW))
    const scopes = { origins: [], requiredScopes: [], defaultScopes: [], branding: {} }
    const stamps = { createdAt: NOW, updatedAt: NOW }
    await db.application.create({
      data: { id: 'app', name: 'App', kind: 'web', ...NO_LISTS, ...scopes, ...stamps },
    })
  })

  afterAll(() => db.$disconnect())

  const run = () => cleanUp(db, kind, NOW)

  function session(id: string, expiresAt: Date, endedAt: Date | null = null) {
    const seen = { authTime: NOW, createdAt: NOW, lastSeenAt: NOW, idleExpiresAt: expiresAt }
    const proof = { acr: 'pwd', amr: [], userAgent: 'test' }
    const data = { id, secretHash: id, userId, expiresAt, endedAt, ...seen, ...proof }
    return db.session.create({ data })
  }

  async function grant(id: string, expiresAt: Date, sessionId: string | null = null) {
    const whose = { applicationId: 'app', userId, sessionId, authTime: NOW, acr: 'pwd', ...LISTS }
    await db.tokenGrant.create({
      data: { id, ...whose, offline: true, createdAt: NOW, expiresAt },
    })
    await db.refreshFamily.create({
      data: { id, tokenGrantId: id, createdAt: NOW, expiresAt },
    })
    // Long used, and yet recognised when it comes back.
    for (const generation of [1, 2]) {
      const tokenHash = `${id} ${generation}`
      const usedAt = generation === 1 ? days(-80) : null
      await db.refreshToken.create({
        data: { tokenHash, familyId: id, generation, createdAt: NOW, expiresAt, usedAt },
      })
    }
    await code(`of ${id}`, days(-80), id)
  }

  function code(codeHash: string, expiresAt: Date, tokenGrantId: string | null = null) {
    const whose = { applicationId: 'app', userId, sessionId: 'none', redirectUri: 'x', ...LISTS }
    const proof = { authTime: NOW, acr: 'pwd', createdAt: NOW }
    const usedAt = tokenGrantId === null ? null : expiresAt
    return db.authorizationCode.create({
      data: { codeHash, ...whose, ...proof, expiresAt, usedAt, tokenGrantId },
    })
  }

  test('a used code and every refresh token stay as long as their grant', async () => {
    await grant('over', days(-2))
    await grant('lives', days(1))
    await code('late', days(-2))
    await code('fresh', days(0))
    expect(await run()).toBe(3)
    const [codes, tokens, families, grants] = await Promise.all([
      db.authorizationCode.findMany({ orderBy: { codeHash: 'asc' } }),
      db.refreshToken.findMany({ orderBy: { tokenHash: 'asc' } }),
      db.refreshFamily.findMany(),
      db.tokenGrant.findMany(),
    ])
    expect(codes.map(({ codeHash }) => codeHash)).toEqual(['fresh', 'of lives'])
    expect(tokens.map(({ tokenHash }) => tokenHash)).toEqual(['lives 1', 'lives 2'])
    expect([...families, ...grants].map(({ id }) => id)).toEqual(['lives', 'lives'])
    expect(await run()).toBe(0)
  })

  test('V7: a device that nobody answered for is gone a day after its time', async () => {
    for (const [id, expiresAt] of [
      ['late', days(-2)],
      ['fresh', days(0)],
    ] as const) {
      const codes = { deviceCodeHash: id, userCodeHash: id, intervalSeconds: 5, acrValues: [] }
      const asked = { applicationId: 'app', scopes: [], resources: [], createdAt: NOW, expiresAt }
      await db.deviceAuthorization.create({ data: { id, ...codes, ...asked } })
    }
    await run()
    expect((await db.deviceAuthorization.findMany()).map(({ id }) => id)).toEqual(['fresh'])
  })

  test('S9: a change that an agent asked for is gone an hour after its time', async () => {
    const whose = { userId, applicationId: 'app', tool: 'give_role', arguments: {} }
    const hours = (count: number) => days(count / 24)
    for (const [id, expiresAt] of [
      ['chg_old', hours(-1.1)],
      ['chg_new', hours(-0.9)],
    ] as const) {
      const data = { ...whose, id, digest: id, createdAt: days(-1), expiresAt }
      await db.pendingChange.create({ data })
    }
    await run()
    expect((await db.pendingChange.findMany()).map(({ id }) => id)).toEqual(['chg_new'])
  })

  test('a grant that is over stays while its session is open: its application hears of the end', async () => {
    await session('open', days(5))
    await session('ended', days(5), days(-3))
    await grant('told', days(-10), 'open')
    await grant('untold', days(-10), 'ended')
    await run()
    const left = await db.tokenGrant.findMany({ where: { expiresAt: { lt: NOW } } })
    expect(left.map(({ id }) => id)).toEqual(['told'])
    await db.session.deleteMany()
  })

  test('sessions stay while their devices are remembered, and the last one for good', async () => {
    await session('first', days(-300))
    await session('last', days(-200))
    await run()
    expect((await db.session.findMany()).map(({ id }) => id)).toEqual(['last'])
    await session('new', days(-1))
    await run()
    expect((await db.session.findMany()).map(({ id }) => id)).toEqual(['new'])
  })

  test('a revoked id stays until no clock believes its token, a count until its window is over', async () => {
    const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)
    for (const [id, expiresAt] of [
      ['over', minutes(-61)],
      ['within the skew', minutes(-1)],
      ['lives', minutes(1)],
    ] as const) {
      await db.revokedToken.create({ data: { jti: id, expiresAt } })
      await db.usedAssertion.create({ data: { clientId: 'c', jti: id, expiresAt } })
      await db.rateCounter.create({ data: { key: id, count: 3, expiresAt } })
      const record = { caller: 'c', key: id, requestHash: 'h', createdAt: NOW }
      await db.idempotencyRecord.create({ data: { ...record, expiresAt } })
    }
    expect(await run()).toBe(4)
    expect(await db.revokedToken.count({ where: { jti: 'over' } })).toBe(0)
    expect(await db.usedAssertion.count({ where: { jti: 'over' } })).toBe(0)
    expect(await db.rateCounter.count({ where: { key: 'over' } })).toBe(0)
    expect(await db.idempotencyRecord.count({ where: { key: 'over' } })).toBe(0)
  })

  test('links, interactions, devices, enrolments and deliveries go, those in use stay', async () => {
    for (const [id, at] of [
      ['over', days(-40)],
      ['lives', days(1)],
    ] as const) {
      const link = { tokenHash: id, purpose: 'reset', createdAt: NOW, expiresAt: at }
      await db.oneTimeLink.create({ data: link })
      const asked = { browserHash: 'b', clientId: 'app', ask: {}, progress: {}, createdAt: NOW }
      await db.interaction.create({ data: { id, ...asked, expiresAt: at } })
      const device = { tokenHash: id, userId, userAgent: 'x', createdAt: NOW, expiresAt: at }
      await db.trustedDevice.create({ data: device })
      const totp = { id, userId, name: 'x', secretEncrypted: 'x', createdAt: at }
      await db.totpCredential.create({ data: totp })
      const message = { id, kind: 'mail', payloadEncrypted: 'x', createdAt: at, nextAttemptAt: at }
      await db.outboxMessage.create({ data: { ...message, deliveredAt: at } })
    }
    const old = { userId, name: 'x', secretEncrypted: 'x', createdAt: days(-40) }
    await db.totpCredential.create({ data: { ...old, id: 'confirmed', confirmedAt: days(-40) } })
    const waits = { kind: 'mail', payloadEncrypted: 'x', createdAt: days(-40) }
    await db.outboxMessage.create({ data: { ...waits, id: 'waits', nextAttemptAt: days(-40) } })
    expect(await run()).toBe(5)
    expect(await db.outboxMessage.count()).toBe(2)
    expect(await db.totpCredential.count()).toBe(2)
  })

  test('in pieces, however much there is; several at once do not meet', async () => {
    const rows = Array.from({ length: 1_600 }, (_, index) => ({
      jti: `many ${index}`,
      expiresAt: days(-1),
    }))
    await db.revokedToken.createMany({ data: rows })
    const removed = await Promise.all([run(), run(), run()])
    expect(removed.reduce((sum, count) => sum + count)).toBe(1_600)
    expect(await db.revokedToken.count({ where: { jti: { startsWith: 'many' } } })).toBe(0)
  })

  test('the audit log stays', async () => {
    const event = { event: 'x', result: 'success', actorKind: 'system', actorId: null, detail: {} }
    await db.$transaction((tx) => appendAudit(tx, [{ ...event, at: days(-4_000) } as never]))
    await run()
    expect(await db.auditEntry.count()).toBe(1)
  })
})
