import { HOUR_SECONDS, MINUTE_SECONDS } from '../base/time'
import type { Locale } from './locales'
import { type Plural, plural } from './plural'

type Words = { slowDown: Plural; slowDownHours: Plural }

/** How long to wait, in minutes or, where that would be many, in hours. */
export function waitText(
  locale: Locale,
  { slowDown, slowDownHours }: Words,
  seconds: number,
): string {
  return seconds < 2 * HOUR_SECONDS
    ? minutesText(locale, slowDown, seconds)
    : plural(locale, slowDownHours, Math.ceil(seconds / HOUR_SECONDS))
}

/** A wait that is short: in minutes, begun ones counted. */
export function minutesText(locale: Locale, words: Plural, seconds: number): string {
  return plural(locale, words, Math.ceil(seconds / MINUTE_SECONDS))
}
