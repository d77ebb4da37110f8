import { describe, expect, test } from 'vitest'
import { locales, messagesFor } from '.'
import { minutesText, waitText } from './wait'

const { account, mail } = await messagesFor('en')

describe('how long to wait', () => {
  test('one minute is one, more are many', () => {
    expect(minutesText('en', mail.slowDownNext, 1)).toBe('Please wait 1 minute, then try again.')
    expect(minutesText('en', mail.slowDownNext, 61)).toBe('Please wait 2 minutes, then try again.')
  })

  test('many minutes are hours', () => {
    expect(waitText('en', account, 60)).toContain('wait 1 minute, then')
    expect(waitText('en', account, 7_199)).toContain('wait 120 minutes, then')
    expect(waitText('en', account, 7_200)).toContain('wait 2 hours, then')
  })

  test.each(locales)('no number is left out in %s', async (locale) => {
    const { account: told, secondFactor } = await messagesFor(locale)
    for (const words of [told, secondFactor]) {
      for (const seconds of [600, 86_400])
        expect(waitText(locale, words, seconds)).toMatch(/^[^{}]*\d[^{}]*$/)
      // One minute may be a word, as in Arabic.
      expect(waitText(locale, words, 60)).not.toMatch(/[{}]/)
      expect(waitText(locale, words, 60)).not.toBe(waitText(locale, words, 120))
    }
  })
})
