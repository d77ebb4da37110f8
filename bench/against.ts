import { type Figure, measure, PAGE_EFFORT } from './measure'
import { PAGE_ROWS } from './page-rows'
import { NEWCOMERS } from './portal'
import { weightLine } from './report'
import { runtimesIn } from './runtime'
import { SIGN_IN_ROWS } from './sign-in'
import { Stage } from './stage'
import { type Contender, ROWS, type Row, type ShownRow } from './works'

/**
 * npm run bench -- against dist-before/server.js token,check [--node=PATH]: what a change did. The
 * server that is built now and an earlier one, kept aside, take turns on databases of their own; with
 * --node both on another Node.js, too. Each try of docs/performance.md was measured like this.
 */

const [, , , before = '', only = 'token,check'] = process.argv
const QUICK = process.argv.includes('--quick')
const EFFORT = { rounds: QUICK ? 5 : 11, requests: 300, warm: 4_000, warmMs: QUICK ? 2_000 : 8_000 }
const SHOWN_EFFORT = QUICK ? { rounds: 3, requests: 24, warm: 48, warmMs: 2_000 } : PAGE_EFFORT
const USERS = 1_000
const BUILDS = { before, now: 'dist/server.js' }

const isWanted = ({ id }: Row) => only.split(',').includes(id)
const shownRows = [...PAGE_ROWS, ...SIGN_IN_ROWS].filter(isWanted)

const stage = new Stage()
try {
  const sides: Contender[][] = []
  for (const runtime of runtimesIn(process.argv)) {
    stage.runtime = runtime
    const pair: Contender[] = []
    for (const [name, script] of Object.entries(BUILDS)) {
      const world = await stage.world('sqlite', USERS, NEWCOMERS)
      pair.push(await stage.portal(name, world, script))
    }
    sides.push(pair)
  }
  for (const row of ROWS.filter(isWanted)) await compare(row, sides, EFFORT)
  for (const row of shownRows) {
    await compare(row, sides, SHOWN_EFFORT)
    for (const of of sides[0] ?? [])
      say(`  ${of.name.padEnd(8)} ${weightLine(await row.weigh(of))}`)
  }
  for (const [name, script] of Object.entries(BUILDS)) await count(name, script, shownRows)
} finally {
  await stage.strike()
}

async function compare(row: Row, sides: Contender[][], effort: typeof EFFORT): Promise<void> {
  say(row.title)
  const works = sides.flat().flatMap((side) => row.work(side) ?? [])
  const figures = await measure(works, effort)
  for (const [at, { name }] of sides.flat().entries()) {
    const figure = figures[at]
    if (figure) say(lineOf(name, figure))
    const was = figures[at - 1]
    if (figure && was && at % 2 === 1) say(`  ratio ${(figure.cpuMs / was.cpuMs).toFixed(3)}`)
  }
}

async function count(name: string, script: string, rows: ShownRow[]): Promise<void> {
  if (rows.length === 0) return
  const counted = await stage.counted(USERS, NEWCOMERS, script)
  for (const row of rows) say(`${row.title}, ${name}: ${await counted.count(row)} statements`)
}

function lineOf(name: string, { cpuMs, low, high }: Figure): string {
  const [middle, from, to] = [cpuMs, low, high].map((value) => value.toFixed(3))
  return `  ${name.padEnd(8)} ${middle} ms CPU, half of the rounds within ${from} to ${to}`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
