import { describe, expect, test } from 'vitest'
import { grant, NOW, policy, role } from '../../../e2e/support/policy'
import { DAY_MS } from '../../base/time'
import type { Thing } from '../../store/reviews/things'
import { factsOf } from './facts'

const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

const clerk = role('clerk', [grant('orders:refund')], [role('reader', [grant('orders:read')])])

const THING: Thing = {
  kind: 'grant',
  targetId: 'grn',
  targetVersion: 1,
  applicationId: 'app',
  subject: { type: 'application', id: 'app' },
  gives: 'orders:*',
  terms: {
    instance: null,
    condition: null,
    validFrom: null,
    validUntil: null,
    exchangeFrom: null,
    requestId: null,
  },
  since: daysAgo(200),
  endsAt: null,
  givenBy: null,
}

type Use = { uses?: Record<string, number>; known?: number; days?: number; cut?: boolean }

function facts(more: Partial<Thing>, { uses = {}, known = 90, days = 90, cut = false }: Use = {}) {
  const seen = new Map(Object.entries(uses).map(([scope, ago]) => [scope, daysAgo(ago)]))
  const watched = { uses: seen, knownSince: daysAgo(known), cut }
  return factsOf(policy({}), { ...THING, ...more }, watched, { now: NOW, days })
}

const ALL = { 'orders:read': 1, 'orders:write': 2, 'orders:mine': 3, 'orders:refund': 4 }

describe('what the use of access suggests', () => {
  test.each([
    ['a pattern that was used in part', {}, { uses: { 'orders:read': 3 } }, 'narrow', 'partly'],
    ['a pattern that was used whole', {}, { uses: ALL }, 'keep', 'used'],
    ['one permission', { gives: 'orders:read' }, { uses: { 'orders:read': 3 } }, 'keep', 'used'],
    [
      'the use of something else',
      { gives: 'orders:read' },
      { uses: { 'orders:write': 1 } },
      'remove',
      'unused',
    ],
    ['nothing for long', {}, {}, 'remove', 'unused'],
    ['nothing since it was given last week', { since: daysAgo(7) }, {}, 'keep', 'recent'],
    ['nothing in a log of three days', {}, { known: 3 }, 'keep', 'recent'],
    ['nothing for as long as was asked', {}, { known: 3, days: 2 }, 'remove', 'unused'],
    [
      'a role whose parent gives it',
      { kind: 'assignment', gives: clerk.id },
      { uses: { 'orders:read': 1 } },
      'keep',
      'used',
    ],
    [
      'a role that gives something else',
      { kind: 'assignment', gives: clerk.id },
      { uses: { 'orders:write': 1 } },
      'remove',
      'unused',
    ],
    [
      'a role that is gone',
      { kind: 'assignment', gives: 'rol' },
      { uses: ALL },
      'remove',
      'unused',
    ],
    [
      'nothing in the part of a long log that was read',
      {},
      { known: 3, cut: true },
      null,
      'unknown',
    ],
    [
      'a part, in the part of a long log that was read',
      {},
      { uses: { 'orders:read': 1 }, cut: true },
      'keep',
      'used',
    ],
  ] as [string, Partial<Thing>, Use, string | null, string][])(
    '%s',
    (_what, thing, use, suggestion, reason) => {
      expect(facts(thing, use)).toMatchObject({ suggestion, reason })
    },
  )

  test('the narrower permissions are those that were used, and the last use is the latest', () => {
    const uses = { 'orders:write': 5, 'orders:read': 3, 'closed:read': 1 }
    expect(facts({}, { uses })).toMatchObject({
      narrowTo: ['orders:read', 'orders:write'],
      lastUsedAt: daysAgo(3),
      useKnownSince: daysAgo(90),
      used: ['orders:read', 'orders:write'],
    })
  })

  test('what an access request gave is not narrowed', () => {
    const terms = { ...THING.terms, requestId: 'arq' }
    expect(facts({ terms }, { uses: { 'orders:read': 3 } })).toMatchObject({ suggestion: 'keep' })
  })
})
