import { describe, expect, test } from 'vitest'
import { KINDS } from '../../../e2e/support/databases'
import {
  createTestApplication,
  db,
  ENCRYPTION_KEY,
  EVENT,
  later,
  NOW,
  SOMEBODY,
  startStore,
  url,
} from '../../../e2e/support/store'
import { newKey } from '../../crypto/keys'
import { consumeLink, linkStore } from '../accounts/links'
import { createSession, endSession, sessionStore } from '../accounts/sessions'
import { createUser, userStore } from '../accounts/users'
import { appendAudit, type DatedEvent, hashOf } from '../audit/audit'
import { auditBatch } from '../audit/batch'
import { counterStore } from '../database/counters'
import { type Database, openDatabase, sqlOf } from '../database/database'
import type { SqlClient } from '../database/sql'
import { hasSetting, setOnce } from '../delivery/settings'
import { consentStore, saveConsent } from './consents'
import { keyIn, signingKeyStore, THE_SYSTEM } from './signing-keys'
import { revokedTokenStore } from './used-ids'

test('N21: an entry is hashed as it always was', () => {
  const who = { actorKind: 'user', actorId: 'usr_1', applicationId: 'app_1', ip: '192.0.2.7' }
  const rest = { targetKind: null, targetId: null, requestId: 'req_1', decisionId: null }
  const what = {
    event: 'test.happened',
    result: 'success',
    detail: { b: [1, { d: null }], a: 'x' },
  }
  const entry = { seq: 7n, id: 'aud_1', at: NOW, ...who, ...rest, ...what, previousHash: 'before' }
  expect(hashOf(entry)).toBe('WaD34-eRQ05X8IspiqG2qkQqDP7lvCdrGOThJmFbn8s')
})

