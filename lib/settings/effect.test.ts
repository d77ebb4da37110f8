import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, usually } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { isConfirmed } from '../accounts/confirm'
import { startSession } from '../accounts/new-session'
import { passwordOwner, passwordProblem, shortestAlone } from '../accounts/passwords'
import { heldSessions } from '../accounts/session-cookie'
import { operator, type Thing } from '../api/configuration/operator'
import { changeSettings } from '../api/settings/routes'
import { HOUR_MS, MINUTE_MS } from '../base/time'
import { createOp, type OpenOp } from '../op'
import { createUser } from '../store/accounts/users'
import { migrate } from '../store/operations/migrations'
import { readConfig } from './config'

describe.each(usually('sqlite'))('settings have effect on %s', (kind) => {
  let portal: OpenOp
  let elsewhere: OpenOp
  let at = Date.now()
  const now = () => new Date(at)

  beforeAll(async () => {
    const DATABASE_URL = await freshDatabase[kind]()
    await migrate(DATABASE_URL)
    const env = { DATABASE_URL, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    portal = await createOp(readConfig(env), now)
    elsewhere = await createOp(readConfig(env), now)
  })

  afterAll(async () => {
    await portal.close()
    await elsewhere.close()
  })

  const set = (security: Thing) =>
    operator(portal).send('settings', changeSettings, { body: { security } })

  async function signedIn() {
    const email = `${crypto.randomUUID()}@example.org`
    const person = {
      name: 'Ann',
      email,
      emailVerified: true,
      adminRole: null,
      passwordHash: 'none',
    }
    const userId = await portal.write((tx) => createUser(tx, person, portal.now()))
    const login = { userId, acr: 'pwd', amr: ['pwd'], ip: null, userAgent: 'test' }
    const started = await portal.write((tx) => startSession(portal, tx, login))
    const cookie = await heldSessions(portal, { active: started.secret, others: [] }, 60)
    const [pair = ''] = cookie.split(';')
    const request = () => ({
      headers: { get: (name: string) => (name === 'cookie' ? pair : null) },
    })
    return { ...started, find: () => portal.sessionOf(request()) }
  }

  test('a password is as long as they say, and no less than before without them', async () => {
    expect(await shortestAlone(portal)).toBe(15)
    await set({ passwordLength: 20, passwordLengthWithFactor: 12 })
    const { userId } = await signedIn()
    const owner = await passwordOwner(portal, userId)
    expect(owner.shortest).toBe(20)
    expect(await passwordProblem('sunken harbor 1742', owner)).toBe('password_short')
    expect(await passwordProblem('sunken harbor 1742 owl', owner)).toBeNull()
  })

  test('a session ends when it was unused for so long, or is so old; also one from before', async () => {
    const session = await signedIn()
    expect(session.expiresAt.getTime() - at).toBe(30 * 24 * HOUR_MS)
    at += 20 * MINUTE_MS
    expect(await session.find()).not.toBeNull()
    await set({ sessionIdleMinutes: 10, sessionHours: 1 })
    at += 9 * MINUTE_MS
    expect(await session.find()).not.toBeNull()
    at += 11 * MINUTE_MS
    expect(await session.find()).toBeNull()
    const next = await signedIn()
    expect(next.expiresAt.getTime() - at).toBe(HOUR_MS)
    for (let step = 0; step < 7; step += 1) {
      at += 8 * MINUTE_MS
      expect(await next.find()).not.toBeNull()
    }
    at += 8 * MINUTE_MS
    expect(await next.find()).toBeNull()
  })

  test('“confirm it’s you” is remembered for as long as they say', async () => {
    const session = await (await signedIn()).find()
    if (!session) throw new Error('no session')
    const confirmed = { ...session, confirmedAt: now() }
    await set({ confirmMinutes: 2 })
    const { confirmMinutes } = (await portal.settings.current()).security
    expect(isConfirmed(confirmed, new Date(at + MINUTE_MS), confirmMinutes)).toBe(true)
    expect(isConfirmed(confirmed, new Date(at + 3 * MINUTE_MS), confirmMinutes)).toBe(false)
  })

  test('N11: another instance knows within a second', async () => {
    await elsewhere.settings.current()
    await set({ confirmMinutes: 7 })
    expect((await portal.settings.current()).security.confirmMinutes).toBe(7)
    await expect
      .poll(async () => (await elsewhere.settings.current()).security.confirmMinutes, {
        timeout: 1_200,
        interval: 100,
      })
      .toBe(7)
  })
})
