import { expect, test } from 'vitest'
import { keyFrom } from './key-from'

test.each([
  ['The Shop', 'the-shop'],
  ['Café 2', 'cafe-2'],
  ['Orders / Refunds', 'orders-refunds'],
  ['  --  ', ''],
  ['商店', ''],
  ['x'.repeat(80), 'x'.repeat(63)],
])('the key of %s is %s', (name, key) => {
  expect(keyFrom(name)).toBe(key)
})
