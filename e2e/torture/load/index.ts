import { setTimeout as sleep } from 'node:timers/promises'
import { type Portal, startPortal } from '../../support/portal'
import type { Arena, Part } from '../arena'
import { type Line, newTally } from '../report'
import { asFastAsItGoes, atRate, type Measured } from './drive'
import { mix } from './mix'

/** Logins, tokens, checks and admin pages at 70 % of what the process can do: no error, flat memory. */

const SHARE = 0.7
const FULL_MS = 10 * 60_000
const QUICK_MS = 20_000
const CAPACITY_MS = 15_000
const SAMPLE_MS = 5_000
/** Of what is left when garbage was collected; the resident set goes up and down by hundreds. */
const FLAT_MB_A_MINUTE = 1

export const load: Part = async (arena) => {
  const env = { DATABASE_URL: await arena.emptyDatabase(), CLIENT_REQUESTS_PER_MINUTE: '1000000' }
  const portal = await startPortal({ args: ['--demo'], env: { ...env, LOG_LEVEL: 'warn' } })
  try {
    return [await underLoad(arena, portal)]
  } finally {
    await portal.stop()
  }
}

async function underLoad({ kind, quick, seed, say }: Arena, portal: Portal): Promise<Line> {
  const tally = newTally('load', 'logins, tokens, checks, pages', kind)
  const calls = await mix(portal, seed)
  const most = (await asFastAsItGoes(calls, CAPACITY_MS)).perSecond
  const memory = sampled(portal)
  const measured = await atRate(calls, most * SHARE, quick ? QUICK_MS : FULL_MS)
  const samples = await memory.stop()
  tally.rounds = 1
  for (const [name, wrong] of measured.wrong) tally.violations.push(`${name}: ${wrong}`)
  tally.checks += measured.answers
  const slope = slopeOf(collected(samples.slice(Math.floor(samples.length / 2))))
  if (!quick)
    tally.check(slope < FLAT_MB_A_MINUTE, `memory grows by ${slope.toFixed(2)} MB a minute`)
  for (const line of report(measured, most, samples, slope)) say(line)
  return tally
}

function report(
  { answers, latencies, ms }: Measured,
  most: number,
  memory: Sample[],
  slope: number,
) {
  const resident = memory.map(({ residentMb }) => residentMb)
  const left = collected(memory)
  return [
    `load: ${most.toFixed(0)} calls a second at most; ${(answers / (ms / 1000)).toFixed(0)} a second for ${(ms / 60_000).toFixed(1)} minutes, ${answers} answers`,
    ...[...latencies].map(
      ([name, values]) =>
        `load: ${name.padEnd(14)} ${String(values.length).padStart(7)} times, p50 ${at(values, 0.5)} ms, p99 ${at(values, 0.99)} ms`,
    ),
    `load: resident ${Math.min(...resident).toFixed(0)} to ${Math.max(...resident).toFixed(0)} MB; heap when collected, minute by minute: ${left.map(({ mb }) => mb.toFixed(0)).join(' ')} MB; slope of the second half ${slope.toFixed(2)} MB a minute`,
  ]
}

function at(values: number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
}

type Sample = { minute: number; heapMb: number; residentMb: number }

function sampled(portal: Portal) {
  const samples: Sample[] = []
  const started = performance.now()
  let stopped = false
  const taking = (async () => {
    while (!stopped) {
      const minute = (performance.now() - started) / 60_000
      samples.push({ minute, ...(await memoryOf(portal)) })
      await sleep(SAMPLE_MS)
    }
  })()
  return {
    async stop(): Promise<Sample[]> {
      stopped = true
      await taking
      return samples
    },
  }
}

async function memoryOf({ origin }: Portal) {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const read = (name: string) =>
    Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]) / (1024 * 1024)
  return {
    heapMb: read('nodejs_heap_size_used_bytes'),
    residentMb: read('process_resident_memory_bytes'),
  }
}

type Point = { minute: number; mb: number }

/** The least of each minute: what was there just after garbage was collected. */
function collected(samples: readonly Sample[]): Point[] {
  const minutes = new Map<number, number>()
  for (const { minute, heapMb } of samples) {
    const at = Math.floor(minute)
    minutes.set(at, Math.min(minutes.get(at) ?? heapMb, heapMb))
  }
  return [...minutes].map(([minute, mb]) => ({ minute, mb }))
}

/** Least squares: MB a minute. */
function slopeOf(samples: readonly Point[]): number {
  const mean = (of: (sample: Point) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [minute, mb] = [mean((sample) => sample.minute), mean((sample) => sample.mb)]
  const above = samples.reduce((sum, s) => sum + (s.minute - minute) * (s.mb - mb), 0)
  const below = samples.reduce((sum, s) => sum + (s.minute - minute) ** 2, 0)
  return below === 0 ? 0 : above / below
}
