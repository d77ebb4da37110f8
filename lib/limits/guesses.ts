import { forgetOldest } from '../base/forget-oldest'
import type { CounterStore } from '../store/database/counters'

/**
 * Limits wrong guesses of a secret by network. They are counted in the database and remembered here
 * once there are too many. Only a failure costs a query; the right secret costs none.
 */

const WINDOW_MS = 15 * 60 * 1000
const MAX_KEYS = 20_000

type GuessLimit = {
  /** Seconds to wait; 0 means go ahead. The key is computed only while somebody has to wait. */
  wait(key: () => string): number
  failed(key: string): Promise<void>
}

export function guessLimit(
  counters: Pick<CounterStore, 'hit'>,
  name: string,
  most: number,
  now: () => Date,
): GuessLimit {
  const barredUntil = new Map<string, number>()
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
    async failed(key) {
      const { count, resetsAt } = await counters.hit(`${name}:${key}`, now(), WINDOW_MS)
      if (count < most) return
      barredUntil.set(key, resetsAt.getTime())
      if (barredUntil.size > MAX_KEYS) forgetOldest(barredUntil)
    },
  }
}
