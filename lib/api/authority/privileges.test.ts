import { describe, expect, test } from 'vitest'
import { assigned, grant, item, NOW, orders, policy, role } from '../../../e2e/support/policy'
import { ALWAYS, type Privilege } from '../../access/authority'
import { grantSet, type Policy } from '../../access/policy'
import { PORTAL_SCOPE_NAMES } from '../../access/portal-api'
import { userCaller } from '../http/caller'
import {
  grantText,
  privilegesOfActingAs,
  privilegesOfAdminRole,
  privilegesOfGrants,
  privilegesOfOwning,
  privilegesOfOwnRole,
  writtenRow,
} from './privileges'

/** What a change gives to somebody, before anything is decided about it. */

const world = policy({
  items: [
    item('orders:read'),
    item('orders:refund', { needsRole: true }),
    item('orders:secret', { sensitive: true }),
  ],
})
const NONE: readonly never[] = []
const AT = NOW.getTime()

type Given = { pattern: string; effect?: string; at?: string | null } & Record<string, unknown>
const written = ({ pattern, effect = 'allow', at = null, ...more }: Given) => ({
  ...ALWAYS,
  pattern,
  effect,
  at,
  ...more,
})
const change = (before: Given[], after: Given[], within: Policy = world) =>
  scopesIn(privilegesOfGrants(within, before.map(written), after.map(written)))

/** `orders:read ordinary`, or without the word. */
function scopesIn(privileges: readonly Privilege[]): string[] {
  return privileges.flatMap((privilege) =>
    'grants' in privilege
      ? privilege.grants.map(({ scope, ordinary }) => (ordinary ? `${scope} ordinary` : scope))
      : [],
  )
}

describe('what a set of grants gives', () => {
  test('is what is new in it; what was there before, or goes, gives nothing', () => {
    const [read, refund] = [{ pattern: 'orders:read' }, { pattern: 'orders:refund' }]
    expect(change([], [read, refund])).toEqual(['orders:read ordinary', 'orders:refund'])
    expect(change([read], [refund, read])).toEqual(['orders:refund'])
    expect(change([read, refund], [])).toEqual([])
    expect(privilegesOfGrants(world, NONE, NONE)).toEqual([])
  })

  test('is ordinary only if it is one permission, not sensitive, without a role, without exchange', () => {
    expect(change([], [{ pattern: 'orders:secret' }])).toEqual(['orders:secret'])
    expect(change([], [{ pattern: 'orders:*' }])).toEqual(['orders:*'])
    expect(change([], [{ pattern: 'orders:read', exchangeFrom: 'app_2' }])).toEqual(['orders:read'])
  })

  test('is a whole API where a pattern names one, and nothing where nobody knows it', () => {
    const [privilege] = privilegesOfGrants(world, [], [written({ pattern: 'orders:*' })])
    expect(privilege).toMatchObject({ grants: [{ scope: 'orders:*', api: { id: orders.id } }] })
    expect(change([], [{ pattern: 'nothing:*' }, { pattern: 'nothing:read' }])).toEqual([])
  })

  test('is every scope of the portal that a pattern covers, each by itself', () => {
    const users = PORTAL_SCOPE_NAMES.filter((scope) => scope.startsWith('users:'))
    expect(change([], [{ pattern: 'users:*' }])).toEqual(users)
    const [privilege] = privilegesOfGrants(world, [], [written({ pattern: 'users:read' })])
    expect(privilege).toMatchObject({ grants: [{ scope: 'users:read', api: null }] })
  })

  test('Q3: is all of it again if only its end, its condition or its beginning goes', () => {
    const terms = [{ condition: 'auth.age < 300.0' }, { validFrom: AT }, { validUntil: AT }]
    for (const limits of terms) {
      const before = { pattern: 'orders:refund', ...limits }
      expect(change([before], [{ pattern: 'orders:refund' }])).toEqual(['orders:refund'])
    }
  })

  test('keeps its own terms and its place in the request', () => {
    const asked = { pattern: 'orders:read', at: '/grants/2', condition: 'true', validUntil: AT }
    const [privilege] = privilegesOfGrants(world, [], [written(asked)])
    expect(privilege).toMatchObject({
      grants: [{ at: '/grants/2', condition: 'true', validUntil: AT, validFrom: null }],
    })
  })
})

describe('a deny', () => {
  test('gives nothing when it comes, and what it held back when it goes', () => {
    const deny = { pattern: 'orders:refund', effect: 'deny' }
    expect(change([], [deny])).toEqual([])
    expect(change([deny], [])).toEqual(['orders:refund'])
    expect(change([deny], [deny])).toEqual([])
  })

  test('that ends earlier gives what it denied without any terms', () => {
    const deny = { pattern: 'orders:refund', effect: 'deny', condition: 'user.id == "x"' }
    const shorter = { ...deny, validUntil: AT }
    const [privilege] = privilegesOfGrants(world, [written(deny)], [written(shorter)])
    expect(privilege).toMatchObject({ grants: [{ scope: 'orders:refund', ...ALWAYS, at: null }] })
  })
})

