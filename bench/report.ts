import type { Casbin } from './casbin'
import type { Figure } from './measure'
import type { Weight } from './page-weight'
import { NAMES } from './stage'
import type { Start } from './start'
import { TAIL_CONNECTIONS, type Tail } from './tail'
import type { Row } from './works'

/** The results, for the terminal and as bench/results.md. */

export type MeasuredRow = { row: Row; figures: ReadonlyMap<string, Figure> }

/** `note`: what else was measured, as a sentence. */
export type Growth = { name: string; sizes: readonly string[]; rows: MeasuredRow[]; note: string }

/** `cold`: the CPU of one of the first requests; null where it was not measured. */
export type Tails = { title: string; name: string; cold: number | null; tail: Tail }

export type Quiet = { name: string; cpuMs: number }

export type PageResult = MeasuredRow & { weights: ReadonlyMap<string, Weight> }

export type Results = {
  machine: string[]
  configurations: string[]
  rows: MeasuredRow[]
  pages: PageResult[]
  tails: Tails[]
  quiet: Quiet[]
  growths: Growth[]
  starts: { what: string; start: Start }[]
  casbin: Casbin
}

/** Those that are asked for more than a page. */
const SIDES = Object.values(NAMES).filter((name) => name !== NAMES.barePage)
const MAX_BAR = 40
const START_GOAL = { seconds: 3, megabytes: 200 }
const GROWTH_GOAL = 1.2
const TAIL_GOAL = { times: 1.5, standstillMs: 20 }
const IDLE_GOAL_MS = 2
/** Within what two runs of the same differ. */
const NOISE = 1.005

export function printRow({ row, figures }: MeasuredRow): void {
  process.stdout.write(`\n${row.title}\n`)
  for (const [name, figure] of figures) {
    const { cpuMs, low, high, perSecond, p50, p99 } = figure
    const cells = [
      name.padEnd(24),
      `${ms(cpuMs)} ms CPU (${ms(low)} to ${ms(high)})`,
      `${perSecond.toFixed(0)}/s`.padStart(8),
      `p50 ${p50.toFixed(1)} ms`,
      `p99 ${p99.toFixed(1)} ms`,
    ]
    process.stdout.write(`  ${cells.join('  ')}\n`)
  }
  const assessment = assessmentOf({ row, figures })
  if (assessment) process.stdout.write(`  ${assessment.text}\n`)
}

type Assessment = { ratio: number; goal: number; word: string; text: string }

/**
 * Half of the rounds of each side lie within its spread. If the goal lies within the spread of the
 * ratio, one run does not decide, and the assessment says so.
 */
function wordFor(mine: Figure, other: Figure, goal: number): string {
  const met = mine.cpuMs / other.cpuMs <= goal * NOISE
  const decided = met ? mine.high / other.low <= goal : mine.low / other.high > goal
  return `${met ? 'met' : 'missed'}${decided ? '' : ', within the spread'}`
}

function assessmentOf({ row, figures }: MeasuredRow, ours: string = NAMES.ours): Assessment | null {
  const mine = figures.get(ours)
  const other = row.goal && figures.get(NAMES[row.goal.against])
  if (!mine || !other || !row.goal) return null
  const ratio = mine.cpuMs / other.cpuMs
  const goal = row.goal.times
  const word = wordFor(mine, other, goal)
  const against = NAMES[row.goal.against]
  const text = `${ratio.toFixed(2)} times ${against}, goal ${goal.toFixed(1)}: ${word}`
  return { ratio, goal, word, text }
}

