import { describe, expect, test } from 'vitest'
import { all, answer, policy } from '../../e2e/support/policy'
import { expandScopes } from './expand'

describe('expanding patterns', () => {
  test('orders:* is every registered item of orders, once', () => {
    const expanded = expandScopes(policy({}), ['orders:read', 'orders:*'])
    expect(expanded).toEqual(['orders:read', 'orders:write', 'orders:mine', 'orders:refund'])
  })

  test('a pattern that matches nothing stays and is refused as unknown', () => {
    expect(expandScopes(policy({}), ['nothing:*'])).toEqual(['nothing:*'])
    expect(answer(all, { scopes: ['nothing:*'] })).toBe('unknown_scope')
  })
})
