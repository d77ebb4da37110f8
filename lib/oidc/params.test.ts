import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseForm, parseScope } from './params'

describe('parseForm', () => {
  test('reads what URLSearchParams writes', () => {
    const names = fc.string({ minLength: 1, maxLength: 20 }).filter(isClean)
    const values = fc.string({ minLength: 1, maxLength: 40 }).filter(isClean)
    fc.assert(
      fc.property(fc.dictionary(names, values, { maxKeys: 20 }), (pairs) => {
        const form = parseForm(new URLSearchParams(pairs).toString())
        for (const [name, value] of Object.entries(pairs)) expect(form.get(name)).toBe(value)
      }),
    )
  })

  test.each(['a=1&a=2', 'a=1&a=', 'a&a', '%61=1&a=2'])(
    'refuses a repeated parameter: %s',
    (text) => {
      expect(() => parseForm(text)).toThrow('repeated')
    },
  )

  test.each(['a=%', 'a=%zz', 'a=%ff', 'a=%00', 'a\0=1', '%c3=1'])('refuses %s', (text) => {
    expect(() => parseForm(text)).toThrow('malformed')
  })

  test('takes an empty value for an omitted one, and repeated resources', () => {
    const form = parseForm('a=&b&resource=x&resource=y&__proto__=z')
    expect(form.get('a')).toBeUndefined()
    expect(form.get('b')).toBeUndefined()
    expect(form.getAll('resource')).toEqual(['x', 'y'])
    expect(form.get('__proto__')).toBe('z')
    expect(form.get('constructor')).toBeUndefined()
  })

  test('refuses more than 100 parameters', () => {
    const many = Array.from({ length: 101 }, (_, index) => `p${index}=1`).join('&')
    expect(() => parseForm(many)).toThrow('too many')
  })
})

describe('parseScope', () => {
  test('keeps the order and collapses repeats', () => {
    expect(parseScope('b a  b c')).toEqual(['b', 'a', 'c'])
  })

  test.each([undefined, '', '   '])('is null where nothing is asked for: %j', (scope) => {
    expect(parseScope(scope)).toBeNull()
  })

  test.each([
    'a"b',
    'a\\b',
    'a\tb',
    'ä',
    'a\nb',
    'a'.repeat(256),
    Array.from({ length: 101 }, (_, index) => `s${index}`).join(' '),
    Array.from({ length: 20 }, (_, index) => String(index).repeat(210)).join(' '),
  ])('refuses what is no scope', (scope) => {
    expect(() => parseScope(scope)).toThrow('malformed')
  })
})

/** Lone surrogates have no UTF-8 form, and NUL is refused. */
function isClean(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
