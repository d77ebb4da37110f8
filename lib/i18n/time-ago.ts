import { relativeFormat } from './formats'
import type { Locale } from './locales'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** "12 minutes ago": says when without knowing the reader's time zone. */
export function timeAgo(then: Date, now: Date, locale: Locale): string {
  return relative(now.getTime() - then.getTime(), -1, locale)
}

/** "in 23 hours"; what is over is "now". */
export function timeUntil(then: Date, now: Date, locale: Locale): string {
  return relative(then.getTime() - now.getTime(), 1, locale)
}

function relative(milliseconds: number, sign: 1 | -1, locale: Locale): string {
  const seconds = Math.max(0, milliseconds / 1000)
  const words = relativeFormat(locale)
  for (const [unit, length] of UNITS)
    if (seconds >= length) return words.format(sign * Math.floor(seconds / length), unit)
  return words.format(0, 'second')
}
