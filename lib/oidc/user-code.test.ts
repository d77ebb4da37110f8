import { describe, expect, test } from 'vitest'
import { newUserCode, readUserCode, shownUserCode } from './user-code'

describe('user codes (RFC 8628 §6.1)', () => {
  test('have eight letters, of which none is a vowel or looks like another', () => {
    const codes = Array.from({ length: 500 }, newUserCode)
    expect(codes.filter((code) => !/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(code))).toEqual([])
    expect(new Set(codes).size).toBe(500)
    expect(new Set(codes.join('')).size).toBe(20)
  })

  test.each(['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht ', 'WD-JB-MJ-HT', 'wdjb–mjht', 'W.D.J.B_MJHT'])(
    'are read however they are typed: %s',
    (typed) => {
      expect(shownUserCode(readUserCode(typed) ?? '')).toBe('WDJB-MJHT')
    },
  )

  test.each(['', 'WDJB', 'WDJB-MJHTX', 'WDJB-MJH1', 'AEIO-UUUU', '\u202e½ ~', 'W'.repeat(10_000)])(
    'are not read into what cannot be one: %s',
    (typed) => {
      expect(readUserCode(typed)).toBeNull()
    },
  )
})
