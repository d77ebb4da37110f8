import type { Line } from './load'
import { quantile, type Work } from './measure'
import type { Served, Standstills } from './server'

/**
 * How long the unlucky wait, and how long the event loop stood still meanwhile: many requests in one
 * go, so that a major collection, a checkpoint and a look at the policy version are among them.
 */

export type Tail = {
  requests: number
  p50: number
  p99: number
  p999: number
  most: number
  stood: Standstills
}

const BURST = 500

export async function measureTail(
  work: Work,
  line: Line,
  served: Pick<Served, 'standstills'>,
  seconds: number,
): Promise<Tail> {
  const burst = async () => {
    const answered = await line.send(await work.prepare(BURST))
    work.keep?.(answered)
    return answered.latenciesMs
  }
  await forSeconds(seconds / 2, burst) // until the compiler is through
  await served.standstills()
  const latencies = await forSeconds(seconds, burst)
  const stood = await served.standstills()
  const at = (part: number) => quantile(latencies, part)
  const most = Math.max(...latencies)
  return { requests: latencies.length, p50: at(0.5), p99: at(0.99), p999: at(0.999), most, stood }
}

async function forSeconds(seconds: number, burst: () => Promise<number[]>): Promise<number[]> {
  const until = performance.now() + seconds * 1000
  const all: number[] = []
  while (performance.now() < until) for (const one of await burst()) all.push(one)
  return all
}
