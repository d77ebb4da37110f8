import { expect, test } from 'vitest'
import { dateFormat } from './formats'

test('M33: a formatter is kept, and the oldest goes when readers name too many time zones', () => {
  const first = dateFormat('en', { weekday: 'long', timeZone: 'UTC' })
  expect(dateFormat('en', { weekday: 'long', timeZone: 'UTC' })).toBe(first)
  for (const timeZone of Intl.supportedValuesOf('timeZone'))
    for (const locale of ['en', 'de']) dateFormat(locale, { timeZone })
  expect(dateFormat('en', { weekday: 'long', timeZone: 'UTC' })).not.toBe(first)
})
