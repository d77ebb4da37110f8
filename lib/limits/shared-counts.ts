import type { CounterStore } from '../store/database/counters'

/**
 * What all server processes have allowed, counted in the database by time windows. A process that
 * reports its count learns what the others allowed since its last report, or in this window.
 */

/** The total of one window at the last report. */
export type LastReport = { window: number; count: number }
export type CountReport = { count: number; known: LastReport | null }
export type SharedCount = { others: number; known: LastReport }
export type Share = (
  taken: ReadonlyMap<string, CountReport>,
) => Promise<ReadonlyMap<string, SharedCount>>

/** A row is reused when its window has long ended. */
const ROWS_OF_A_KEY = 3

export function sharedCounts(
  counters: Pick<CounterStore, 'add'>,
  name: string,
  windowMs: number,
  now: () => Date,
): Share {
  const rowOf = (key: string, window: number) => `${name}:${window % ROWS_OF_A_KEY}:${key}`

  return async (taken) => {
    const at = now()
    const window = Math.floor(at.getTime() / windowMs)
    const hits = new Map<string, number>()
    for (const [key, { count, known }] of taken) {
      hits.set(rowOf(key, window), count)
      // The end of the last window, for which others may have reported since.
      if (known?.window === window - 1) hits.set(rowOf(key, window - 1), 0)
    }
    const rows = await counters.add(hits, at, 2 * windowMs)
    const heard = [...taken].map(([key, telling]): [string, SharedCount] => [
      key,
      hear(telling, window, (which) => rows.get(rowOf(key, which))?.count ?? 0),
    ])
    return new Map(heard)
  }
}

function hear(
  { count, known }: CountReport,
  window: number,
  inWindow: (which: number) => number,
): SharedCount {
  const now = { window, count: inWindow(window) }
  const before = known?.window === window ? known.count : 0
  const missed = known?.window === window - 1 ? inWindow(window - 1) - known.count : 0
  return { others: Math.max(0, now.count - count - before) + Math.max(0, missed), known: now }
}
