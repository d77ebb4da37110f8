import type { Casbin } from './casbin'
import { CROWD_PAGES, type Crowd } from './crowd'
import {
  CROWD_GOAL,
  GROWTH_GOAL,
  goalsOf,
  IDLE_GOAL_MS,
  isMet,
  judge,
  START_GOAL,
  TAIL_GOAL,
  verdict,
} from './goals'
import { CONCURRENCY } from './load'
import type { Figure } from './measure'
import { NAMES } from './names'
import type { Weight } from './page-weight'
import type { Start } from './start'
import type { Step } from './steps'
import type { Tail } from './tail'
import type { Row } from './works'

/** The results, for the terminal and as bench/results.md. */

export type MeasuredRow = { row: Row; figures: ReadonlyMap<string, Figure> }

/** `note`: what else was measured, as a sentence. */
export type Growth = { name: string; sizes: readonly string[]; rows: MeasuredRow[]; note: string }

/** `cold`: the CPU of one of the first requests; null where it was not measured. */
export type Tails = { title: string; name: string; cold: number | null; tail: Tail }

export type Quiet = { name: string; cpuMs: number }

/** `statements`: of ours. */
export type ShownResult = MeasuredRow & {
  weights: ReadonlyMap<string, Weight>
  statements: number
  /** Of a sign-in: what each of its requests costs. */
  steps?: Step[]
}

export type NamedCrowd = Crowd & { name: string }

export type Results = {
  machine: string[]
  configurations: string[]
  rows: MeasuredRow[]
  pages: ShownResult[]
  signIns: ShownResult[]
  crowds: NamedCrowd[]
  tails: Tails[]
  quiet: Quiet[]
  growths: Growth[]
  starts: { what: string; start: Start }[]
  casbin: Casbin
}

const MAX_BAR = 40

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
  for (const { who, against, times, ratio, word } of judge(row.id, figures)) {
    const goal = `${ratio.middle.toFixed(2)} times ${against}, goal ${times.toFixed(1)}: ${word}`
    process.stdout.write(`  ${who}: ${goal}\n`)
  }
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
    `\`\`\`text\n${chart(results.rows)}\n\`\`\``,
    '## Goals',
    'Each goal is a ratio to another side of the same run. “Within the spread”: half of the rounds do not decide.',
    goalsTable([...results.rows, ...results.pages]),
    '## Pages',
    'On SQLite, warm. A bare page is a form with one field under the same Next.js. Bytes are not compressed; the scripts are those that the HTML names. Statements are those that reach a PostgreSQL.',
    pagesTable(results.pages),
    '## A first sign-in with consent',
    SIGN_IN_NOTE,
    signInTable(results.signIns),
    ...results.signIns.map(
      ({ row, steps = [] }) =>
        `In ${NAMES.ours}, one request at a time, ${row.title}:\n\n\`\`\`text\n${stepLines(steps)}\n\`\`\``,
    ),
    `## Requests a second and time to answer with ${CONCURRENCY} connections`,
    'From one client on the same machine, so the client’s own work is in the time.',
    throughputTable(results.rows),
    '## Tokens while sign-in pages are asked for',
    crowdTable(results.crowds),
    `## The tail with ${CONCURRENCY} connections, and the first requests`,
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
  const names = sidesOf(rows)
  const lines = rows.map((measured) => [
    measured.row.title,
    ...names.map((name) => figureIn(measured, name)),
    databaseIn(measured),
  ])
  const note = `casbin’s call alone, in process, ${casbin.users} users and 1 000 rules: ${ms(casbin.allow)} ms to allow, ${ms(casbin.deny)} ms to deny.`
  return `${table(['work', ...names, 'PostgreSQL itself'], lines)}\n\n${note}`
}

/** Everybody who takes part in one of the rows, in the usual order on each Node.js. */
function sidesOf(rows: readonly MeasuredRow[]): string[] {
  const present = new Set(rows.flatMap(({ figures }) => [...figures.keys()]))
  const place = (name: string) => Object.values(NAMES).findIndex((one) => name.startsWith(one))
  return [...present].toSorted((a, b) => place(a) - place(b))
}

function figureIn({ figures }: MeasuredRow, name: string): string {
  const figure = figures.get(name)
  return figure ? `${ms(figure.cpuMs)} (${ms(figure.low)} to ${ms(figure.high)})` : '-'
}

function databaseIn({ figures }: MeasuredRow): string {
  const databaseMs = figures.get(NAMES.oursOnPostgres)?.databaseMs ?? null
  return databaseMs === null ? '-' : ms(databaseMs)
}

function goalsTable(rows: readonly MeasuredRow[]): string {
  const lines = rows.flatMap(({ row, figures }) =>
    judge(row.id, figures).map(({ who, against, times, ratio, word }) => [
      row.title,
      who,
      ratio.middle.toFixed(2),
      `${times.toFixed(1)} × ${against}`,
      bold(word),
    ]),
  )
  return table(['work', 'who', 'ratio', 'goal', ''], lines)
}

