import { describe, expect, test } from 'vitest'
import type { CounterStore } from '../store/counters'
import { guessLimit } from './guesses'
import { networkOf } from './network'

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
