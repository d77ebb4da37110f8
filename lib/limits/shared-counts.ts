import type { CounterStore } from '../store/counters'

/**
 * What all server processes have allowed, counted in the database by time windows. A process that
 * reports its count learns what the others allowed since its last report, or in this window.
 */

/** The total of one window at the last report. */
export type Known = { window: number; count: number }
export type Telling = { count: number; known: Known | null }
export type Heard = { others: number; known: Known }
export type Share = (taken: ReadonlyMap<string, Telling>) => Promise<ReadonlyMap<string, Heard>>

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
    const heard = [...taken].map(([key, telling]): [string, Heard] => [
      key,
      hear(telling, window, (which) => rows.get(rowOf(key, which))?.count ?? 0),
    ])
    return new Map(heard)
  }
}

function hear(
  { count, known }: Telling,
  window: number,
  inWindow: (which: number) => number,
): Heard {
  const now = { window, count: inWindow(window) }
  const before = known?.window === window ? known.count : 0
  const missed = known?.window === window - 1 ? inWindow(window - 1) - known.count : 0
  return { others: Math.max(0, now.count - count - before) + Math.max(0, missed), known: now }
}