export function reportOf(results: Results): string {
  return [
    '# What Gatehouse costs, beside others',
    'Written by `npm run bench`. The figure is the server’s CPU for one request: user and system time of the process, all threads, divided by the requests; the median of the rounds, in which all sides take turns, and in brackets what half of the rounds lay between. Compare within a row: milliseconds differ from machine to machine and from hour to hour, ratios hardly. The parts may have been measured one after the other, and a row that was measured alone replaces the one before.',
    '## The machine',
    list(results.machine),
    '## Who is measured',
    list(results.configurations),
    '## Server CPU for one request, ms',
    mainTable(results),
    `\`\`\`text\n${chart(results.rows.filter(({ row }) => row.goal !== null))}\n\`\`\``,
    '## Pages',
    'On SQLite, warm. A bare page is a form with one field under the same Next.js. Bytes are not compressed; the scripts are those that the HTML names.',
    pagesTable(results.pages),
    '## Requests a second and time to answer, p50 / p99 in ms',
    'From one client on the same machine with eight connections, so the client’s own work is in it.',
    throughputTable(results.rows),
    `## The tail with ${TAIL_CONNECTIONS} connections, and the first requests`,
    tailTable(results.tails),
    '## Asked nothing',
    quietTable(results.quiet),
    '## Start, memory, first page',
    startTable(results),
    ...results.growths.flatMap((growth) => [`## ${growth.name}`, growthTable(growth), growth.note]),
    '',
  ].join('\n\n')
}

function mainTable({ rows, casbin }: Results): string {
  const names = SIDES
  const lines = rows.map((measured) => [
    measured.row.title,
    ...names.map((name) => figureIn(measured, name)),
    databaseIn(measured),
    ...assessmentCells(measured),
  ])
  const note = `casbin’s call alone, in process, ${casbin.users} users and 1 000 rules: ${ms(casbin.allow)} ms to allow, ${ms(casbin.deny)} ms to deny.`
  return `${table(['work', ...names, 'PostgreSQL itself', 'ratio', 'goal', ''], lines)}\n\n${note}`
}

function figureIn({ figures }: MeasuredRow, name: string): string {
  const figure = figures.get(name)
  return figure ? `${ms(figure.cpuMs)} (${ms(figure.low)} to ${ms(figure.high)})` : '-'
}

function databaseIn({ figures }: MeasuredRow): string {
  const databaseMs = figures.get(NAMES.oursOnPostgres)?.databaseMs ?? null
  return databaseMs === null ? '-' : ms(databaseMs)
}

function assessmentCells(measured: MeasuredRow): string[] {
  const assessment = assessmentOf(measured)
  if (!assessment || !measured.row.goal) return ['-', '-', '-']
  const { ratio, goal, word } = assessment
  const wanted = `${goal.toFixed(1)} × ${NAMES[measured.row.goal.against]}`
  return [ratio.toFixed(2), wanted, word.replace('missed', '**missed**')]
}

function pagesTable(pages: PageResult[]): string {
  const names = [NAMES.barePage, NAMES.ours]
  const head = [
    'page',
    ...names,
    'ratio',
    'goal',
    '',
    'HTML',
    'scripts',
    'scripts of the bare page',
  ]
  const lines = pages.map((measured) => {
    const [bare, mine] = names.map((name) => measured.weights.get(name))
    return [
      measured.row.title,
      ...names.map((name) => figureIn(measured, name)),
      ...assessmentCells(measured),
      `${kilobytes(mine?.html)} KB`,
      ...[mine, bare].map((one) => `${kilobytes(one?.scripts)} KB in ${one?.files ?? 0}`),
    ]
  })
  return table(head, lines)
}

export function printWeights(weights: ReadonlyMap<string, Weight>): void {
  for (const [name, { html, scripts, files }] of weights) {
    process.stdout.write(
      `  ${name.padEnd(24)} ${kilobytes(html)} KB of HTML, ${kilobytes(scripts)} KB of scripts in ${files}\n`,
    )
  }
}

function kilobytes(bytes = 0): string {
  return (bytes / 1000).toFixed(1)
}

