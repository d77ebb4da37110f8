import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable, StoreUnavailable } from '../database/unavailable'
import type { DatedEvent } from './audit'

const FLUSH_AFTER_MS = 200
const MAX_BACKLOG = 20_000
const MAX_BATCH = 500
const BEHIND = 'the audit log is behind: too many entries wait to be written'

/**
 * Entries that need no transaction of their own (tokens of machines) wait here for at most
 * FLUSH_AFTER_MS. With a full backlog no more tokens are issued, because they would not be
 * recorded.
 */
export function auditBatch(
  append: (batch: DatedEvent[]) => Promise<unknown>,
  report: (error: unknown) => void,
) {
  let waiting: DatedEvent[] = []
  let timer: NodeJS.Timeout | null = null
  let flushing: Promise<void> = Promise.resolve()

  function add(event: DatedEvent): void {
    if (waiting.length >= MAX_BACKLOG) throw new StoreUnavailable(BEHIND)
    waiting.push(event)
    timer ??= setTimeout(flush, FLUSH_AFTER_MS)
  }

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    flushing = flushing.then(writeWaiting)
    return flushing
  }

  /**
   * Writes what waits now. Later entries wait their own time; otherwise a busy log would write all
   * the time.
   */
  async function writeWaiting(): Promise<void> {
    for (let left = waiting.length; left > 0; ) {
      const batch = waiting.slice(0, Math.min(left, MAX_BATCH))
      try {
        await append(batch)
      } catch (error) {
        report(error)
        if (isUnavailable(error) || !(await appendEach(batch))) {
          timer ??= setTimeout(flush, FLUSH_AFTER_MS * 5)
          return
        }
      }
      waiting = waiting.slice(batch.length)
      left -= batch.length
    }
  }

  /** One entry that cannot be written must not hold up all others: it is written without details. */
  async function appendEach(batch: readonly DatedEvent[]): Promise<boolean> {
    for (const event of batch) {
      try {
        await append([event]).catch((error) => {
          if (isUnavailable(error)) throw error
          const { basis: _basis, ...rest } = event
          return append([{ ...rest, detail: { unwritable: true } }])
        })
      } catch (error) {
        report(error)
        return false
      }
    }
    return true
  }

  /** For a process that may be stopped after its answer; concurrent callers share the batch. */
  async function settled(): Promise<void> {
    if (waiting.length === 0) return
    await sleep(FLUSH_AFTER_MS)
    await flush()
  }

  return { add, flush, settled, withRoom: bulkRoom(() => waiting.length, flush) }
}

/**
 * For requests that leave many entries at once. They wait while the backlog is half full, and are
 * refused if it stays so: the other half is for requests that leave one.
 */
function bulkRoom(backlog: () => number, flush: () => Promise<void>) {
  let draining: Promise<void> | null = null
  let promised = 0
  const isHalfFull = () => backlog() + promised >= MAX_BACKLOG / 2

  function drain(): Promise<void> {
    draining ??= flush().finally(() => {
      draining = null
    })
    return draining
  }

  return async <T>(entries: number, work: () => Promise<T>): Promise<T> => {
    if (isHalfFull()) await drain()
    if (isHalfFull()) throw new StoreUnavailable(BEHIND)
    promised += entries
    try {
      return await work()
    } finally {
      promised -= entries
    }
  }
}
