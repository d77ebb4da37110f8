import { describe, expect, test } from 'vitest'
import { safeReturnTo } from './return-to'

describe('safeReturnTo keeps a path on this portal', () => {
  test.each([
    '/',
    '/login',
    '/oidc/auth/int_123?x=1',
    '/a?next=https%3A%2F%2Frp.test%2Fcb',
    '/a?state=%0A%5C',
    '/a/b#part',
    '/caf%C3%A9',
  ])('%s', (value) => expect(safeReturnTo(value)).toBe(value))

  test('normalises dot segments', () => expect(safeReturnTo('/a/../b')).toBe('/b'))
})

describe('safeReturnTo falls back to / (A16)', () => {
  test.each([
    null,
    '',
    'login',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '/\\/evil.test',
    '\\\\evil.test',
    '/%09/evil.test',
    '/%0a/evil.test',
    '/%5Cevil.test',
    '/%2Fevil.test',
    '/.//evil.test',
    '/a/..//evil.test',
    '/\t/evil.test',
    '\t//evil.test',
    '/\n/evil.test',
    ' //evil.test',
    '/a b',
    '/\u0000',
    'https:evil.test',
    'https://evil.test',
    'https:/evil.test',
    'javascript:alert(1)',
    'data:text/html,x',
    '?x=1',
    '#x',
    '/%',
    '/%ff',
    `/${'a'.repeat(5000)}`,
  ])('%j', (value) => expect(safeReturnTo(value)).toBe('/'))
})
