import { describe, expect, test } from 'vitest'
import { termsIn, timeIn } from './terms'

describe('terms of a form', () => {
  test('an empty form gives plainly, always', () => {
    const plain = { effect: 'allow', condition: null, validFrom: null, validUntil: null }
    expect(termsIn(new FormData())).toEqual(plain)
  })

  const typed = (at: string, zone?: string) => {
    const form = new FormData()
    form.set('at', at)
    if (zone !== undefined) form.set('zone', zone)
    return timeIn(form, 'at')
  }

  test('a time is in the time zone that the form names, otherwise in UTC', () => {
    expect(typed('2027-01-31T08:30')).toBe('2027-01-31T08:30:00.000Z')
    expect(typed('2027-01-31T08:30', 'Asia/Tokyo')).toBe('2027-01-30T23:30:00.000Z')
    expect(typed('')).toBeNull()
  })

  test('M33: a form that names no time zone that exists means UTC', () => {
    expect(typed('2027-01-31T08:30', 'Mars/Olympus')).toBe('2027-01-31T08:30:00.000Z')
  })

  test('what is no time is left for the API to refuse', () => {
    expect(typed('tomorrow', 'Asia/Tokyo')).toBe('tomorrow')
  })
})
