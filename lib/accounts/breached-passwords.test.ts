import { describe, expect, test } from 'vitest'
import { isListed } from './breached-passwords'

const RANGE = '0018A45C4D1DEF81644B54AB7F969B88D65:21\r\n00D4F6E8FA6EECAD2A3AA415EEC418D38EC:0\r\n'

describe('an answer of the range API', () => {
  test('lists a suffix, in upper or lower case', () => {
    expect(isListed(RANGE, '0018A45C4D1DEF81644B54AB7F969B88D65')).toBe(true)
    expect(isListed(RANGE.toLowerCase(), '0018A45C4D1DEF81644B54AB7F969B88D65')).toBe(true)
  })

  test('padding is not a breach', () => {
    expect(isListed(RANGE, '00D4F6E8FA6EECAD2A3AA415EEC418D38EC')).toBe(false)
  })

  test('what is not listed, or only begins alike, was not breached', () => {
    expect(isListed(RANGE, '0018A45C4D1DEF81644B54AB7F969B88D66')).toBe(false)
    expect(isListed(RANGE, '0018A45C')).toBe(false)
    expect(isListed('', '')).toBe(false)
  })
})
