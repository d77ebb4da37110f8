/**
 * So many requests a minute for each key, in bursts of up to ten seconds' worth; kept in this
 * process, so the hot path asks no database, and every instance counts for itself. The keys that
 * were not heard of longest go first, so memory is bounded whatever is asked.
 */

const BURST_SECONDS = 10
const MOST_KEYS = 20_000

export type RateLimit = {
  /** Seconds to wait; 0: go ahead, and it is counted. */
  take(key: string): number
}

type Bucket = { left: number; at: number }

export function rateLimit(perMinute: () => number, millis: () => number = () => performance.now()) {
  const perSecond = () => perMinute() / 60
  const capacity = () => Math.max(1, perSecond() * BURST_SECONDS)
  const buckets = new Map<string, Bucket>()

  function refilled(key: string): Bucket {
    const at = millis()
    const bucket = buckets.get(key)
    if (!bucket) return { left: capacity(), at }
    buckets.delete(key)
    const refill = ((at - bucket.at) / 1000) * perSecond()
    return { left: Math.min(capacity(), bucket.left + refill), at }
  }

  return {
    take(key: string): number {
      const bucket = refilled(key)
      const goes = bucket.left >= 1
      if (goes) bucket.left -= 1
      buckets.set(key, bucket)
      if (buckets.size > MOST_KEYS) forgetOldest(buckets)
      return goes ? 0 : Math.ceil((1 - bucket.left) / perSecond())
    },
  } satisfies RateLimit
}

export function forgetOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
