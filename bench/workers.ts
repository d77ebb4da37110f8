import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseKind } from '../lib/store/database/connection'
import { askOnce, CONCURRENCY, lineTo } from './load'
import { portalDialect, startPortal, type World } from './portal'
import type { Growth, MeasuredRow } from './report'
import type { ServerUnderTest } from './server'
import type { Stage } from './stage'
import { type Contender, FLOOR, ROWS, type Row } from './works'

/**
 * `npm start` with several workers behind one port: what a request costs all of its processes
 * together, beside as many processes of the floor, and a hand-over under load. Needs Linux, which
 * tells what each thread has used.
 */

const WORKERS = [1, 2, 4]
const SIZE = 1_000
const MEASURED = ROWS.filter(({ id }) => ['token', 'check', 'exchange'].includes(id))
const KINDS: readonly [DatabaseKind, string][] = [
  ['sqlite', 'SQLite'],
  ['postgres', 'PostgreSQL'],
]
/** The same as the other parts give the portal to write behind an answer. */
const BEHIND_MS = 250

type MeasureRows = (rows: Row[], contenders: Contender[]) => Promise<MeasuredRow[]>

export async function measureWorkers(stage: Stage, measureRows: MeasureRows): Promise<Growth[]> {
  process.stdout.write('\nWorkers: processes of the floor\n')
  const floors: Contender[] = []
  for (const count of WORKERS) floors.push(await stage.floor(String(count), count))
  const floor = await measureRows([FLOOR], floors)
  const growths: Growth[] = []
  for (const [kind, name] of KINDS) {
    process.stdout.write(`\nWorkers on ${name}\n`)
    const world = await stage.world(kind, SIZE)
    const running: ServerUnderTest[] = []
    for (const count of WORKERS) running.push(await started(world, count))
    const rows = await measureRows(
      MEASURED,
      running.map((served, at) => contender(served, WORKERS[at] ?? 1, world)),
    )
    for (const served of running) await served.stop()
    const note = await handOver(world)
    process.stdout.write(`\n${note}\n`)
    growths.push({
      note,
      name: `Workers behind one port on ${name}, CPU of all processes together for one request`,
      sizes: WORKERS.map(String),
      rows: [...floor, ...rows],
    })
  }
  return growths
}

/** It is ready when its first worker is; the others follow. */
async function started(world: World, workers: number): Promise<ServerUnderTest> {
  const before = listening(world)
  const served = await startPortal(world, { env: { WORKERS: String(workers) } })
  while (listening(world) < before + workers - 1) await sleep(50)
  return served
}

function listening(world: World): number {
  return logOf(world).split('a worker listens').length
}

/** As many connections for each worker as one process alone would get, all to the same port. */
function contender(served: ServerUnderTest, workers: number, world: World): Contender {
  return {
    name: String(workers),
    line: lineTo(Array.from({ length: workers }, () => served.port)),
    dialect: portalDialect(world),
    served: [served],
    behindMs: BEHIND_MS,
    processes: workers,
    usage: async () => {
      const pids = [served.pid, ...childrenOf(served.pid)]
      return { cpuMs: pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0), rssMb: 0 }
    },
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** The first number of schedstat: nanoseconds on a processor. */
function cpuMsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const spent = (thread: string) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  return threads.reduce((sum, thread) => sum + spent(thread), 0) / 1e6
}

function logOf({ folder }: World): string {
  const file = join(folder, 'portal.log')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

const TAKEN_OVER = 'the new workers have taken over'
const AROUND_MS = 1_000

/** Half of the clients keep their connection, the others open one for each request. */
async function handOver(world: World): Promise<string> {
  const served = await started(world, 2)
  const { token } = portalDialect(world)
  const lost: string[] = []
  let answered = 0
  let over = false
  const clients = Array.from({ length: CONCURRENCY }, async (_, at) => {
    const agent = new Agent({ keepAlive: at % 2 === 0, maxSockets: 1 })
    for (let asked = at; !over; asked += CONCURRENCY) {
      await askOnce(agent, served.port, token(asked)).then(
        () => {
          answered += 1
        },
        (error) => lost.push(String(error)),
      )
    }
    agent.destroy()
  })
  await sleep(AROUND_MS)
  const begun = performance.now()
  process.kill(served.pid, 'SIGHUP')
  while (!logOf(world).includes(TAKEN_OVER)) await sleep(50)
  const seconds = (performance.now() - begun) / 1000
  await sleep(AROUND_MS)
  over = true
  await Promise.all(clients)
  await served.stop()
  for (const error of lost.slice(0, 3)) process.stdout.write(`  ${error}\n`)
  return `Two workers were replaced under load (SIGHUP) in ${seconds.toFixed(1)} s: ${answered} requests answered meanwhile, ${lost.length} lost.`
}
