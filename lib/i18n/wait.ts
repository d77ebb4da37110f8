import { fill } from './fill'
import type { Text } from './text'

type Words = { slowDown: Text<'minutes'>; slowDownHours: Text<'hours'> }

const HOURS_FROM_SECONDS = 2 * 60 * 60

/** How long to wait, in minutes or, where that would be many, in hours. */
export function waitText({ slowDown, slowDownHours }: Words, seconds: number): string {
  return seconds < HOURS_FROM_SECONDS
    ? fill(slowDown, { minutes: String(Math.ceil(seconds / 60)) })
    : fill(slowDownHours, { hours: String(Math.ceil(seconds / 3600)) })
}
