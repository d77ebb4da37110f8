import type { SearchParams } from '../browser/page-props'

/** The periods that the report offers, in days. */
export const WINDOWS = [7, 30, 90] as const

const USUAL = 30

export function daysIn({ days }: SearchParams): number {
  return WINDOWS.find((window) => String(window) === days) ?? USUAL
}
