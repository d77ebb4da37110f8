import { describe, expect, test } from 'vitest'
import { assigned, grant, item, policy, role } from '../../../e2e/support/policy'
import { mistakeIn } from '../../../e2e/support/problem-in'
import { accessKey, application, credential } from '../../../e2e/support/protocol'
import { daysSchema, heldBy, windowStart } from './reports'

/** What a client holds, as the report of least privilege counts it. */

const clerk = role('reports-clerk', [grant('orders:refund')])
const items = ['orders:read', 'orders:write', 'orders:refund'].map((scope) => item(scope))
const app = { id: 'app' }

function held(scopes: readonly string[] | null, ...own: string[]) {
  const world = policy({
    items,
    application: [grant('orders:read'), grant('orders:write')],
    service: [assigned(clerk)],
    key: own.map((pattern) => grant(pattern)),
  })
  const key = accessKey({ id: 'ak', scopes })
  return [...heldBy(world, { ...credential(app, key) })].sort()
}

test('an application holds its own grants and those of its roles', () => {
  const world = policy({ items, application: [grant('orders:*')], service: [assigned(clerk)] })
  expect([...heldBy(world, credential(app))].sort()).toEqual([
    'orders:read',
    'orders:refund',
    'orders:write',
  ])
  expect(heldBy(world, credential({ id: 'app_gone' })).size).toBe(0)
})

describe('an access key', () => {
  test('without a list holds what its application holds', () => {
    expect(held(null)).toEqual(['orders:read', 'orders:refund', 'orders:write'])
  })

  test('holds what it lists, by name or by pattern, and no more than its application', () => {
    expect(held(['orders:read'])).toEqual(['orders:read'])
    expect(held(['orders:*'])).toHaveLength(3)
    expect(held(['stock:*', 'users:read'])).toEqual([])
    expect(held([])).toEqual([])
  })

  test('holds what it was granted itself, within its application', () => {
    expect(held([], 'orders:refund')).toEqual(['orders:refund'])
    expect(held(['orders:read'], 'orders:*')).toHaveLength(3)
  })
})

test('the application of the key decides, and not its name', () => {
  const world = policy({ items, application: [grant('orders:read')] })
  const other = { ...credential(app, accessKey()), application: application({ id: 'other' }) }
  expect(heldBy(world, other).size).toBe(0)
})

test('a report looks back whole days, from one to a year', () => {
  const now = new Date('2026-03-30T12:00:00Z')
  expect(windowStart(now, 1).toISOString()).toBe('2026-03-29T12:00:00.000Z')
  expect(windowStart(now, 365).toISOString()).toBe('2025-03-30T12:00:00.000Z')
  expect(['1', '365', '0', '366', '1.5', 'all'].map((days) => mistakeIn(daysSchema, days))).toEqual(
    ['none', 'none', 'too_small', 'too_big', 'whole_number_needed', 'number_needed'],
  )
})
