import { describe, expect, test } from 'vitest'
import { fromField, isTimeZone, toField, written, zoneAmong } from './moments'

const AT = '2026-07-01T22:30:15.000Z'
const ZURICH = { locale: 'en', zone: 'Europe/Zurich' } as const

describe('a moment', () => {
  test.each([
    [{ locale: 'en', zone: 'UTC' }, 'moment', 'Jul 1, 2026, 10:30 PM UTC'],
    [ZURICH, 'moment', 'Jul 2, 2026, 12:30 AM GMT+2'],
    [{ locale: 'en', zone: 'America/New_York' }, 'moment', 'Jul 1, 2026, 6:30 PM EDT'],
    [{ locale: 'zh-Hans', zone: 'Asia/Shanghai' }, 'day', '2026年7月2日'],
    [ZURICH, 'cellWithSeconds', 'Jul 2, 2026, 12:30:15 AM'],
    [ZURICH, 'hour', '12:30 AM'],
  ] as const)('is written for %o as %s', (clock, style, text) => {
    expect(written(AT, style, clock).replaceAll('\u202f', ' ')).toBe(text)
  })
})

describe('the time zone of a reader', () => {
  test('is the first that is one', () => {
    expect(zoneAmong('Europe/Zurich', 'Asia/Tokyo')).toBe('Europe/Zurich')
    expect(zoneAmong(null, 'Asia/Tokyo')).toBe('Asia/Tokyo')
    expect(zoneAmong()).toBe('UTC')
  })

  test.each([
    '',
    'Mars/Olympus',
    '<b>UTC</b>',
    'UTC\0',
    '../etc/localtime',
    'x'.repeat(4_000),
    'Europe/Zurich; path=/',
    { toString: () => 'UTC' },
    undefined,
  ])('M33: %j is no time zone', (name) => {
    expect(isTimeZone(name)).toBe(false)
    expect(zoneAmong(name)).toBe('UTC')
  })
})

describe('a field for date and time', () => {
  test.each([
    ['UTC', '2026-07-01T22:30'],
    ['Europe/Zurich', '2026-07-02T00:30'],
    ['Asia/Kolkata', '2026-07-02T04:00'],
    ['America/St_Johns', '2026-07-01T20:00'],
  ])('is in %s, there and back', (zone, typed) => {
    expect(toField(AT, zone)).toBe(typed)
    expect(fromField(typed, zone)?.toISOString()).toBe('2026-07-01T22:30:00.000Z')
  })

  test('the hours around a change of the clocks', () => {
    const inZurich = (typed: string) => fromField(typed, 'Europe/Zurich')?.toISOString()
    expect(inZurich('2026-03-29T01:59')).toBe('2026-03-29T00:59:00.000Z')
    expect(inZurich('2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z') // there is no such hour
    expect(inZurich('2026-03-29T03:00')).toBe('2026-03-29T01:00:00.000Z')
    expect(inZurich('2026-10-25T01:59')).toBe('2026-10-24T23:59:00.000Z')
    expect(inZurich('2026-10-25T03:00')).toBe('2026-10-25T02:00:00.000Z')
  })

  test('what is no time gives none', () => {
    expect(fromField('tomorrow', 'UTC')).toBeNull()
    expect(fromField('', 'UTC')).toBeNull()
  })
})
