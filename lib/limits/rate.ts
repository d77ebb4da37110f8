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
  /** Taken here, and not reported yet. */
  unreported: number
  known: Known | null
}

export function rateLimit(
  perMinute: () => number,
  share: Share,
  millis: () => number = () => performance.now(),
): RateLimit {
  const buckets = bucketsOf(perMinute, millis)
  const { find, mayTake, takeFrom } = buckets
  const report = oneAtATime(() => reportTaken(buckets, share))

  /** A database that is away is felt elsewhere; here each instance then counts for itself. */
  async function takeOnceReported(key: string): Promise<number> {
    for (;;) {
      const reported = await report().then(
        () => true,
        () => false,
      )
      const bucket = find(key)
      if (!reported || mayTake(bucket)) return takeFrom(bucket)
    }
  }

  return {
    take(key) {
      const bucket = find(key)
      return mayTake(bucket) ? takeFrom(bucket) : takeOnceReported(key)
    },
  }
}

type Buckets = ReturnType<typeof bucketsOf>

/** The buckets of this process, filled up as time goes by. */
function bucketsOf(perMinute: () => number, millis: () => number) {
  const perSecond = () => perMinute() / 60
  const capacity = () => Math.max(1, perSecond() * BURST_SECONDS)
  const batch = () => Math.max(1, Math.floor(capacity() / BATCHES_IN_BURST))
  const buckets = new Map<string, Bucket>()
  let limit = perMinute()

  /** Another limit counts from the next request on, whatever was used up under the one before. */
  function followLimit(): void {
    if (perMinute() === limit) return
    limit = perMinute()
    buckets.clear()
  }

  return {
    find(key: string): Bucket {
      followLimit()
      const at = millis()
      const bucket = buckets.get(key) ?? { left: capacity(), at, unreported: 0, known: null }
      const refill = ((at - bucket.at) / 1000) * perSecond()
      bucket.left = Math.min(capacity(), bucket.left + refill)
      bucket.at = at
      // Again, and so the last to be forgotten.
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > MOST_KEYS) forgetOldest(buckets)
      return bucket
    },
    mayTake: ({ left, unreported }: Bucket) => left < 1 || unreported < batch(),
    takeFrom(bucket: Bucket): number {
      if (bucket.left < 1) return Math.ceil((1 - bucket.left) / perSecond())
      bucket.left -= 1
      bucket.unreported += 1
      return 0
    },
    /** Those whose batch is full. */
    due: () => [...buckets].filter(([, { unreported }]) => unreported >= batch()),
    hear(bucket: Bucket, heard: Heard | undefined): void {
      if (!heard) return
      bucket.left = Math.max(-capacity(), bucket.left - heard.others)
      bucket.known = heard.known
    },
  }
}

/** Tells the other instances what was taken here, and learns what they took. */
async function reportTaken({ due: dueNow, hear }: Buckets, share: Share): Promise<void> {
  const due = dueNow()
  const taken = new Map(
    due.map(([key, { unreported, known }]): [string, Telling] => [
      key,
      { count: unreported, known },
    ]),
  )
  const heard = await share(taken)
  // The very buckets that were reported: another limit may have begun new ones meanwhile.
  for (const [key, bucket] of due) {
    bucket.unreported -= taken.get(key)?.count ?? 0
    hear(bucket, heard.get(key))
  }
}

/** Who comes while one is running waits for that one. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}
