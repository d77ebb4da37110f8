import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBasic } from './client-auth'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const formEncode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')

describe('decodeBasic', () => {
  test('D14: gives back any id and secret that were form-encoded', () => {
    const text = fc
      .string({ minLength: 1 })
      .filter((value) => value.isWellFormed() && !value.includes('\0'))
    fc.assert(
      fc.property(text, text, (id, secret) => {
        expect(decodeBasic(basic(`${formEncode(id)}:${formEncode(secret)}`))).toEqual([id, secret])
      }),
    )
  })

  test.each([
    ['a secret with a colon', basic('id:a%3Ab'), ['id', 'a:b']],
    ['a plus as a space', basic('id:a+b'), ['id', 'a b']],
    ['an encoded plus', basic('id:a%2Bb'), ['id', 'a+b']],
    ['unicode', basic('id:%E2%9C%93'), ['id', '✓']],
    ['any case of the scheme', basic('id:s').replace('Basic', 'bAsIc'), ['id', 's']],
  ])('D14: %s', (_what, header, halves) => {
    expect(decodeBasic(header)).toEqual(halves)
  })

  test.each([
    ['no colon', basic('nocolon')],
    ['bad base64', 'Basic !!!!'],
    ['a broken length', 'Basic YWI'],
    ['trailing garbage', `${basic('id:s')} x`],
    ['not UTF-8', `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`],
    ['broken percent-encoding', basic('id:%zz')],
    ['an empty id', basic(':secret')],
    ['an empty secret', basic('id:')],
    ['another scheme', 'Bearer abc'],
    ['nothing', 'Basic '],
  ])('D15: null for %s', (_what, header) => {
    expect(decodeBasic(header)).toBeNull()
  })

  test('D15: never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        decodeBasic(text)
        decodeBasic(`Basic ${text}`)
      }),
    )
  })
})
