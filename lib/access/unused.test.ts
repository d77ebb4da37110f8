import { describe, expect, test } from 'vitest'
import { useOf } from './unused'

const ITEMS = ['orders:read', 'orders:write', 'reports:read']

describe('what was never asked for', () => {
  test.each([
    ['orders:read', ['orders:read'], 'used', []],
    ['orders:read', ['reports:read'], 'unused', ['orders:read']],
    ['orders:*', ['orders:read'], 'partly', ['orders:write']],
    ['orders:*', [], 'unused', ['orders:read', 'orders:write']],
    ['orders:*', ['orders:read', 'orders:write'], 'used', []],
    // Nothing is left of what it named.
    ['gone:read', ['orders:read'], 'unused', []],
  ] as const)('%s when %j was asked: %s', (pattern, asked, use, neverAsked) => {
    expect(useOf(pattern, ITEMS, new Set(asked))).toEqual({ use, neverAsked })
  })
})
