import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@/lib/base/time'
import type { Locale } from '@/lib/i18n'
import { numberFormat } from '@/lib/i18n/formats'

/** Lengths of time that people ask for. */
const USUAL = [
  HOUR_SECONDS,
  4 * HOUR_SECONDS,
  8 * HOUR_SECONDS,
  DAY_SECONDS,
  3 * DAY_SECONDS,
  7 * DAY_SECONDS,
  30 * DAY_SECONDS,
  90 * DAY_SECONDS,
]

/** Those that are shorter than the longest. */
export function shorterThan(seconds: number): number[] {
  return USUAL.filter((one) => one < seconds)
}

const UNITS = [
  ['day', DAY_SECONDS],
  ['hour', HOUR_SECONDS],
  ['minute', MINUTE_SECONDS],
  ['second', 1],
] as const

/** “4 hours”: in the largest unit that says it exactly. */
export function durationText(seconds: number, locale: Locale): string {
  const [unit, length] = UNITS.find(([, one]) => seconds % one === 0) ?? UNITS[3]
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const
  return numberFormat(locale, format).format(seconds / length)
}

/** A chosen length of time as an end; null for the longest that is possible. */
export function endIn(chosen: string, now: Date): string | null {
  const seconds = Number(chosen)
  if (!Number.isSafeInteger(seconds) || seconds <= 0) return null
  const end = new Date(now.getTime() + seconds * 1000)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}
