import { forgetOldest } from '../base/forget-oldest'
import type { CounterStore } from '../store/database/counters'

/**
 * Limits wrong guesses of a secret by network. They are counted here at once, so that many in the
 * same moment count, too, and in the database, which knows those of other server processes. Only a
 * failure costs a query; the right secret costs none.
 */

const WINDOW_MS = 15 * 60 * 1000
const MAX_KEYS = 20_000

type GuessLimit = {
  /** Seconds to wait; 0 means go ahead. The key is computed only while somebody has to wait. */
  wait(key: () => string): number
  /** Counted before the promise is made. `onlyHere`: by this process alone, in bounded memory. */
  failed(key: string, onlyHere?: boolean): Promise<void>
}

export function guessLimit(
  counters: Pick<CounterStore, 'hit'>,
  name: string,
  most: number,
  now: () => Date,
): GuessLimit {
  const counted = new Map<string, { count: number; until: number }>()
  const barredUntil = new Map<string, number>()

  function note(key: string, count: number, until: number): void {
    counted.set(key, { count, until })
    if (counted.size > MAX_KEYS) forgetOldest(counted)
    if (count < most) return
    barredUntil.set(key, until)
    if (barredUntil.size > MAX_KEYS) forgetOldest(barredUntil)
  }

  function countHere(key: string): void {
    const known = counted.get(key)
    const at = now().getTime()
    if (!known || known.until <= at) note(key, 1, at + WINDOW_MS)
    else note(key, known.count + 1, known.until)
  }

  return {
    wait(keyOf) {
      if (barredUntil.size === 0) return 0
      const key = keyOf()
      const until = barredUntil.get(key)
      if (until === undefined) return 0
      const seconds = Math.ceil((until - now().getTime()) / 1000)
      if (seconds > 0) return seconds
      barredUntil.delete(key)
      return 0
    },
    async failed(key, onlyHere = false) {
      countHere(key)
      if (onlyHere) return
      const { count, resetsAt } = await counters.hit(`${name}:${key}`, now(), WINDOW_MS)
      note(key, Math.max(count, counted.get(key)?.count ?? 0), resetsAt.getTime())
    },
  }
}
