import type { Repeat, Suspicion } from '../stores'

/**
 * A used refresh token that is sent again: either an answer was lost, or the token was stolen (RFC
 * 9700 §4.14.2). A thief has to repeat every token that follows, or is left with one that is too
 * late.
 */

/** One answer may be lost, and the repeated one too. */
export const MAX_REPEATS = 3
/** Lost answers in this many generations in a row are not an accident. */
export const REPEATED_IN_A_ROW = 3

/** `from`: the network of the repeat; `late`: the replay window has ended. */
export type Circumstances = { late: boolean; from: string | null }

/** Null if it seems to be the same client that used the token first. */
export function suspicionOf(repeat: Repeat, { late, from }: Circumstances): Suspicion | null {
  if (late) return 'late'
  if (from !== null && repeat.usedFrom !== null && from !== repeat.usedFrom) {
    return 'another_network'
  }
  if (repeat.times > MAX_REPEATS) return 'again_and_again'
  return inARow(repeat) >= REPEATED_IN_A_ROW ? 'cycle_after_cycle' : null
}

/** How many generations in a row were repeated, including this one. */
function inARow({ generation, repeatedNear }: Repeat): number {
  const repeated = new Set([...repeatedNear, generation])
  let [first, last] = [generation, generation]
  while (repeated.has(first - 1)) first -= 1
  while (repeated.has(last + 1)) last += 1
  return last - first + 1
}
