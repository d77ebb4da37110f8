/** How long to wait before a worker is started again: a worker that dies in a loop slows down. */

/** One that served for so long did not die of its start. */
export const STEADY_MS = 60_000
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000

/** `failures`: how many have died one after the other, this one included. */
export function failuresAfter(failures: number, servedMs: number): number {
  return servedMs >= STEADY_MS ? 1 : failures + 1
}

/** The first is replaced at once, so that one bad moment costs nothing. */
export function pauseMs(failures: number): number {
  if (failures <= 1) return 0
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 2), MAX_PAUSE_MS)
}
