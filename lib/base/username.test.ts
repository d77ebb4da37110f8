import { expect, test } from 'vitest'
import { usernameFrom } from './username'

test.each<[string, string, boolean]>([
  ['Ada.Lovelace@example.com', 'ada.lovelace', true],
  ['ada+shop@example.com', 'ada', true],
  ['"odd name"@example.com', 'odd-name', true],
  ['admin@evil.example', 'admin', false],
  ['usr_1@example.com', 'user', false],
  ['小明@example.com', 'user', false],
  ['...@example.com', 'user', false],
])('%s', (email, name, isFree) => {
  expect(usernameFrom(email)).toEqual({ name, isFree })
})

test('a long address gives a name that leaves room for a number', () => {
  expect(usernameFrom(`${'x'.repeat(64)}@example.com`).name).toHaveLength(56)
})
