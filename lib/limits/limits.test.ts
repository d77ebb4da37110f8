import { describe, expect, test } from 'vitest'
import type { CounterStore } from '../store/counters'
import { guessLimit } from './guesses'
import { networkOf } from './network'
import { rateLimit } from './rate'

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

describe('G8: so many a minute', () => {
  test('a burst of ten seconds, then one by one; other keys are not concerned', () => {
    let millis = 0
    const limit = rateLimit(
      () => 60,
      () => millis,
    )
    const waits = Array.from({ length: 11 }, () => limit.take('a'))
    expect(waits).toEqual([...Array(10).fill(0), 1])
    expect(limit.take('b')).toBe(0)
    millis = 1_000
    expect([limit.take('a'), limit.take('a')]).toEqual([0, 1])
  })

  test('memory is bounded: the keys not heard of longest are forgotten', () => {
    const limit = rateLimit(
      () => 6,
      () => 0,
    )
    limit.take('first')
    expect(limit.take('first')).toBeGreaterThan(0)
    for (let i = 0; i < 20_001; i += 1) limit.take(`key ${i}`)
    expect(limit.take('first')).toBe(0)
  })
})

describe('D23: wrong guesses', () => {
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
