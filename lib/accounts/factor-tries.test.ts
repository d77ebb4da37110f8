import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { DAY_MS, MINUTE_MS } from '../base/time'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'
import { createUser } from '../store/accounts/users'
import { migrate } from '../store/operations/migrations'
import { tryFactor } from './factor-tries'

const HERE = { ip: '192.0.2.7', userAgent: 'a browser', locale: 'en' } as const

describe.each(KINDS)('Q10: wrong second factors on %s', (kind) => {
  let portal: OpenOp
  let time = Date.now()

  beforeAll(async () => {
    const url = await freshDatabase[kind]()
    await migrate(url)
    const env = { DATABASE_URL: url, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    portal = await createOp(readConfig(env), () => new Date(time))
  })
  afterAll(() => portal.close())

  async function newPerson(): Promise<string> {
    const email = `${crypto.randomUUID()}@example.org`
    const person = { name: 'Ann', email, emailVerified: true, adminRole: null, passwordHash: 'x' }
    return portal.write((tx) => createUser(tx, person, portal.now()))
  }

  /** Seconds to wait; 0: it was looked at, and was wrong. */
  async function wrong(userId: string): Promise<number> {
    const attempt = await tryFactor(portal, userId, 'totp', HERE)
    if (!attempt.ok) return attempt.retryAfterSeconds
    await attempt.wrong()
    return 0
  }

  const letters = () => portal.db.outboxMessage.count({ where: { kind: 'mail' } })

  test('each lock is twice as long as the last, up to a day, and it is remembered for a month', async () => {
    const ann = await newPerson()
    const minutes = []
    for (let lock = 0; lock < 13; lock += 1) {
      for (let free = 0; free < 5; free += 1) expect(await wrong(ann)).toBe(0)
      const seconds = await wrong(ann)
      minutes.push(seconds / 60)
      time += seconds * 1000 - 1
      expect(await wrong(ann)).toBeGreaterThan(0)
      time += 1
    }
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440])
    time += 31 * DAY_MS
    for (let free = 0; free < 5; free += 1) await wrong(ann)
    expect(await wrong(ann)).toBe(60)
  })

  test('taking one’s time does not help: four every quarter of an hour are locked too', async () => {
    const ann = await newPerson()
    let looked = 0
    for (const end = time + 30 * DAY_MS; time < end; ) {
      const seconds = await wrong(ann)
      looked += seconds === 0 ? 1 : 0
      time += seconds === 0 ? 4 * MINUTE_MS : seconds * 1000
    }
    // Of a million codes three are good at a time: less than one in a thousand a month.
    expect(looked).toBeLessThan(300)
  })

  test('of twenty at the same moment five are looked at, and one letter is written a day', async () => {
    const ann = await newPerson()
    const before = await letters()
    const all = await Promise.all(Array.from({ length: 20 }, () => wrong(ann)))
    expect(all.filter((seconds) => seconds === 0)).toHaveLength(5)
    expect(await letters()).toBe(before + 1)
    time += 2 * MINUTE_MS
    for (let free = 0; free < 5; free += 1) await wrong(ann)
    expect(await letters()).toBe(before + 1)
    time += DAY_MS
    for (let free = 0; free < 5; free += 1) await wrong(ann)
    expect(await letters()).toBe(before + 2)
  })

  test('a right one takes itself back, and what is wrong stays counted', async () => {
    const ann = await newPerson()
    for (let i = 0; i < 4; i += 1) await wrong(ann)
    for (let i = 0; i < 10; i += 1) {
      const attempt = await tryFactor(portal, ann, 'totp', HERE)
      if (!attempt.ok) throw new Error('locked')
      await attempt.right()
    }
    expect(await wrong(ann)).toBe(0)
    expect(await wrong(ann)).toBe(60)
  })
})
