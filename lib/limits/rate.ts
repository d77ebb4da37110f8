import { forgetOldest } from '../base/forget-oldest'
import type { CountReport, LastReport, Share, SharedCount } from './shared-counts'

/**
 * Limits requests per minute for each key, in bursts of up to ten seconds' worth, over all server
 * processes. Each process keeps its buckets in memory, so most requests need no query. It reports
 * what it allowed in batches of a twentieth of a burst, and learns what the others allowed. No
 * process has more than one unreported batch, so together they exceed the limit by at most one
 * batch per process. The keys that were unused for longest are dropped first, so memory is limited.
 */

export const BURST_SECONDS = 10
const BATCHES_IN_BURST = 20
const MAX_KEYS = 20_000

export type RateLimit = {
  /** Seconds to wait; 0 means go ahead, and it is counted. A promise only if a batch is full. */
  take(key: string): number | Promise<number>
}

type Bucket = {
  /** Below zero if other processes used what was left here. */
  left: number
  at: number
  /** Used here and not reported yet. */
  unreported: number
  known: LastReport | null
}

export function rateLimit(
  perMinute: () => number,
  share: Share,
  millis: () => number = () => performance.now(),
): RateLimit {
  const buckets = bucketsOf(perMinute, millis)
  const { find, mayTake, takeFrom } = buckets
  const report = oneAtATime(() => reportTaken(buckets, share))

  /** If the database cannot be reached, each process counts for itself. */
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

/** The buckets of this process, refilled over time. */
function bucketsOf(perMinute: () => number, millis: () => number) {
  const perSecond = () => perMinute() / 60
  const capacity = () => Math.max(1, perSecond() * BURST_SECONDS)
  const batch = () => Math.max(1, Math.floor(capacity() / BATCHES_IN_BURST))
  const buckets = new Map<string, Bucket>()
  let limit = perMinute()

  /** A changed limit applies from the next request, whatever was used before. */
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
      // Inserted again, so that it is dropped last.
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > MAX_KEYS) forgetOldest(buckets)
      return bucket
    },
    mayTake: ({ left, unreported }: Bucket) => left < 1 || unreported < batch(),
    takeFrom(bucket: Bucket): number {
      if (bucket.left < 1) return Math.ceil((1 - bucket.left) / perSecond())
      bucket.left -= 1
      bucket.unreported += 1
      return 0
    },
    /** Buckets whose batch is full. */
    due: () => [...buckets].filter(([, { unreported }]) => unreported >= batch()),
    hear(bucket: Bucket, heard: SharedCount | undefined): void {
      if (!heard) return
      bucket.left = Math.max(-capacity(), bucket.left - heard.others)
      bucket.known = heard.known
    },
  }
}

/** Reports what was used here to the other processes, and learns what they used. */
async function reportTaken({ due: dueNow, hear }: Buckets, share: Share): Promise<void> {
  const due = dueNow()
  const taken = new Map(
    due.map(([key, { unreported, known }]): [string, CountReport] => [
      key,
      { count: unreported, known },
    ]),
  )
  const heard = await share(taken)
  // The same buckets that were reported: a changed limit may have replaced them meanwhile.
  for (const [key, bucket] of due) {
    bucket.unreported -= taken.get(key)?.count ?? 0
    hear(bucket, heard.get(key))
  }
}

/** Concurrent callers wait for the run in progress. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}
