import { describe, expect, test } from 'vitest'
import { cleanName } from './name'
import { cleanText, isPlainText } from './plain-text'

describe('Q11: names lose what nobody sees and what turns them around', () => {
  const hidden = [
    ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'],
    ...['\u200e', '\u200f', '\u061c', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad'],
    ...[
      '\u3164',
      '\u115f',
      '\u1160',
      '\uffa0',
      '\u034f',
      '\u2800',
      '\ufff9',
      '\u{e0041}',
      '\ufe0f',
    ],
    ...['\u0000', '\u001b', '\u007f', '\u009f'],
  ]

  test.each(hidden)('%j', (character) => {
    expect(cleanName(`Su${character}san`)).toBe('Susan')
    expect(cleanName(`${character}${character}`)).toBe('')
    expect(isPlainText(`Su${character}san`)).toBe(false)
  })

  test.each(['\n', '\r\n', '\u2028', '\u2029', '\t'])('%j: one line stays', (character) => {
    expect(cleanName(`Susan${character}Lee`)).toBe('Susan Lee')
    expect(isPlainText(`Susan${character}Lee`)).toBe(false)
  })

  test.each([
    ['Persian', 'علی\u200cرضا'],
    ['Devanagari', 'क्\u200dष'],
    ['Sinhala', 'ශ්\u200dරී'],
    ['Malayalam, at the end', 'അവന്\u200d'],
    ['a family', '👨\u200d👩\u200d👧'],
    ['an emoji of skin and sign', '👩🏽\u200d⚕\ufe0f'],
    ['a kanji in the form of a family’s name', '葛\u{e0100}城'],
    ['Latin with accents', 'Zoë Müller-Łukasz'],
  ])('%s is left as it is written', (_what, name) => {
    expect(cleanName(name)).toBe(name)
    expect(isPlainText(name)).toBe(true)
  })

  test('joiners between other letters go, and of several in a row all', () => {
    expect(cleanText('pay\u200dpal')).toBe('paypal')
    expect(cleanText('علی\u200c\u200cرضا')).toBe('علیرضا')
  })
})
