import { describe, expect, test } from 'vitest'
import type { KeyState, StoredKey } from '../crypto/keys'
import type { KeyRecord, SigningKeyStore } from '../store/tokens/signing-keys'
import { dueMove, keyRing, removalOf, scheduleOf } from './key-ring'

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

function record(state: KeyState, activatesAt: Date, more: Partial<KeyRecord> = {}): KeyRecord {
  const stamps = { createdAt: activatesAt, retiredAt: null, removedAt: null }
  return { ...key(state, activatesAt), ...stamps, ...more }
}

describe('what the schedule says of itself', () => {
  test('90 days after a key began to sign the next is published, and signs ten minutes later', () => {
    expect(scheduleOf([record('active', NOW)], 'ES256')).toEqual({
      alg: 'ES256',
      active: 'active-key',
      staged: null,
      stagesAt: days(90),
      activatesAt: new Date(days(90).getTime() + 600_000),
    })
  })

  test('a staged key says when it takes over', () => {
    const keys = [record('active', days(-90)), record('staged', days(1))]
    expect(scheduleOf(keys, 'ES256')).toMatchObject({ stagesAt: null, activatesAt: days(1) })
  })

  test('a retiring key goes when its last token is over', () => {
    const retiredAt = days(-1)
    const goes = new Date(retiredAt.getTime() + 25 * 3_600_000)
    expect(removalOf(record('retiring', days(-90), { retiredAt }))).toEqual(goes)
    expect(removalOf(record('active', days(-90)))).toBeNull()
  })
})

describe('H14: a retired key', () => {
  const kept = record('active', days(-1), { kid: 'kept' })
  const rs256 = record('active', days(-1), { kid: 'rs', alg: 'RS256' })

  async function publishedWith(retiredAt: Date): Promise<boolean> {
    let removed = false
    const gone = record('retiring', days(-91), { kid: 'gone', retiredAt })
    const store = {
      list: async () => (removed ? [kept, rs256] : [gone, kept, rs256]),
      removeRetiredBefore: async () => {
        removed = true
      },
    } as unknown as SigningKeyStore
    const keys = await keyRing(store, Buffer.alloc(32), () => NOW).list()
    return keys.some(({ kid }) => kid === 'gone')
  }

  test('is removed on its day, without waiting for the next rotation', async () => {
    expect(await publishedWith(days(-1))).toBe(true)
    expect(await publishedWith(days(-2))).toBe(false)
  })
})

test('first keys may take long to make, as long as the database answers each time', async () => {
  const saved: KeyRecord[] = []
  const store = {
    list: async () => [...saved],
    saveFirst: async (made: StoredKey) => {
      await new Promise((resolve) => setTimeout(resolve, 1_600)) // both: more than one answer may take
      saved.push({ ...record('active', NOW), ...made })
      return true
    },
    removeRetiredBefore: async () => {},
  } as unknown as SigningKeyStore
  const keys = await keyRing(store, Buffer.alloc(32), () => NOW).list()
  expect(keys.map(({ alg }) => alg)).toEqual(['ES256', 'RS256'])
})