function bold(word: string): string {
  return word.replace('missed', '**missed**')
}

function pagesTable(pages: ShownResult[]): string {
  const names = sidesOf(pages)
  const head = ['page', ...names, 'HTML', 'scripts', 'scripts of the bare page', 'statements']
  const lines = pages.map((measured) => {
    const [bare, mine] = [NAMES.barePage, NAMES.ours].map((name) => measured.weights.get(name))
    return [
      measured.row.title,
      ...names.map((name) => figureIn(measured, name)),
      `${kilobytes(mine?.html)} KB`,
      ...[mine, bare].map((one) => `${kilobytes(one?.scripts)} KB in ${one?.files ?? 0}`),
      `${measured.statements}`,
    ]
  })
  return table(head, lines)
}

const SIGN_IN_NOTE = `From the address that an application sends somebody to until the application has its tokens: who, the password, consent, the exchange. Each is somebody who was never here. The stored passwords need the least work that argon2id allows, so the password is not in the figures; beside them stands what comparing one costs with the portal’s own work factor, in the same run. Scripts and styles are not asked for again. ${NAMES.sqlite} shows its pages for development, which look at no password.`

function signInTable(signIns: ShownResult[]): string {
  const head = ['way', 'who', 'CPU', 'PostgreSQL itself', 'requests', 'HTML', 'scripts']
  const lines = signIns.flatMap(({ row, figures, weights, statements }) =>
    [...figures].map(([name, figure]) => {
      const weight = weights.get(name)
      return [
        row.title,
        name,
        `${ms(figure.cpuMs)} (${ms(figure.low)} to ${ms(figure.high)})`,
        figure.databaseMs === null ? '-' : ms(figure.databaseMs),
        ...(weight ? weightCells(weight) : ['-', '-', '-']),
        name.startsWith('Gatehouse') ? `${statements}` : '-',
      ]
    }),
  )
  return table([...head, 'statements'], lines)
}

export function stepLines(steps: readonly Step[]): string {
  return steps.map(({ what, cpuMs }) => `${ms(cpuMs).padStart(8)} ms  ${what}`).join('\n')
}

function weightCells({ requests, html, scripts, files }: Weight): string[] {
  return [`${requests}`, `${kilobytes(html)} KB`, `${kilobytes(scripts)} KB in ${files}`]
}

export function weightLine({ requests, html, scripts, files }: Weight): string {
  const count = requests === 1 ? '' : `${requests} requests, `
  return `${count}${kilobytes(html)} KB of HTML, ${kilobytes(scripts)} KB of scripts in ${files}`
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
  const lines = rows.flatMap(({ row, figures }) =>
    [...figures].map(([name, { cpuMs, databaseMs, perSecond, p50, p99 }]) => [
      row.title,
      name,
      ms(cpuMs),
      databaseMs === null ? '-' : ms(databaseMs),
      perSecond.toFixed(0),
      ...[p50, p99].map(tenths),
    ]),
  )
  const head = ['work', 'who', 'CPU, ms', 'PostgreSQL itself', 'requests a second', 'p50', 'p99']
  return table(head, lines)
}

export function printCrowd({ name, idle, during, ratio, seconds }: NamedCrowd): void {
  const cells = [
    `p50 ${idle.p50.toFixed(1)} ms idle, ${during.p50.toFixed(1)} ms during`,
    `p99 ${idle.p99.toFixed(1)} ms idle, ${during.p99.toFixed(1)} ms during`,
    `${ratio.middle.toFixed(2)} times, goal ${CROWD_GOAL}: ${verdict(ratio, CROWD_GOAL)}`,
    `the pages took ${seconds.toFixed(1)} s`,
  ]
  process.stdout.write(`  ${name.padEnd(24)}  ${cells.join('; ')}\n`)
}

function crowdTable(crowds: NamedCrowd[]): string {
  const goal = `${CROWD_PAGES} sign-in pages are asked for in the same moment, while ${CONCURRENCY} connections ask for tokens. Goal: p99 of the tokens at most ${CROWD_GOAL} times that of the same portal a moment before.`
  const head = [
    'who',
    'p50 idle',
    'p50 during',
    'p99 idle',
    'p99 during',
    'ratio',
    'pages after, s',
    '',
  ]
  const lines = crowds.map(({ name, idle, during, ratio, seconds }) => [
    name,
    ...[idle.p50, during.p50, idle.p99, during.p99].map(tenths),
    ratio.middle.toFixed(2),
    seconds.toFixed(1),
    bold(verdict(ratio, CROWD_GOAL)),
  ])
  return `${goal}\n\n${table(head, lines)}`
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
    const met = ratios.every((ratio) => isMet(ratio, GROWTH_GOAL))
    return [
      measured.row.title,
      ...costs.map(ms),
      ...ratios.map((ratio) => ratio.toFixed(2)),
      goalsOf(measured.row.id).length === 0 ? '-' : met ? 'met' : '**missed**',
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
