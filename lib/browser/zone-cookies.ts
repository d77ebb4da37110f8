/** The time zone of the browser, by its script; see clock.ts. */
export const ZONE_COOKIE = 'gatehouse.zone'

/** Which times the reader chose to see. */
export const TIMES_COOKIE = 'gatehouse.times'
export const TIMES = ['own', 'utc'] as const
type Times = (typeof TIMES)[number]

export function isTimes(value: string | null | undefined): value is Times {
  return TIMES.some((one) => one === value)
}
