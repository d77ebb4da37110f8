import { expect, test } from 'vitest'
import { endsInPast, pastEnds, periodProblems } from './past-ends'

const NOW = new Date('2026-11-15T12:00:00Z')
const past = new Date(NOW.getTime() - 1)
const later = new Date(NOW.getTime() + 1)

const grant = (validUntil: Date | null, more: object = {}) => ({
  pattern: 'orders:read',
  effect: 'allow' as const,
  condition: null,
  validFrom: null,
  validUntil,
  ...more,
})

test.each([
  [null, past, true],
  [null, NOW, true],
  [later, past, true],
  [null, later, false],
  [past, past, false],
  [past, null, false],
])('from %s to %s', (before, after, wrong) => {
  expect(endsInPast({ validUntil: before }, { validUntil: after }, NOW)).toBe(wrong)
})

test.each([
  ['one that is in force', [grant(null)], [grant(past)], ['/grants/0/validUntil']],
  [
    'with other terms',
    [grant(later)],
    [grant(past, { condition: 'true' })],
    ['/grants/0/validUntil'],
  ],
  ['one that was never in force', [], [grant(past)], []],
  ['one that is over already', [grant(past), grant(null)], [grant(past)], []],
  ['one that another deny names', [grant(null, { effect: 'deny' })], [grant(past)], []],
  ['an end that comes', [grant(null)], [grant(later)], []],
])('a set of grants: %s', (_what, before, after, pointers) => {
  const found = pastEnds(before, after, NOW, '/grants').map(({ pointer }) => pointer)
  expect(found).toEqual(pointers)
})

test.each([
  ['2026-11-15T12:00:00Z', '2026-11-15T11:59:59Z', ['/of/0/validUntil period_order']],
  ['2026-11-15T12:00:00Z', '2026-11-15T13:00:00+01:00', ['/of/0/validUntil period_order']],
  ['2026-11-15T12:00:00Z', '2026-11-15T12:00:01Z', []],
  [null, '2020-01-01T00:00:00Z', []],
  ['2026-11-15T12:00:00Z', null, []],
])('a period from %s to %s', (validFrom, validUntil, told) => {
  const found = periodProblems([{ validFrom, validUntil }], (at) => `/of/${at}`)
  expect(found.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(told)
})
