import { describe, expect, test } from 'vitest'
import { problemIn } from '../../../e2e/support/problem-in'
import { requireStorable } from './storable'

const refused = (value: unknown) => problemIn(() => requireStorable(value, []))
const TEXT = 'malformed text must not contain NUL characters or unpaired surrogates'

function nested(levels: number, inner: unknown = 1): unknown {
  return Array.from({ length: levels }).reduce((one, _, at) => (at % 2 ? [one] : { a: one }), inner)
}

describe('what no database can hold is refused before anything reads it', () => {
  test.each<[string, unknown]>([
    ['NUL', 'a\0b'],
    ['half a character', 'a\ud83d'],
    ['the other half', '\ude00a'],
    ['the halves in the wrong order', '\ude00\ud83d'],
    ['NUL in a list', [['x', { a: ['\0'] }]]],
    ['NUL in the name of a member', { a: { 'b\0': 1 } }],
  ])('%s', async (_what, value) => {
    expect(await refused(value)).toBe(TEXT)
  })

  test.each<[string, unknown]>([
    ['whole characters', '😀 ü \u0001 \u2028'],
    ['no text at all', [null, true, 1.5, undefined]],
    ['nothing', {}],
    ['names that are only odd', { constructor: 1, '': 2, toString: 3 }],
  ])('%s may be there', async (_what, value) => {
    expect(await refused(value)).toBe('not refused')
  })
})

test('N6: `__proto__` is named with its place, also within a list', async () => {
  const sent = JSON.parse('{"roles":[{"key":"a"},{"key":"b","__proto__":{"adminRole":"owner"}}]}')
  expect(await refused(sent)).toBe('invalid /roles/1/__proto__ unrecognized_keys')
  expect(await refused(JSON.parse('{"__proto__":null}'))).toBe(
    'invalid /__proto__ unrecognized_keys',
  )
})

test('a body is at most 64 levels deep', async () => {
  expect(await refused(nested(64))).toBe('not refused')
  expect(await refused(nested(65))).toBe('malformed the body may be nested at most 64 levels')
  // Two deep members beside each other are not added up.
  expect(await refused({ a: nested(63), b: nested(63) })).toBe('not refused')
})

test('what is nested a hundred thousand times is refused, and does not exhaust the stack', async () => {
  expect(await refused(nested(100_000))).toMatch(/^malformed /)
})
