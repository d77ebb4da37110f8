import type { Locale } from '@/lib/i18n'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Lengths of time that people ask for. */
const USUAL = [HOUR, 4 * HOUR, 8 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY, 90 * DAY]

/** Those that are shorter than the longest. */
export function shorterThan(seconds: number): number[] {
  return USUAL.filter((one) => one < seconds)
}

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', 1],
] as const

/** “4 hours”: in the largest unit that says it exactly. */
export function durationText(seconds: number, locale: Locale): string {
  const [unit, length] = UNITS.find(([, one]) => seconds % one === 0) ?? UNITS[3]
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(locale, format).format(seconds / length)
}

/** The moment itself; the reader's time zone is not known. */
export function momentText(at: string, locale: Locale): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(locale, format).format(new Date(at))} UTC`
}

/** A chosen length of time as an end; null for the longest that is possible. */
export function endIn(chosen: string, now: Date): string | null {
  const seconds = Number(chosen)
  if (!Number.isSafeInteger(seconds) || seconds <= 0) return null
  const end = new Date(now.getTime() + seconds * 1000)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}