describe.each(KINDS)('the store on %s', (kind) => {
  startStore(kind)

  const person = (email: string) => ({
    name: 'Test Person',
    email,
    emailVerified: true,
    adminRole: null,
    passwordHash: 'hash',
  })

  function appendingTo(sql: Pick<SqlClient, 'audited'>) {
    return (batch: DatedEvent[]) => sql.audited({ steps: [], events: batch })
  }

  describe('users', () => {
    test('are found by the folded form of their address', async () => {
      await db.$transaction((tx) => createUser(tx, person('Ann@Example.com'), NOW))
      const found = await userStore(db).findWithPassword(' ANN@example.COM')
      expect(found).toMatchObject({
        hash: 'hash',
        user: { email: 'Ann@Example.com', enabled: true },
      })
    })

    test('M11: an identifier with a NUL or another control character is nobody', async () => {
      for (const identifier of ['a\0@example.com', 'a\0', 'a\u0007']) {
        expect(await userStore(db).findWithPassword(identifier)).toBeNull()
      }
    })

    test('cannot share an address that differs only in case', async () => {
      await db.$transaction((tx) => createUser(tx, person('one@example.com'), NOW))
      const again = db.$transaction((tx) => createUser(tx, person('ONE@example.com'), NOW))
      await expect(again).rejects.toThrow()
      expect(await db.user.count({ where: { emailKey: 'one@example.com' } })).toBe(1)
    })
  })

  describe('sessions', () => {
    const session = (userId: string, name: string) => ({
      id: `ses_${name}`,
      secretHash: `hash_${name}`,
      userId,
      acr: 'pwd',
      amr: ['pwd'],
      provenAt: NOW,
      factorAt: null,
      factorsProvenAt: null,
      ip: '127.0.0.1',
      userAgent: 'test',
      newDevice: false,
      now: NOW,
      idleExpiresAt: later(1_000),
      expiresAt: later(5_000),
    })

    async function begin(name: string): Promise<string> {
      return db.$transaction(async (tx) => {
        const userId = await createUser(tx, person(`${name}@example.com`), NOW)
        await createSession(tx, session(userId, name))
        return userId
      })
    }

    test('are found until their idle and their absolute limit', async () => {
      await begin('limits')
      const sessions = sessionStore(db)
      expect(await sessions.find('hash_limits', later(999))).toMatchObject({ id: 'ses_limits' })
      expect(await sessions.find('hash_limits', later(1_000))).toBeNull()
      await db.session.update({
        where: { id: 'ses_limits' },
        data: { idleExpiresAt: later(9_000) },
      })
      expect(await sessions.find('hash_limits', later(4_999))).not.toBeNull()
      expect(await sessions.find('hash_limits', later(5_000))).toBeNull()
    })

    test('are nobody once ended, or once their user is disabled', async () => {
      const userId = await begin('ended')
      const sessions = sessionStore(db)
      await db.user.update({ where: { id: userId }, data: { disabledAt: NOW } })
      expect(await sessions.find('hash_ended', NOW)).toBeNull()
      await db.user.update({ where: { id: userId }, data: { disabledAt: null } })
      expect(await sessions.find('hash_ended', NOW)).not.toBeNull()
      expect(await db.$transaction((tx) => endSession(tx, 'ses_ended', NOW))).toBe(true)
      expect(await db.$transaction((tx) => endSession(tx, 'ses_ended', NOW))).toBe(false)
      expect(await sessions.find('hash_ended', NOW)).toBeNull()
    })
  })

  describe('one-time links', () => {
    test('are spent by exactly one of 50 parallel callers', async () => {
      const link = {
        tokenHash: 'once',
        purpose: 'setup',
        createdAt: NOW,
        expiresAt: later(1),
      } as const
      await linkStore(db).save(link)
      const tries = Array.from({ length: 50 }, () =>
        db.$transaction((tx) => consumeLink(tx, 'once', 'setup', NOW)),
      )
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
    })

    test('are closed once expired or used', async () => {
      const link = {
        tokenHash: 'late',
        purpose: 'setup',
        createdAt: NOW,
        expiresAt: later(10),
      } as const
      await linkStore(db).save(link)
      expect(await linkStore(db).isOpen('late', 'setup', later(9))).toBe(true)
      expect(await linkStore(db).isOpen('late', 'setup', later(10))).toBe(false)
      expect(await db.$transaction((tx) => consumeLink(tx, 'late', 'setup', later(10)))).toBe(false)
    })
  })

  describe('revoked tokens', () => {
    test('revoked by many at the same instant are revoked, and nobody fails', async () => {
      const { add, has } = revokedTokenStore(db)
      for (const jti of Array.from({ length: 20 }, (_, at) => `dec_${at}`)) {
        await Promise.all(Array.from({ length: 16 }, () => add(jti, later(1))))
        expect(await has(jti)).toBe(true)
      }
      expect(await has('dec_never')).toBe(false)
    })
  })

  describe('counters', () => {
    test('give 100 parallel callers the numbers 1 to 100', async () => {
      const counters = counterStore(db)
      const hits = await Promise.all(
        Array.from({ length: 100 }, () => counters.hit('parallel', NOW, 60_000)),
      )
      const counts = hits.map(({ count }) => count).sort((a, b) => a - b)
      expect(counts).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    })

    test('take back one hit', async () => {
      const counters = counterStore(db)
      await counters.hit('innocent', NOW, 1_000)
      await counters.takeBack('innocent')
      await counters.takeBack('innocent')
      expect((await counters.hit('innocent', NOW, 1_000)).count).toBe(1)
    })

    test('start again when their window has passed', async () => {
      const counters = counterStore(db)
      await counters.hit('window', NOW, 1_000)
      expect(await counters.hit('window', later(999), 1_000)).toEqual({
        count: 2,
        resetsAt: later(1_000),
      })
      expect(await counters.hit('window', later(1_000), 1_000)).toEqual({
        count: 1,
        resetsAt: later(2_000),
      })
    })
  })

  describe('signing keys', () => {
    test('H16: of several first keys of an algorithm exactly one is kept', async () => {
      const store = signingKeyStore(db)
      const keys = await Promise.all(
        Array.from({ length: 8 }, () => newKey(ENCRYPTION_KEY, 'ES256', NOW)),
      )
      const saved = await Promise.all(keys.map((key) => store.saveFirst(key, NOW)))
      expect(saved.filter(Boolean)).toHaveLength(1)
      const [kept, ...others] = await store.list()
      expect(others).toEqual([])
      const days = { createdAt: NOW, retiredAt: null, removedAt: null }
      expect(kept).toEqual({ ...keys[saved.indexOf(true)], ...days })
    })

    test('H18: the same kid twice is refused', async () => {
      const store = signingKeyStore(db)
      const [kept] = await store.list()
      if (!kept) throw new Error('there is no key')
      expect(await store.stage(kept, NOW, THE_SYSTEM)).toBe(false)
      expect(await store.list()).toEqual([kept])
    })
  })

  describe('a key’s life', () => {
    test('staged once, promoted once by parallel callers; the old one retires and is removed', async () => {
      const store = signingKeyStore(db)
      const make = () => newKey(ENCRYPTION_KEY, 'ES256', later(100))
      const staging = await Promise.all(
        (await Promise.all([make(), make(), make()])).map((key) =>
          store.stage(key, NOW, THE_SYSTEM),
        ),
      )
      expect(staging.filter(Boolean)).toHaveLength(1)
      const staged = keyIn(await store.list(), 'ES256', 'staged')
      const before = keyIn(await store.list(), 'ES256', 'active')
      if (!staged || !before) throw new Error('nothing staged')
      const promoted = await Promise.all([
        store.promote(staged, NOW, THE_SYSTEM),
        store.promote(staged, NOW, THE_SYSTEM),
      ])
      expect(promoted.filter(Boolean)).toHaveLength(1)
      const after = await store.list()
      expect(keyIn(after, 'ES256', 'active')?.kid).toBe(staged.kid)
      expect(keyIn(after, 'ES256', 'retiring')?.kid).toBe(before.kid)
      await store.removeRetiredBefore(NOW, NOW)
      expect(await store.list()).toHaveLength(2)
      await store.removeRetiredBefore(later(1), NOW)
      expect((await store.list()).map(({ kid }) => kid)).toEqual([staged.kid])
    })

    test('revoked at once, and then there is room for a new one', async () => {
      const store = signingKeyStore(db)
      const [active] = await store.list()
      expect(await store.revoke(active?.kid ?? '', NOW, SOMEBODY)).toBe(true)
      const entry = await db.auditEntry.findFirst({ where: { event: 'key.revoked' } })
      expect(entry).toMatchObject({ ...SOMEBODY, targetId: active?.kid })
      expect(await store.revoke('nobody', NOW, THE_SYSTEM)).toBe(false)
      expect(await store.saveFirst(await newKey(ENCRYPTION_KEY, 'ES256', NOW), NOW)).toBe(true)
    })
  })

  describe('settings', () => {
    test('a flag is set once, and the others are told', async () => {
      const set = () => db.$transaction((tx) => setOnce(tx, 'demo_loaded', NOW))
      const results = await Promise.all([set(), set(), set()])
      expect(results.filter((first) => first)).toHaveLength(1)
      expect(await hasSetting(db, 'demo_loaded')).toBe(true)
    })
  })

  describe('the audit log', () => {
    test('is one unbroken chain, also under parallel writers', async () => {
      const many = (times: number) => Array.from({ length: times }, () => ({ ...EVENT, at: NOW }))
      const append = (times: number) => db.$transaction((tx) => appendAudit(tx, many(times)))
      const other = await openDatabase(url)
      const together = (one: Database, times: number) =>
        sqlOf(one).audited({ steps: [], events: many(times) })
      await Promise.all([
        ...[append(3), together(db, 4), append(1), together(other, 1), together(db, 2)],
        ...[append(5), together(other, 3), together(db, 1), append(2)],
      ])
      await other.$disconnect()
      const rows = await db.auditEntry.findMany({ orderBy: { seq: 'asc' } })
      expect(rows.map((row) => Number(row.seq))).toEqual(rows.map((_, index) => index + 1))
      let previous = ''
      for (const { hash, ...row } of rows) {
        expect(row.previousHash).toBe(previous)
        expect(hashOf({ ...row, detail: row.detail as Record<string, string> })).toBe(hash)
        previous = hash
      }
    })

    test('refuses changes and deletions, whoever asks', async () => {
      await db.$transaction((tx) => appendAudit(tx, [{ ...EVENT, at: NOW }]))
      const before = await db.auditEntry.count()
      await expect(db.auditEntry.updateMany({ data: { event: 'x' } })).rejects.toThrow()
      await expect(db.auditEntry.deleteMany()).rejects.toThrow()
      expect(await db.auditEntry.count()).toBe(before)
    })

    test('writes batched entries on flush, and by itself within 250 ms', async () => {
      const batch = auditBatch(appendingTo(sqlOf(db)), (error) => {
        throw error
      })
      const before = await db.auditEntry.count()
      for (let i = 0; i < 1_200; i += 1) batch.add({ ...EVENT, at: NOW })
      await batch.flush()
      expect(await db.auditEntry.count()).toBe(before + 1_200)
      batch.add({ ...EVENT, at: NOW })
      await expect.poll(() => db.auditEntry.count()).toBe(before + 1_201)
    })

    test('what comes while a batch is written waits for the next one, however busy it is', async () => {
      const sql = sqlOf(db)
      let written = 0
      const busy: Pick<SqlClient, 'audited'> = {
        audited(write) {
          written += 1
          if (written <= 3) batch.add({ ...EVENT, at: NOW })
          return sql.audited(write)
        },
      }
      const batch = auditBatch(appendingTo(busy), (error) => {
        throw error
      })
      const before = await db.auditEntry.count()
      batch.add({ ...EVENT, at: NOW })
      await batch.flush()
      expect(written).toBe(1)
      await expect.poll(() => db.auditEntry.count()).toBe(before + 4)
      expect(written).toBe(4)
    })
  })

  describe('consents', () => {
    test('answered in several windows at once are all taken, the last one stands', async () => {
      const stamps = { createdAt: NOW, updatedAt: NOW }
      await db.user.create({ data: { id: 'usr_c', profile: {}, attributes: {}, ...stamps } })
      await createTestApplication(db, 'app_c')
      const answer = (granted: string[], refused: string[]) =>
        db.$transaction((tx) =>
          saveConsent(tx, {
            interactionId: 'int_none',
            userId: 'usr_c',
            applicationId: 'app_c',
            granted,
            refused,
            now: NOW,
          }),
        )
      await Promise.all(Array.from({ length: 10 }, () => answer(['b', 'a'], ['c'])))
      await answer(['a'], ['b'])
      expect(await consentStore(db).find('usr_c', 'app_c')).toEqual(
        new Map([
          ['a', true],
          ['b', false],
          ['c', false],
        ]),
      )
    })
  })
})
