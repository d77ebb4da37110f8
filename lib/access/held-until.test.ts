import { describe, expect, test } from 'vitest'
import { ask, assigned, grant, inOffice, NOW, role, type World } from '../../e2e/support/policy'
import { HOUR_MS } from '../base/time'
import type { Question } from './decide-scopes'
import { earliest, heldUntil } from './held-until'

const now = NOW.getTime()
const inOne = { validUntil: now + HOUR_MS }
const inTwo = { validUntil: now + 2 * HOUR_MS }

/** In hours from now; null if it has no end. */
function endOf(world: World, more: Partial<Question> = {}): number | null {
  const [decision] = ask(world, more)
  expect(decision?.granted).toBe(true)
  const end = heldUntil(decision?.rules ?? [], now)
  return end === null ? null : (end - now) / HOUR_MS
}

describe('a grant of a scope ends with what it rests on', () => {
  const deny = { effect: 'deny' } as const
  test.each<[string, World, number | null]>([
    ['nothing has an end', { application: [grant('orders:read')] }, null],
    ['the only grant has one', { application: [grant('orders:read', inOne)] }, 1],
    [
      'of two grants the longer one counts',
      { application: [grant('orders:read', inOne), grant('orders:*', inTwo)] },
      2,
    ],
    [
      'one without an end outlasts the other',
      { application: [grant('orders:read', inOne), grant('orders:*')] },
      null,
    ],
    [
      'one that begins later does not help yet',
      {
        application: [
          grant('orders:read', inOne),
          grant('orders:*', { validFrom: now + HOUR_MS / 2, ...inTwo }),
        ],
      },
      1,
    ],
    [
      'a role: the shorter of the assignment and the grant',
      { service: [assigned(role('short', [grant('orders:read', inTwo)]), inOne)] },
      1,
    ],
    [
      'a deny that begins later ends it',
      {
        application: [
          grant('orders:read', inTwo),
          grant('orders:*', { ...deny, validFrom: now + HOUR_MS }),
        ],
      },
      1,
    ],
    [
      'a role that denies and is assigned for later',
      {
        application: [grant('orders:read')],
        service: [assigned(role('no', [grant('orders:*', deny)]), { validFrom: now + HOUR_MS })],
      },
      1,
    ],
    [
      'a deny that is over changes nothing',
      {
        application: [
          grant('orders:read'),
          grant('orders:*', { ...deny, validFrom: now - 2 * HOUR_MS, validUntil: now - HOUR_MS }),
        ],
      },
      null,
    ],
    [
      'a deny with a condition depends on the request',
      {
        application: [
          grant('orders:read'),
          grant('orders:*', { ...deny, validFrom: now + HOUR_MS, condition: inOffice }),
        ],
      },
      null,
    ],
  ])('%s', (_what, world, hours) => {
    expect(endOf(world)).toBe(hours)
  })

  test('every rule must stay met: application, access key and user', () => {
    const application = [grant('orders:refund', inTwo)]
    const user = [assigned(role('refunder', [grant('orders:refund')]), inOne)]
    const asked = { scopes: ['orders:refund'], userId: 'usr' }
    expect(endOf({ application, user }, asked)).toBe(1)
    const accessKey = { id: 'ak', scopes: [] }
    const key = [grant('orders:read', inOne)]
    expect(endOf({ application: [grant('orders:read', inTwo)], key }, { accessKey })).toBe(1)
    const listed = { id: 'ak', scopes: ['orders:read'] }
    expect(endOf({ application: [grant('orders:read', inTwo)], key }, { accessKey: listed })).toBe(
      2,
    )
  })

  test('of several scopes the first end counts', () => {
    expect(earliest([null, 3, 2])).toBe(2)
    expect(earliest([null])).toBeNull()
    expect(earliest([])).toBeNull()
  })
})
