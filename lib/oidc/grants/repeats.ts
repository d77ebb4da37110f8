import type { Repeat } from '../provider'

/**
 * A used refresh token that comes again: an answer that was lost on the way, or a thief (RFC 9700
 * §4.14.2). Somebody who stole one token once has to repeat every one that follows, or is left
 * behind with one that is late.
 */

/** An answer may get lost, and the next one too. */
export const MOST_REPEATS = 3
/** In so many generations one after the other, nobody loses an answer by accident. */
export const REPEATED_IN_A_ROW = 3

/** `from`: the network that it came from this time; `late`: its window is over. */
export type Circumstances = { late: boolean; from: string | null }

export type Suspicion = 'late' | 'another_network' | 'again_and_again' | 'cycle_after_cycle'

/** Null: as far as anybody can tell it is the one who used it. */
export function suspicionOf(repeat: Repeat, { late, from }: Circumstances): Suspicion | null {
  if (late) return 'late'
  if (from !== null && repeat.usedFrom !== null && from !== repeat.usedFrom) {
    return 'another_network'
  }
  if (repeat.times > MOST_REPEATS) return 'again_and_again'
  return inARow(repeat) >= REPEATED_IN_A_ROW ? 'cycle_after_cycle' : null
}

/** How many generations without a gap, with this one among them. */
function inARow({ generation, repeatedNear }: Repeat): number {
  const repeated = new Set([...repeatedNear, generation])
  let [first, last] = [generation, generation]
  while (repeated.has(first - 1)) first -= 1
  while (repeated.has(last + 1)) last += 1
  return last - first + 1
}
