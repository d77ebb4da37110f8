import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask, Burst, Line, Visit } from './load'
import type { Usage } from './server'

/**
 * Everybody in turn, round after round, so that whatever else the machine does happens to all of them.
 * What counts is the server's CPU time for one request; the median of the rounds stands.
 */

export type Side = {
  name: string
  line: Line
  usage(): Promise<Usage>
  /** For how long after an answer it may still be writing because of it. */
  behindMs: number
  /** Each gets as many requests as one alone would. */
  processes: number
}

export type Work = {
  side: Side
  /** So many requests, made ready before anything is measured. */
  prepare(count: number): Promise<Ask[]>
  /** Each ask is one request, unless told. */
  visit?: Visit
  /** So cheap that waking up would be most of what is measured: more of them at a time. */
  cheap?: true
  /** It leaves something to be written behind the answer, which is waited for and counted. */
  behind?: true
  /** What came back may be what the next work needs. */
  keep?(burst: Burst): void
}

export type Figure = {
  /** The median of the rounds; half of them were between `low` and `high`. */
  cpuMs: number
  low: number
  high: number
  /** CPU of the PostgreSQL below it, over all rounds, because its clock is coarse. */
  databaseMs: number | null
  perSecond: number
  p50: number
  p99: number
}

/** `warm`: so many requests beforehand, and more until they get no cheaper, for at most `warmMs`. */
export type Effort = { rounds: number; requests: number; warm: number; warmMs: number }

/** A page costs a hundred times of what a token does. */
export const PAGE_EFFORT: Effort = { rounds: 9, requests: 60, warm: 200, warmMs: 5_000 }

export async function measure(works: readonly Work[], effort: Effort): Promise<Figure[]> {
  const { rounds, requests } = effort
  const samples = works.map((): Sample[] => [])
  for (const work of works) await warmUp(work, effort)
  for (let round = 0; round < rounds; round += 1) {
    for (const at of inTurn(works.length, round)) {
      const work = works[at]
      if (work) samples[at]?.push(await run(work, requests))
    }
  }
  return samples.map(toFigure)
}

/** Bursts in which nothing got cheaper: the compiler is through with it. */
const STEADY_BURSTS = 4
const CHEAPER = 0.97

/** What answers for days is measured, not what was started a moment ago. */
async function warmUp(work: Work, { requests, warm, warmMs }: Effort): Promise<void> {
  const deadline = performance.now() + warmMs
  let cheapest = Number.POSITIVE_INFINITY
  let steady = 0
  for (let done = 0; performance.now() < deadline; done += requests) {
    if (done >= warm && steady >= STEADY_BURSTS) return
    const { cpuMs } = await run(work, requests)
    steady = cpuMs < cheapest * CHEAPER ? 0 : steady + 1
    cheapest = Math.min(cheapest, cpuMs)
  }
}

/** Nobody is always first. */
function inTurn(count: number, round: number): number[] {
  return Array.from({ length: count }, (_, at) => (at + round) % count)
}

type Sample = {
  cpuMs: number
  databaseMs: number | null
  requests: number
  perSecond: number
  latenciesMs: number[]
}

const MORE = 3

async function run(work: Work, count: number): Promise<Sample> {
  const asks = await work.prepare(count * (work.cheap ? MORE : 1) * work.side.processes)
  const before = await work.side.usage()
  const burst = await work.side.line.send(asks, work.visit)
  if (work.behind) await sleep(work.side.behindMs)
  const after = await work.side.usage()
  work.keep?.(burst)
  return {
    cpuMs: (after.cpuMs - before.cpuMs) / asks.length,
    databaseMs:
      before.databaseMs === undefined ? null : (after.databaseMs ?? 0) - before.databaseMs,
    requests: asks.length,
    perSecond: asks.length / burst.seconds,
    latenciesMs: burst.latenciesMs,
  }
}

function toFigure(samples: Sample[]): Figure {
  const latencies = samples.flatMap(({ latenciesMs }) => latenciesMs)
  const costs = samples.map(({ cpuMs }) => cpuMs)
  return {
    cpuMs: median(costs),
    low: quantile(costs, 0.25),
    high: quantile(costs, 0.75),
    databaseMs: databaseOf(samples),
    perSecond: median(samples.map(({ perSecond }) => perSecond)),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}

function databaseOf(samples: Sample[]): number | null {
  const spent = samples.flatMap(({ databaseMs }) => databaseMs ?? [])
  if (spent.length === 0) return null
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)
  return sum(spent) / sum(samples.map(({ requests }) => requests))
}

export function median(values: number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