test('two grants are one only if everything about them is the same', () => {
  const row = { pattern: 'orders:read', effect: 'allow', condition: null, givenBy: 'user:usr_1' }
  const dates = { validFrom: new Date(AT), validUntil: null }
  const text = grantText(writtenRow({ ...row, ...dates }))
  expect(grantText(writtenRow({ ...row, ...dates, exchangeFrom: null }))).toBe(text)
  for (const other of [
    { pattern: 'orders:*' },
    { effect: 'deny' },
    { condition: '' },
    { validFrom: new Date(AT + 1) },
    { validFrom: null },
    { validUntil: new Date(AT) },
    { exchangeFrom: '*' },
  ]) {
    expect(grantText(writtenRow({ ...row, ...dates, ...other }))).not.toBe(text)
  }
})

describe('whoever acts as an application', () => {
  const reader = role('acting-reader', [grant('orders:read')])
  const clerk = role('acting-clerk', [grant('orders:refund')], [reader])
  const actsAs = (within: Policy, more: { scopes?: readonly string[] | null } = {}) =>
    scopesIn(privilegesOfActingAs(within, { applicationId: 'app', ownerId: null, ...more }, NOW))
  const holding = (...grants: ReturnType<typeof grant>[]) => ({
    ...world,
    applications: new Map([['app', { grants: grantSet(grants), assignments: [] }]]),
  })

  test('gets what it holds now or later, on any condition, and not what is over', () => {
    const later = grant('orders:read', { validFrom: AT + 1 })
    const ended = grant('orders:secret', { validUntil: AT })
    const open = grant('orders:refund', { validUntil: AT + 1 })
    expect(actsAs(holding(later, ended, open)).sort()).toEqual([
      'orders:read ordinary',
      'orders:refund',
    ])
  })

  test('gets nothing from a deny, nor from an application that is not there', () => {
    expect(actsAs(holding(grant('orders:read', { effect: 'deny' })))).toEqual([])
    expect(actsAs({ ...world, applications: new Map() })).toEqual([])
  })

  test('gets what its roles and their parents give, while they are held', () => {
    const service = (...assignments: ReturnType<typeof assigned>[]) => ({
      ...world,
      applications: new Map([['app', { grants: grantSet([]), assignments }]]),
    })
    expect(actsAs(service(assigned(clerk))).sort()).toEqual([
      'orders:read ordinary',
      'orders:refund',
    ])
    expect(actsAs(service(assigned(clerk, { validUntil: AT })))).toEqual([])
    expect(actsAs(service(assigned(clerk, { effect: 'deny' })))).toEqual([])
  })

  test('by an access key gets what its list can reach, by pattern or by name', () => {
    const within = holding(grant('orders:*'), grant('users:read'))
    expect(actsAs(within, { scopes: ['orders:read'] })).toEqual(['orders:*'])
    expect(actsAs(within, { scopes: ['users:*'] })).toEqual(['users:read'])
    expect(actsAs(within, { scopes: [] })).toEqual([])
    expect(actsAs(within, { scopes: null }).sort()).toEqual(['orders:*', 'users:read'])
  })
})

describe('one’s own access', () => {
  const parent = role('own-parent', [])
  const child = role('own-child', [], [parent])
  const within = policy({ user: [assigned(child)] })
  const own = [{ gives: 'own_access' }]

  test('changes with a role that one holds, and with its parents', () => {
    expect(privilegesOfOwnRole(within, userCaller('usr', 'admin'), child.id)).toEqual(own)
    expect(privilegesOfOwnRole(within, userCaller('usr', 'admin'), parent.id)).toEqual(own)
  })

  test('does not change with a role below, nor with one that others hold', () => {
    const below = role('own-below', [], [child])
    expect(privilegesOfOwnRole(within, userCaller('usr', 'admin'), below.id)).toEqual([])
    expect(privilegesOfOwnRole(within, userCaller('usr_2', 'admin'), child.id)).toEqual([])
    const machine = { ...userCaller('usr', 'admin'), kind: 'client' } as const
    expect(privilegesOfOwnRole(within, machine, child.id)).toEqual([])
  })

  test('is that of the user who calls, and of no client with the same name', () => {
    expect(privilegesOfOwning(userCaller('usr', null), 'usr')).toEqual(own)
    expect(privilegesOfOwning(userCaller('usr', null), 'usr_2')).toEqual([])
    expect(privilegesOfOwning({ ...userCaller('usr', null), kind: 'client' }, 'usr')).toEqual([])
  })
})

test('an admin role gives its scopes, and no role gives nothing', () => {
  expect(privilegesOfAdminRole(null)).toEqual([])
  const [auditor] = privilegesOfAdminRole('auditor')
  expect(auditor).toMatchObject({ gives: 'admin_role' })
  const scopes: readonly string[] = auditor?.gives === 'admin_role' ? auditor.scopes : []
  expect(scopes).toContain('audit:read')
  expect(scopes.filter((scope) => scope.endsWith(':write'))).toEqual([])
})
