import { readFileSync } from 'node:fs'
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
/** What garbage collection alone moves within ten minutes. */
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
  const samples = memory.stop()
  tally.rounds = 1
  for (const [name, wrong] of measured.wrong) tally.violations.push(`${name}: ${wrong}`)
  tally.checks += measured.answers
  const slope = slopeOf(samples.slice(Math.floor(samples.length / 2)))
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
  const [first, last] = [memory[0]?.mb ?? 0, memory.at(-1)?.mb ?? 0]
  return [
    `load: ${most.toFixed(0)} calls a second at most; ${(answers / (ms / 1000)).toFixed(0)} a second for ${(ms / 60_000).toFixed(1)} minutes, ${answers} answers`,
    ...[...latencies].map(
      ([name, values]) =>
        `load: ${name.padEnd(14)} ${String(values.length).padStart(7)} times, p50 ${at(values, 0.5)} ms, p99 ${at(values, 0.99)} ms`,
    ),
    `load: memory ${first.toFixed(0)} MB at the start, ${last.toFixed(0)} MB at the end, slope of the second half ${slope.toFixed(2)} MB a minute`,
  ]
}

function at(values: number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
}

type Sample = { minute: number; mb: number }

function sampled({ pid }: Portal) {
  const samples: Sample[] = []
  const started = performance.now()
  const take = () =>
    samples.push({ minute: (performance.now() - started) / 60_000, mb: residentMb(pid) })
  const timer = setInterval(take, SAMPLE_MS)
  take()
  return {
    stop(): Sample[] {
      clearInterval(timer)
      take()
      return samples
    },
  }
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

/** Least squares: MB a minute. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [minute, mb] = [mean((sample) => sample.minute), mean((sample) => sample.mb)]
  const above = samples.reduce((sum, s) => sum + (s.minute - minute) * (s.mb - mb), 0)
  const below = samples.reduce((sum, s) => sum + (s.minute - minute) ** 2, 0)
  return below === 0 ? 0 : above / below
}
