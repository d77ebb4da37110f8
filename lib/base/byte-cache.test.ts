import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteCache } from './byte-cache'

const entry = (bytes: number, ...dependsOn: string[]) => ({ bytes, dependsOn })
const always = () => true

describe('a cache with a limit in bytes', () => {
  test('forgets the oldest that was not used', () => {
    const cache = new ByteCache<ReturnType<typeof entry>>(30)
    for (const key of ['a', 'b', 'c']) cache.set(key, entry(10))
    cache.get('a')
    cache.set('d', entry(10))
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key))).toEqual(['a', 'c', 'd'])
  })

  test('drops whatever depends on a name, if it is old', () => {
    const cache = new ByteCache<ReturnType<typeof entry>>(100)
    cache.set('user one', entry(10, 'group g'))
    cache.set('user two', entry(20, 'group g'))
    cache.set('user three', entry(10, 'group h'))
    cache.drop('group g', ({ bytes }) => bytes === 10)
    expect(cache.get('user one')).toBeUndefined()
    expect(cache.get('user two')).toBeDefined()
    cache.drop('user three', always)
    expect(cache.get('user three')).toBeUndefined()
    expect(cache.bytes).toBe(20)
  })

  test('never holds more than its limit, whatever happens', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      bytes: fc.nat(60),
      group: fc.constantFrom('g', 'h'),
      what: fc.constantFrom('set', 'get', 'drop'),
    })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const cache = new ByteCache<ReturnType<typeof entry>>(100)
        for (const { key, bytes, group, what } of steps) {
          if (what === 'set') cache.set(key, entry(bytes, group))
          else if (what === 'get') cache.get(key)
          else cache.drop(group, always)
          expect(cache.bytes).toBeLessThanOrEqual(100)
        }
        for (const group of ['g', 'h']) cache.drop(group, always)
        expect([cache.bytes, cache.size]).toEqual([0, 0])
      }),
    )
  })
})
