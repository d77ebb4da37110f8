import type { Casbin } from './casbin'
import type { Figure } from './measure'
import { NAMES } from './stage'
import type { Start } from './start'
import type { Row } from './works'

/** The results, for the terminal and as bench/results.md. */

export type Measured = { row: Row; figures: ReadonlyMap<string, Figure> }

export type Growth = { name: string; sizes: readonly string[]; rows: Measured[] }

export type Results = {
  machine: string[]
  configurations: string[]
  rows: Measured[]
  growths: Growth[]
  starts: { what: string; start: Start }[]
  casbin: Casbin
}

const MOST_BAR = 40
const START_GOAL = { seconds: 3, megabytes: 200 }
const GROWTH_GOAL = 1.2
/** Within what two runs of the same differ. */
const NOISE = 1.005

export function printRow({ row, figures }: Measured): void {
  process.stdout.write(`\n${row.title}\n`)
  for (const [name, figure] of figures) {
    const { cpuMs, perSecond, p50, p99 } = figure
    const cells = [
      name.padEnd(24),
      `${ms(cpuMs)} ms CPU`,
      `${perSecond.toFixed(0)}/s`.padStart(8),
      `p50 ${p50.toFixed(1)} ms`,
      `p99 ${p99.toFixed(1)} ms`,
    ]
    process.stdout.write(`  ${cells.join('  ')}\n`)
  }
  const verdict = verdictOf({ row, figures })
  if (verdict) process.stdout.write(`  ${verdict.text}\n`)
}

type Verdict = { ratio: number; goal: number; met: boolean; text: string }

function verdictOf({ row, figures }: Measured, ours: string = NAMES.ours): Verdict | null {
  const mine = figures.get(ours)
  const other = row.goal && figures.get(NAMES[row.goal.against])
  if (!mine || !other || !row.goal) return null
  const ratio = mine.cpuMs / other.cpuMs
  const goal = row.goal.times
  const met = ratio <= goal * NOISE
  const against = NAMES[row.goal.against]
  const text = `${ratio.toFixed(2)} times ${against}, goal ${goal.toFixed(1)}: ${met ? 'met' : 'missed'}`
  return { ratio, goal, met, text }
}

export function reportOf(results: Results): string {
  return [
    '# What Gatehouse costs, beside others',
    'Written by `npm run bench`. The figure is the server’s CPU for one request: user and system time of the process, all threads, divided by the requests; the median of the rounds, in which all sides take turns. Compare within a row: milliseconds differ from machine to machine and from hour to hour, ratios hardly.',
    '## The machine',
    list(results.machine),
    '## Who is measured',
    list(results.configurations),
    '## Server CPU for one request, ms',
    mainTable(results),
    `\`\`\`text\n${chart(results.rows.filter(({ row }) => row.goal !== null))}\n\`\`\``,
    '## Requests a second and time to answer, p50 / p99 in ms',
    'From one client on the same machine with eight connections, so the client’s own work is in it.',
    throughputTable(results.rows),
    '## Start, memory, first page',
    startTable(results),
    ...results.growths.flatMap((growth) => [`## ${growth.name}`, growthTable(growth)]),
    '',
  ].join('\n\n')
}

function mainTable({ rows, casbin }: Results): string {
  const names = Object.values(NAMES)
  const lines = rows.map((measured) => [
    measured.row.title,
    ...names.map((name) => figureIn(measured, name)),
    ...verdictCells(measured),
  ])
  const note = `casbin’s call alone, in process, ${casbin.users} users and 1 000 rules: ${ms(casbin.allow)} ms to allow, ${ms(casbin.deny)} ms to deny.`
  return `${table(['work', ...names, 'ratio', 'goal', ''], lines)}\n\n${note}`
}

function figureIn({ figures }: Measured, name: string): string {
  const figure = figures.get(name)
  return figure ? ms(figure.cpuMs) : '-'
}

function verdictCells(measured: Measured): string[] {
  const verdict = verdictOf(measured)
  if (!verdict || !measured.row.goal) return ['-', '-', '-']
  const { ratio, goal, met } = verdict
  const wanted = `${goal.toFixed(1)} × ${NAMES[measured.row.goal.against]}`
  return [ratio.toFixed(2), wanted, met ? 'met' : '**missed**']
}

function throughputTable(rows: Measured[]): string {
  const names = Object.values(NAMES)
  const cell = ({ figures }: Measured, name: string) => {
    const figure = figures.get(name)
    if (!figure) return '-'
    const { perSecond, p50, p99 } = figure
    return `${perSecond.toFixed(0)}/s, ${p50.toFixed(1)} / ${p99.toFixed(1)}`
  }
  const lines = rows.map((one) => [one.row.title, ...names.map((name) => cell(one, name))])
  return table(['work', ...names], lines)
}

function startTable({ starts }: Results): string {
  const head = ['portal', 'to the first token', 'CPU for it', 'idle memory', 'first page', '']
  const lines = starts.map(({ what, start }) => {
    const { tokenMs, cpuMs, rssMb, coldPageMs, coldPageCpuMs } = start
    const met = tokenMs / 1000 <= START_GOAL.seconds && rssMb <= START_GOAL.megabytes
    return [
      what,
      `${(tokenMs / 1000).toFixed(2)} s`,
      `${(cpuMs / 1000).toFixed(2)} s`,
      `${rssMb.toFixed(0)} MB`,
      `${coldPageMs.toFixed(0)} ms, ${coldPageCpuMs.toFixed(0)} ms CPU`,
      met ? 'met' : '**missed**',
    ]
  })
  const goal = `Goal: ${START_GOAL.seconds} s and ${START_GOAL.megabytes} MB, at a second start (installed, built, migrated), by \`npm start\`; memory is the resident set after ten idle seconds.`
  return `${goal}\n\n${table(head, lines)}`
}

/** Ratio to the smallest; what takes part for comparison only has no column. */
function growthTable({ sizes, rows }: Growth): string {
  const lines = rows.map((measured) => {
    const costs = sizes.map((size) => measured.figures.get(size)?.cpuMs ?? 0)
    const ratios = costs.slice(1).map((cost) => cost / (costs[0] ?? 1))
    const met = ratios.every((ratio) => ratio <= GROWTH_GOAL * NOISE)
    return [
      measured.row.title,
      ...costs.map(ms),
      ...ratios.map((ratio) => ratio.toFixed(2)),
      measured.row.goal === null ? '-' : met ? 'met' : '**missed**',
    ]
  })
  const ratioHeads = sizes.slice(1).map((size) => `${size} / ${sizes[0]}`)
  return table(['CPU, ms', ...sizes, ...ratioHeads, `at most ${GROWTH_GOAL}`], lines)
}

function chart(rows: Measured[]): string {
  const most = Math.max(...rows.flatMap(({ figures }) => [...figures.values()].map(costOf)))
  return rows
    .map(({ row, figures }) => {
      const bars = [...figures].map(([name, figure]) => {
        const bar = '█'.repeat(Math.max(1, Math.round((figure.cpuMs / most) * MOST_BAR)))
        return `  ${name.padEnd(24)}${bar} ${ms(figure.cpuMs)}`
      })
      return [row.title.replaceAll('`', ''), ...bars].join('\n')
    })
    .join('\n')
}

function costOf({ cpuMs }: Figure): number {
  return cpuMs
}

function ms(value: number): string {
  return value.toFixed(value < 0.1 ? 3 : 2)
}

function list(lines: string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

function table(head: readonly string[], lines: string[][]): string {
  const rows = [head, head.map(() => '---'), ...lines]
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
