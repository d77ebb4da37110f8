import { describe, expect, test } from 'vitest'
import type { KeyState, StoredKey } from './crypto/keys'
import { dueMove } from './key-ring'

const NOW = new Date('2026-11-15T12:00:00Z')
const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000)

function key(state: KeyState, activatesAt: Date): StoredKey {
  return { kid: `${state}-key`, alg: 'ES256', state, activatesAt, publicJwk: {}, privateSealed: '' }
}

describe('H14: the schedule', () => {
  test.each<[string, StoredKey[], string | undefined]>([
    ['makes the first key', [], 'make'],
    ['leaves a young key alone', [key('active', days(-89))], undefined],
    [
      'publishes the next key when the active one is 90 days old',
      [key('active', days(-91))],
      'stage',
    ],
    ['waits while it is published', [key('active', days(-91)), key('staged', days(1))], undefined],
    [
      'promotes it when its time has come',
      [key('active', days(-91)), key('staged', NOW)],
      'promote',
    ],
    [
      'promotes it at once when the active one was revoked',
      [key('revoked', days(-1)), key('staged', days(1))],
      'promote',
    ],
    [
      'makes one when the active one was revoked and none is staged',
      [key('revoked', days(-1))],
      'make',
    ],
    ['ignores other algorithms', [{ ...key('active', days(-1)), alg: 'RS256' }], 'make'],
  ])('%s', (_what, keys, expected) => {
    expect(dueMove(keys, 'ES256', NOW)?.do).toBe(expected)
  })
})
