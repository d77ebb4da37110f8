import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../support/folder'
import { type Portal, startPortal } from '../../support/portal'
import { answeringOf } from '../../support/workers'
import type { Arena, Part } from '../arena'
import { type Line, newTally } from '../report'
import { asFastAsItGoes, atRate, type LoadMeasurement } from './drive'
import { mix } from './mix'

/** Logins, tokens, checks and admin pages at 70 % of what the process can do: no error, flat memory. */

const SHARE = 0.7
const FULL_MS = 10 * 60_000
const QUICK_MS = 20_000
const CAPACITY_MS = 15_000
const SAMPLE_MS = 10_000
const COLLECTED_MS = 20_000
const MEGABYTE = 1024 * 1024
const COLLECTOR = pathToFileURL(join(process.cwd(), 'e2e/torture/load/collector.mjs'))
const FLAT_MB_A_MINUTE = 1

type Measurable = { portal: Portal; heapFile: string }

export const load: Part = async (arena) => {
  const heapFile = join(temporaryFolder(), 'heap')
  const env = {
    DATABASE_URL: await arena.emptyDatabase(),
    CLIENT_REQUESTS_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--import=${COLLECTOR}`,
    HEAP_FILE: heapFile,
  }
  const portal = await startPortal({ args: ['--demo'], env })
  try {
    return [await underLoad(arena, { portal, heapFile })]
  } finally {
    await portal.stop()
  }
}

async function underLoad({ kind, quick, seed, say }: Arena, measured: Measurable): Promise<Line> {
  const tally = newTally('load', 'logins, tokens, checks, pages', kind)
  const calls = await mix(measured.portal, seed)
  const most = (await asFastAsItGoes(calls, CAPACITY_MS)).perSecond
  const memory = sampled(measured)
  const answered = await atRate(calls, most * SHARE, quick ? QUICK_MS : FULL_MS)
  const samples = await memory.stop()
  tally.rounds = 1
  for (const [name, wrong] of answered.wrong) tally.violations.push(`${name}: ${wrong}`)
  tally.checks += answered.answers
  const slope = slopeOf(samples.slice(Math.floor(samples.length / 2)))
  if (!quick)
    tally.check(slope < FLAT_MB_A_MINUTE, `memory grows by ${slope.toFixed(2)} MB a minute`)
  for (const line of report(answered, most, samples, slope)) say(line)
  return tally
}

function report(
  { answers, latencies, ms }: LoadMeasurement,
  most: number,
  memory: Sample[],
  slope: number,
) {
  const resident = memory.map(({ residentMb }) => residentMb)
  const heap = memory.map(({ heapMb }) => heapMb.toFixed(0)).join(' ')
  return [
    `load: ${most.toFixed(0)} calls a second at most; ${(answers / (ms / 1000)).toFixed(0)} a second for ${(ms / 60_000).toFixed(1)} minutes, ${answers} answers`,
    ...[...latencies].map(
      ([name, values]) =>
        `load: ${name.padEnd(14)} ${String(values.length).padStart(7)} times, p50 ${at(values, 0.5)} ms, p99 ${at(values, 0.99)} ms`,
    ),
    `load: resident ${Math.min(...resident).toFixed(0)} to ${Math.max(...resident).toFixed(0)} MB; heap when collected, six times a minute: ${heap} MB; slope of the second half ${slope.toFixed(2)} MB a minute`,
  ]
}

function at(values: number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
}

type Sample = { minute: number; heapMb: number; residentMb: number }

function sampled(portal: Measurable) {
  const samples: Sample[] = []
  const started = performance.now()
  let stopped = false
  const taking = (async () => {
    while (!stopped) {
      const minute = (performance.now() - started) / 60_000
      samples.push({ minute, heapMb: await heapLeft(portal), residentMb: await residentMb(portal) })
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

/**
 * When all garbage was collected: what is in use goes up and down by a hundred megabytes. A portal that
 * does not answer has no figure, and is not flat.
 */
async function heapLeft({ portal, heapFile }: Measurable): Promise<number> {
  const left = await Promise.all(answeringOf(portal).map((pid) => heapOf(pid, heapFile)))
  return left.reduce((sum, one) => sum + one, 0)
}

async function heapOf(pid: number, heapFile: string): Promise<number> {
  const file = `${heapFile}.${pid}`
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  const until = performance.now() + COLLECTED_MS
  while (!existsSync(file)) {
    if (performance.now() > until) return Number.NaN
    await sleep(10)
  }
  return Number(readFileSync(file, 'utf8')) / MEGABYTE
}

async function residentMb({ portal }: Measurable): Promise<number> {
  const text = await (await fetch(`${portal.origin}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (.+)$/m.exec(text)?.[1]) / MEGABYTE
}

/** Least squares: MB a minute. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [minute, mb] = [mean((sample) => sample.minute), mean((sample) => sample.heapMb)]
  const above = samples.reduce((sum, s) => sum + (s.minute - minute) * (s.heapMb - mb), 0)
  const below = samples.reduce((sum, s) => sum + (s.minute - minute) ** 2, 0)
  return below === 0 ? 0 : above / below
}
