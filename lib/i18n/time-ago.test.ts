import { expect, test } from 'vitest'
import { timeAgo, timeUntil } from './time-ago'

const now = new Date('2026-11-15T12:00:00Z')

test.each([
  ['2026-11-15T11:59:30Z', 'en', 'now'],
  ['2026-11-15T11:48:00Z', 'en', '12 minutes ago'],
  ['2026-11-15T09:00:00Z', 'en', '3 hours ago'],
  ['2026-11-13T12:00:00Z', 'en', '2 days ago'],
  ['2026-11-15T12:00:05Z', 'en', 'now'],
  ['2026-11-15T11:48:00Z', 'zh-Hans', '12分钟前'],
] as const)('%s in %s: %s', (then, locale, expected) => {
  expect(timeAgo(new Date(then), now, locale)).toBe(expected)
})

test('the same, ahead', () => {
  const now = new Date('2026-01-01T00:00:00Z')
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  expect(timeUntil(after(23.5 * 3_600), now, 'en')).toBe('in 23 hours')
  expect(timeUntil(after(90), now, 'zh-Hans')).toBe('1分钟后')
  expect(timeUntil(after(-90), now, 'en')).toBe('now')
})
