import { expect, test } from 'vitest'
import { grant, item, policy, role } from '../../../e2e/support/policy'
import { roleDenies, roleIsSensitive } from './roles'

const denying = role('no-payments', [grant('orders:refund', { effect: 'deny' })])
const below = role('trainee', [grant('orders:read')], [denying])
const reader = role('plain-reader', [grant('orders:read')])
const payer = role('payer', [grant('orders:*')], [reader])

test('a role denies what it or a parent role denies', () => {
  const found = [denying, below, reader, payer].map(({ id }) => roleDenies(policy({}), id))
  expect(found).toEqual([true, true, false, false])
  expect(roleDenies(policy({}), 'rol_gone')).toBe(false)
})

test('a role is sensitive if it gives something sensitive', () => {
  const items = [item('orders:read'), item('orders:refund', { sensitive: true })]
  const world = policy({ items })
  const found = [denying, below, reader, payer].map(({ id }) => roleIsSensitive(world, id))
  expect(found).toEqual([false, false, false, true])
})
