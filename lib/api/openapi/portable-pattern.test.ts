import { describe, expect, test } from 'vitest'
import { routes } from '../table'
import { openapi } from './openapi'
import { isPortable, portablePattern } from './portable-pattern'

/** Every pattern of the document, with its place. */
function patternsIn(value: unknown, place = ''): [place: string, pattern: string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]): [string, string][] => {
    const at = `${place}/${name}`
    if (name === 'example') return []
    if (name === 'pattern' && typeof member === 'string') return [[at, member]]
    return patternsIn(member, at)
  })
}

const document = openapi(routes, 'https://id.example.com', 'https://id.example.com')
const patterns = new Map(patternsIn(document).map(([place, pattern]) => [pattern, place]))

describe('patterns in the OpenAPI document', () => {
  test('there are some, and none was lost that can be said', () => {
    expect(patterns.size).toBeGreaterThan(15)
    expect([...patterns.keys()]).toContain('^[^\\x00-\\x1F\\x7F-\\x9F]*$')
  })

  test.each([...patterns])('%s means the same to every reader', (pattern) => {
    // With and without the `u` flag it compiles, and says the same about each character.
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')]
    for (let code = 0; code < 0x250; code += 1) {
      const text = String.fromCharCode(code)
      expect([code, plain.test(text)]).toEqual([code, unicode.test(text)])
    }
    // RE2 has no lookaround and no back references; names and properties are written differently
    // in Python, Java and ECMAScript.
    expect(pattern).not.toMatch(/\(\?[^:]/)
    expect(pattern).not.toMatch(/\\[pPkuUcNBbAzZGQEX1-9]/)
    // A class within a class is a union in Java, and `&&` its intersection.
    expect(pattern).not.toMatch(/\[[^\]\\]*(?:\[|&&)/)
    // Possessive quantifiers, and `{,n}`, which only Python reads as a quantifier.
    expect(pattern).not.toMatch(/[*+?}]\+|\{,/)
  })
})

test.each([
  ['a lookahead', '^(?!x)'],
  ['a lookbehind', '(?<=x)y'],
  ['a named group', '(?<year>\\d{4})'],
  ['the named group of Python', '(?P<year>\\d{4})'],
  ['a back reference', '(a)\\1'],
  ['a named back reference', '\\k<year>'],
  ['a Unicode property', '\\p{L}'],
  ['a code point', '\\u{1F600}'],
  ['a flag', '(?i)x'],
  ['an anchor of Python', '\\Ax\\Z'],
])('%s is not portable', (_what, pattern) => {
  expect(isPortable(pattern)).toBe(false)
  expect(portablePattern(pattern)).toBeNull()
})

test('control characters are written as ranges', () => {
  expect(portablePattern('^[^\\p{Cc}]*$')).toBe('^[^\\x00-\\x1F\\x7F-\\x9F]*$')
  expect(portablePattern('^[^\\p{Cc}\\p{Cf},]*$')).toBeNull()
})
