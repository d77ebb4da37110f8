import { expect, test } from 'vitest'
import { inDays, momentIn, toInput } from './moment'

test('what is typed is UTC, and comes back as it was', () => {
  expect(momentIn('2027-01-02T03:04')).toBe('2027-01-02T03:04:00.000Z')
  expect(toInput('2027-01-02T03:04:05.678Z')).toBe('2027-01-02T03:04')
  expect(momentIn(toInput('2027-01-02T03:04:00.000Z'))).toBe('2027-01-02T03:04:00.000Z')
})

test('nothing is nothing, and nonsense is a mistake', () => {
  expect(momentIn(' ')).toBeNull()
  expect(toInput(null)).toBe('')
  for (const text of ['soon', '2027-13-01T00:00', '2027-01-01', '2027-01-01T00:00Z']) {
    expect(momentIn(text)).toBeUndefined()
  }
})

test('a choice of days', () => {
  expect(inDays('30', new Date('2026-01-01T00:00:00Z'))).toBe('2026-01-31T00:00:00.000Z')
  expect(inDays('never', new Date())).toBeNull()
})
