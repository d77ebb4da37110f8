import { forgetOldest } from '../base/forget-oldest'
import type { Heard, Known, Share, Telling } from './shared-counts'

/**
 * So many requests a minute for each key, in bursts of up to ten seconds' worth, over all instances.
 * Each keeps the buckets in its own memory, so the hot path asks no database; it tells the others
 * what it let through in batches of a twentieth of a burst, and hears what they did. Nobody is ahead
 * of what was told by more than one batch, so all together let through at most one batch too many
 * for each instance. The keys that were not heard of longest go first: memory is bounded.
 */

export const BURST_SECONDS = 10
const BATCHES_IN_BURST = 20
const MOST_KEYS = 20_000

export type RateLimit = {
  /** Seconds to wait; 0: go ahead, and it is counted. A promise only where a batch is full. */
  take(key: string): number | Promise<number>
}

type Bucket = {
  /** Below zero where others took what we had. */
  left: number
  at: number
  /** Taken here, and not told yet. */
  untold: number
  known: Known | null
}

export function rateLimit(
  perMinute: () => number,
  share: Share,
  millis: () => number = () => performance.now(),
): RateLimit {
  const perSecond = () => perMinute() / 60
  const capacity = () => Math.max(1, perSecond() * BURST_SECONDS)
  const batch = () => Math.max(1, Math.floor(capacity() / BATCHES_IN_BURST))
  const buckets = new Map<string, Bucket>()
  let telling: Promise<void> | null = null
  let limit = perMinute()

  /** Another limit counts from the next request on, whatever was used up under the one before. */
  function followLimit(): void {
    if (perMinute() === limit) return
    limit = perMinute()
    buckets.clear()
  }

  function refilled(key: string): Bucket {
    followLimit()
    const at = millis()
    const bucket = buckets.get(key) ?? { left: capacity(), at, untold: 0, known: null }
    const refill = ((at - bucket.at) / 1000) * perSecond()
    bucket.left = Math.min(capacity(), bucket.left + refill)
    bucket.at = at
    // Again, and so the last to be forgotten.
    buckets.delete(key)
    buckets.set(key, bucket)
    if (buckets.size > MOST_KEYS) forgetOldest(buckets)
    return bucket
  }

  function mayTake({ left, untold }: Bucket): boolean {
    return left < 1 || untold < batch()
  }

  function takeFrom(bucket: Bucket): number {
    if (bucket.left < 1) return Math.ceil((1 - bucket.left) / perSecond())
    bucket.left -= 1
    bucket.untold += 1
    return 0
  }

  /** A database that is away is felt elsewhere; here each instance then counts for itself. */
  async function takeWhenTold(key: string): Promise<number> {
    for (;;) {
      const told = await tell().then(
        () => true,
        () => false,
      )
      const bucket = refilled(key)
      if (!told || mayTake(bucket)) return takeFrom(bucket)
    }
  }

  /** One at a time: who comes meanwhile is in the next one. */
  function tell(): Promise<void> {
    telling ??= tellNow().finally(() => {
      telling = null
    })
    return telling
  }

  async function tellNow(): Promise<void> {
    const due = [...buckets].filter(([, { untold }]) => untold >= batch())
    const taken = new Map(
      due.map(([key, { untold, known }]): [string, Telling] => [key, { count: untold, known }]),
    )
    const heard = await share(taken)
    // The very buckets that were told of: another limit may have begun new ones meanwhile.
    for (const [key, bucket] of due) {
      bucket.untold -= taken.get(key)?.count ?? 0
      hear(bucket, heard.get(key))
    }
  }

  function hear(bucket: Bucket, heard: Heard | undefined): void {
    if (!heard) return
    bucket.left = Math.max(-capacity(), bucket.left - heard.others)
    bucket.known = heard.known
  }

  return {
    take(key) {
      const bucket = refilled(key)
      return mayTake(bucket) ? takeFrom(bucket) : takeWhenTold(key)
    },
  }
}
