import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from './mix'

/** Calls by the clock or as fast as they come back; what was answered, how fast and what was wrong. */

export type LoadMeasurement = {
  answers: number
  ms: number
  perSecond: number
  latencies: Map<string, number[]>
  /** What was answered otherwise than it should have been. */
  wrong: [name: string, what: string][]
}

const AT_ONCE = 8
const TICK_MS = 10
/** More than this in flight, and the process is not keeping up. */
const MAX_IN_FLIGHT = 500

export async function asFastAsItGoes(calls: () => Call, forMs: number): Promise<LoadMeasurement> {
  const book = newBook()
  const until = performance.now() + forMs
  const worker = async () => {
    while (performance.now() < until) await book.note(calls(), performance.now())
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return book.close()
}

/** Latency counts from when a call was due: whoever keeps others waiting pays for it. */
export async function atRate(
  calls: () => Call,
  perSecond: number,
  forMs: number,
): Promise<LoadMeasurement> {
  const book = newBook()
  const started = performance.now()
  const inFlight = new Set<Promise<void>>()
  for (let sent = 0; performance.now() - started < forMs; ) {
    const due = Math.floor(((performance.now() - started) / 1000) * perSecond)
    for (; sent < due && inFlight.size < MAX_IN_FLIGHT; sent += 1) {
      const call = book.note(calls(), started + (sent / perSecond) * 1000)
      inFlight.add(call)
      call.finally(() => inFlight.delete(call))
    }
    await sleep(TICK_MS)
  }
  await Promise.all(inFlight)
  return book.close()
}

function newBook() {
  const started = performance.now()
  const latencies = new Map<string, number[]>()
  const wrong: LoadMeasurement['wrong'] = []
  let answers = 0
  return {
    async note({ name, make }: Call, dueAt: number): Promise<void> {
      const fault = await make().catch((error: unknown) => String(error))
      answers += 1
      if (fault !== null) wrong.push([name, fault])
      const known = latencies.get(name) ?? []
      latencies.set(name, known)
      known.push(performance.now() - dueAt)
    },
    close(): LoadMeasurement {
      const ms = performance.now() - started
      return { answers, ms, perSecond: (answers * 1000) / ms, latencies, wrong }
    },
  }
}