function tailTable(tails: Tails[]): string {
  const goal = `Goal: p99 at most ${TAIL_GOAL.times} times that of ${NAMES.sqlite} (for a check, which it cannot do, of its token), and the event loop never still for more than ${TAIL_GOAL.standstillMs} ms. The delay of the event loop is what a timer of 1 ms came too late; programs beside it are in it, and not in the CPU of the longest turn.`
  const head = [
    'work',
    'who',
    'p50',
    'p99',
    'p99.9',
    'still, p99.9',
    'still, longest',
    'CPU of the longest turn',
  ]
  const more = ['major collections', 'longest collection', 'CPU of the first 2 000', '']
  const other = tails.find(({ name }) => name === NAMES.sqlite)?.tail.p99 ?? 0
  const lines = tails.map(({ title, name, cold, tail }) => [
    title,
    name,
    ...[tail.p50, tail.p99, tail.p999, tail.stood.p999, tail.stood.most, tail.busiestMs].map(
      tenths,
    ),
    `${tail.collections.major}`,
    tenths(tail.collections.longestMs),
    cold === null ? '-' : ms(cold),
    name.startsWith('Gatehouse') ? tailWord(tail, other) : '-',
  ])
  return `${goal}\n\n${table([...head, ...more], lines)}`
}

function tailWord({ p99, stood }: Tail, other: number): string {
  const met = p99 <= TAIL_GOAL.times * other && stood.most <= TAIL_GOAL.standstillMs
  return met ? 'met' : '**missed**'
}

function quietTable(quiet: Quiet[]): string {
  const goal = `Goal: at most ${IDLE_GOAL_MS} ms of CPU a second.`
  const lines = quiet.map(({ name, cpuMs }) => [
    name,
    `${cpuMs.toFixed(2)} ms`,
    cpuMs <= IDLE_GOAL_MS ? 'met' : '**missed**',
  ])
  return `${goal}\n\n${table(['who', 'CPU in a second', ''], lines)}`
}

function tenths(value: number): string {
  return value.toFixed(1)
}

function throughputTable(rows: MeasuredRow[]): string {
  const names = SIDES
  const cell = ({ figures }: MeasuredRow, name: string) => {
    const figure = figures.get(name)
    if (!figure) return '-'
    const { perSecond, p50, p99 } = figure
    return `${perSecond.toFixed(0)}/s, ${p50.toFixed(1)} / ${p99.toFixed(1)}`
  }
  const lines = rows.map((one) => [one.row.title, ...names.map((name) => cell(one, name))])
  return table(['work', ...names], lines)
}

function startTable({ starts }: Results): string {
  const first = ['to the first token', 'by `npm start`', 'CPU for it']
  const head = ['portal', ...first, 'idle memory', 'first page', '']
  const lines = starts.map(({ what, start }) => {
    const { tokenMs, npmMs, cpuMs, rssMb, coldPageMs, coldPageCpuMs } = start
    const met = npmMs / 1000 <= START_GOAL.seconds && rssMb <= START_GOAL.megabytes
    return [
      what,
      `${(tokenMs / 1000).toFixed(2)} s`,
      `${(npmMs / 1000).toFixed(2)} s`,
      `${(cpuMs / 1000).toFixed(2)} s`,
      `${rssMb.toFixed(0)} MB`,
      `${coldPageMs.toFixed(0)} ms, ${coldPageCpuMs.toFixed(0)} ms CPU`,
      met ? 'met' : '**missed**',
    ]
  })
  const goal = `Goal: ${START_GOAL.seconds} s and ${START_GOAL.megabytes} MB, at a second start (installed, built, migrated), by \`npm start\` with npm’s own time; the first column is what \`npm start\` runs, without npm; memory is the resident set after ten idle seconds.`
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
      ...sizes.map((size) => (measured.figures.get(size)?.perSecond ?? 0).toFixed(0)),
    ]
  })
  const rateHeads = sizes.map((size) => `${size}, requests a second`)
  const ratioHeads = sizes.slice(1).map((size) => `${size} / ${sizes[0]}`)
  return table(['CPU, ms', ...sizes, ...ratioHeads, `at most ${GROWTH_GOAL}`, ...rateHeads], lines)
}

function chart(rows: MeasuredRow[]): string {
  const most = Math.max(...rows.flatMap(({ figures }) => [...figures.values()].map(costOf)))
  return rows
    .map(({ row, figures }) => {
      const bars = [...figures].map(([name, figure]) => {
        const bar = '█'.repeat(Math.max(1, Math.round((figure.cpuMs / most) * MAX_BAR)))
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
