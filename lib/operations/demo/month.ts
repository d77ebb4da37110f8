import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time'

/** When what happens in the thirty days of sample activity. The same for every portal. */

const DAYS = 30

/** A moment, and what happens then. */
export type Step = { at: number; run(): Promise<unknown> }

/** A day of the activity, from 0; the last one is today. */
export type Day = { index: number; midnight: number; isWorkday: boolean }

/** In UTC, as the reports count days. */
export function daysUntil(now: Date): Day[] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  return Array.from({ length: DAYS }, (_, index) => {
    const midnight = today - (DAYS - 1 - index) * DAY_MS
    const weekday = new Date(midnight).getUTCDay()
    return { index, midnight, isWorkday: weekday !== 0 && weekday !== 6 }
  })
}

/** The day itself, or the last workday before it. */
export function workdayBy(days: readonly Day[], index: number): Day {
  const found = days.findLast((day) => day.index <= index && day.isWorkday)
  if (!found) throw new Error(`there is no workday by day ${index}`)
  return found
}

export function timeOn({ midnight }: Day, hours: number, minutes = 0): number {
  return midnight + hours * HOUR_MS + minutes * MINUTE_MS
}

/** Numbers from 0 to 1, the same ones at each start (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
