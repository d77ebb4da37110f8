import { describe, expect, test } from 'vitest'
import { plural } from './plural'

const words = {
  users: { one: '{count} user', other: '{count} users' },
  left: { one: '{name} has {count} code', other: '{name} has {count} codes' },
} as const

describe('plural', () => {
  test('says one user and two users, and none of them as many', () => {
    expect([0, 1, 2, 1_200].map((count) => plural('en', words.users, count))).toEqual([
      '0 users',
      '1 user',
      '2 users',
      '1,200 users',
    ])
  })

  test('Chinese has one form', () => {
    expect(plural('zh-Hans', { other: '{count} 位用户' }, 1)).toBe('1 位用户')
  })

  test('puts further values in, and does not compile without them', () => {
    expect(plural('en', words.left, 1, { name: 'Ann' })).toBe('Ann has 1 code')
    // @ts-expect-error `name` is missing
    expect(plural('en', words.left, 2)).toBe('{name} has 2 codes')
  })
})
