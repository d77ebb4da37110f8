import { describe, expect, test } from 'vitest'
import type { CounterStore } from '../store/database/counters'
import { guessLimit } from './guesses'
import { neighbourhoodOf, networkOf } from './network'

describe('M4: a limit by address means', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s -> %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })
})

describe('a caller that comes again is in the same neighbourhood', () => {
  test.each([
    ['192.0.2.7', '192.0.2.0/24'],
    ['192.0.20.7', '192.0.20.0/24'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
    ['127.0.0.1', 'loopback'],
    ['127.8.9.1', 'loopback'],
    ['::1', 'loopback'],
  ])('%s -> %s', (ip, neighbourhood) => {
    expect(neighbourhoodOf(ip)).toBe(neighbourhood)
  })
})

describe('D23: wrong guesses', () => {
  test('are counted before the database has answered, and go on where it is away', async () => {
    let time = 0
    const away = { hit: () => new Promise<never>(() => {}) }
    const limit = guessLimit(away, 'secret', 3, () => new Date(time))
    for (const expected of [0, 0, 900]) {
      limit.failed('a')
      expect(limit.wait(() => 'a')).toBe(expected)
    }
    time = 900_000
    expect(limit.wait(() => 'a')).toBe(0)
    limit.failed('a')
    expect(limit.wait(() => 'a')).toBe(0)
  })

  test('that only count here ask no database', async () => {
    const none = { hit: () => Promise.reject(new Error('asked')) }
    const limit = guessLimit(none, 'secret', 1, () => new Date(0))
    await limit.failed('a', true)
    expect(limit.wait(() => 'a')).toBe(900)
  })

  test('after so many the key is barred until its window ends, and no other key', async () => {
    let time = 0
    const counts = new Map<string, number>()
    const counters: Pick<CounterStore, 'hit'> = {
      async hit(key) {
        counts.set(key, (counts.get(key) ?? 0) + 1)
        return { count: counts.get(key) ?? 0, resetsAt: new Date(60_000) }
      },
    }
    const limit = guessLimit(counters, 'secret', 3, () => new Date(time))
    for (const expected of [0, 0, 60]) {
      await limit.failed('a')
      expect(limit.wait(() => 'a')).toBe(expected)
    }
    expect(limit.wait(() => 'b')).toBe(0)
    time = 60_000
    expect(limit.wait(() => 'a')).toBe(0)
  })
})
