import { describe, expect, test } from 'vitest'
import { termsIn, timeIn, timeInput } from './terms'

describe('terms of a form', () => {
  test('an empty form gives plainly, always', () => {
    const plain = { effect: 'allow', condition: null, validFrom: null, validUntil: null }
    expect(termsIn(new FormData())).toEqual(plain)
  })

  test('a time is UTC, there and back', () => {
    expect(timeIn('2027-01-31T08:30')).toBe('2027-01-31T08:30:00.000Z')
    expect(timeInput('2027-01-31T08:30:00.000Z')).toBe('2027-01-31T08:30')
    expect(timeInput(null)).toBe('')
  })

  test('what is no time is left for the API to refuse', () => {
    expect(timeIn('tomorrow')).toBe('tomorrow')
  })
})
