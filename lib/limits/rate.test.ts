import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import { type CounterStore, counterStore } from '../store/database/counters'
import { type Database, openDatabase } from '../store/database/database'
import { BURST_SECONDS, type RateLimit, rateLimit } from './rate'
import { type Share, sharedCounts } from './shared-counts'

/** Attack G8: so many a minute, whoever is asked. */

describe.each(KINDS)('instances that share their counts through %s', (kind) => {
  let db: Database
  let counters: CounterStore
  let millis = 0
  let told = 0
  let names = 0

  beforeAll(async () => {
    db = await openDatabase(await freshDatabase[kind]())
    counters = counterStore(db)
  })

  afterAll(() => db.$disconnect())

  /** So many instances of one limit that nobody has used yet. */
  function instances(count: number, perMinute: number): RateLimit[] {
    names += 1
    const now = () => new Date(1_800_000_000_000 + millis)
    const share = sharedCounts(counters, `test ${names}`, BURST_SECONDS * 1000, now)
    const counted: Share = (taken) => {
      told += 1
      return share(taken)
    }
    return Array.from({ length: count }, () =>
      rateLimit(
        () => perMinute,
        counted,
        () => millis,
      ),
    )
  }

  const throughAll = async (limits: RateLimit[], times: number) => {
    const waits = Array.from({ length: times }, () => limits.map((limit) => limit.take('a'))).flat()
    return (await Promise.all(waits)).filter((wait) => wait === 0).length
  }

  test('one alone: a burst of ten seconds, then one by one; other keys are not concerned', async () => {
    const [limit] = instances(1, 60)
    const waits = []
    for (let i = 0; i < 11; i += 1) waits.push(await limit?.take('a'))
    expect(waits).toEqual([...Array(10).fill(0), 1])
    expect(await limit?.take('b')).toBe(0)
    millis += 1_000
    expect([await limit?.take('a'), await limit?.take('a')]).toEqual([0, 1])
  })

  test.each([2, 3, 5])(
    '%i together: one burst, and at most a batch more from each',
    async (count) => {
      const limits = instances(count, 1_200) // bursts of 200 in batches of 10
      const through = await throughAll(limits, 300)
      expect(through).toBeGreaterThanOrEqual(200)
      expect(through).toBeLessThanOrEqual(200 + count * 10)
    },
  )

  test('over a minute they let through what one would, and never owe it', async () => {
    const limits = instances(3, 1_200)
    let through = 0
    for (let second = 0; second < 60; second += 1) {
      through += await throughAll(limits, 30)
      millis += 1_000
    }
    expect(through).toBeGreaterThan(1_200)
    expect(through).toBeLessThanOrEqual(1_200 + 200 + 3 * 10)
  })

  test('one that comes late hears what others took just now; theirs within the limit leaves its own', async () => {
    const [busy, late] = instances(2, 1_200) as [RateLimit, RateLimit]
    expect(await throughAll([busy], 300)).toBe(200)
    expect(await throughAll([late], 300)).toBeLessThanOrEqual(10)
    const [steady, second] = instances(2, 1_200) as [RateLimit, RateLimit]
    for (let step = 0; step < 300; step += 1) {
      expect(await steady.take('a')).toBe(0)
      millis += 60
    }
    for (let step = 0; step < 20; step += 1) expect(await second.take('a')).toBe(0)
  })

  test('nothing is told for each request: a twentieth of a burst goes by first', async () => {
    const [limit] = instances(1, 6_000)
    told = 0
    for (let i = 0; i < 1_000; i += 1) await limit?.take('a')
    expect(told).toBeLessThanOrEqual(20)
  })

  test('a database that is away leaves each to itself', async () => {
    const broken = () => Promise.reject(new Error('away'))
    const limit = rateLimit(
      () => 60,
      broken,
      () => millis,
    )
    const waits = []
    for (let i = 0; i < 11; i += 1) waits.push(await limit.take('a'))
    expect(waits).toEqual([...Array(10).fill(0), 1])
  })

  test('another limit counts from the next request on', async () => {
    let perMinute = 6
    const limit = rateLimit(
      () => perMinute,
      async () => new Map(),
      () => millis,
    )
    for (const wait of [0, 10]) expect(await limit.take('a')).toBe(wait)
    perMinute = 60
    expect(await limit.take('a')).toBe(0)
    perMinute = 6
    for (const wait of [0, 10]) expect(await limit.take('a')).toBe(wait)
  })

  test('memory is bounded: the keys not heard of longest are forgotten', async () => {
    const [limit] = instances(1, 12)
    for (const wait of [0, 0, 5]) expect(await limit?.take('first')).toBe(wait)
    const alone = rateLimit(
      () => 12,
      async () => new Map(),
      () => millis,
    )
    for (const wait of [0, 0, 5]) expect(await alone.take('first')).toBe(wait)
    for (let i = 0; i < 20_001; i += 1) alone.take(`key ${i}`)
    expect(await alone.take('first')).toBe(0)
  })
})
