import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time'

test('one after the other for a key, also after a failure; other keys do not wait', async () => {
  const oneOf = oneAtATime()
  const seen: string[] = []
  const step = (name: string, ms: number) => async () => {
    seen.push(`${name} begins`)
    await sleep(ms)
    seen.push(`${name} ends`)
    if (name === 'a1') throw new Error('a1 fails')
    return name
  }
  const all = await Promise.allSettled([
    oneOf('a', step('a1', 20)),
    oneOf('a', step('a2', 0)),
    oneOf('b', step('b', 0)),
  ])
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  const ofA = seen.filter((line) => line.startsWith('a'))
  expect(ofA).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends'])
  expect(seen.indexOf('b ends')).toBeLessThan(seen.indexOf('a1 ends'))
})
