import { lineTo } from './load'
import { quantile } from './measure'
import type { Standstills } from './server'
import type { Contender, Row } from './works'

/**
 * How long the unlucky wait, and how long the event loop stood still meanwhile: many requests in one
 * go, so that major collections, checkpoints and looks at the policy version are among them.
 */

export type Tail = Standstills & {
  requests: number
  p50: number
  p99: number
  p999: number
}

const BURST = 500

/** Null: it cannot do this work. */
export async function measureTail(row: Row, of: Contender, seconds: number): Promise<Tail | null> {
  const [served] = of.served
  if (!served) return null
  const line = lineTo([served.port])
  const work = row.work({ ...of, line })
  if (!work) return null
  const burst = async () => {
    const answered = await line.send(await work.prepare(BURST))
    work.keep?.(answered)
    return answered.latenciesMs
  }
  await forSeconds(seconds / 2, burst) // until the compiler is through
  await served.standstills()
  const latencies = await forSeconds(seconds, burst)
  const stood = await served.standstills()
  line.close()
  const at = (part: number) => quantile(latencies, part)
  return { requests: latencies.length, p50: at(0.5), p99: at(0.99), p999: at(0.999), ...stood }
}

type Wait = () => Promise<number[]>

export function forSeconds(seconds: number, burst: Wait): Promise<number[]> {
  const end = performance.now() + seconds * 1000
  return until(() => performance.now() >= end, burst)
}

export async function until(isOver: () => boolean, burst: Wait): Promise<number[]> {
  const all: number[] = []
  while (!isOver()) for (const one of await burst()) all.push(one)
  return all
}
