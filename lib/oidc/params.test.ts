import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { incoming, refusalIn } from '../../e2e/support/protocol'
import { BodyTooLarge, type Incoming } from '../base/http'
import { parseForm, parseScope, readForm } from './params'

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

describe('readForm: the reason of each refusal', () => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const sent = (text: string | Uint8Array, headers: Record<string, string> = type): Incoming => ({
    ...incoming(headers),
    body: async () => Buffer.from(text),
  })
  const huge = async () => {
    throw new BodyTooLarge()
  }

  test.each<[string, Incoming, string]>([
    ['D2: JSON', sent('{}', { 'content-type': 'application/json' }), 'body_type'],
    ['D4: compressed', sent('', { ...type, 'content-encoding': 'gzip' }), 'body_type'],
    ['D4: not UTF-8', sent(new Uint8Array([0xff])), 'form_malformed'],
    ['D4: bad percent-encoding', sent('a=%zz'), 'form_malformed'],
    ['D5: twice', sent('a=1&a=2'), 'parameter_repeated'],
    ['101 parameters', sent('a&'.repeat(101)), 'too_many_parameters'],
    ['D7: a code in the URL', { ...sent(''), url: '/oidc/token?code=x' }, 'secret_in_url'],
  ])('%s', async (_what, request, reason) => {
    expect(await refusalIn(() => readForm(request))).toBe(`invalid_request ${reason}`)
  })

  test('D3: too large', async () => {
    const read = () => readForm({ ...sent(''), body: huge })
    expect(await refusalIn(read)).toBe('request_too_large body_too_large')
  })

  test('B8: a scope', async () => {
    expect(await refusalIn(() => parseScope('a"b'))).toBe('invalid_scope scope_malformed')
  })
})

/** Lone surrogates have no UTF-8 form, and NUL is refused. */
function isClean(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
