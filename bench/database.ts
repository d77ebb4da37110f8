import { setTimeout as sleep } from 'node:timers/promises'
import { databaseCpuMs } from './database-cpu'
import { median, type Work } from './measure'
import { NAMES } from './names'
import { Stage } from './stage'
import { type Contender, ROWS, type Row } from './works'

/**
 * npm run bench -- database: what the requests of a sign-in cost us and the PostgreSQL below us, in
 * CPU time, with sixteen connections. Its own CPU is counted over whole rounds, because the clock of
 * /proc is coarse.
 */

const WORKS = ['authorize', 'exchange', 'refresh']
const ROUNDS = 7
const WARM_ROUNDS = 4
const REQUESTS = 400

type Sample = { ours: number; database: number; perSecond: number }

const stage = new Stage()
try {
  const portal = await stage.portal(NAMES.oursOnPostgres, await stage.world('postgres', 1_000))
  const main = await stage.postgresPid()
  for (const id of WORKS) {
    const row = ROWS.find((one) => one.id === id)
    if (row) print(row, await samplesOf(row, portal, main))
  }
} finally {
  await stage.strike()
}

async function samplesOf(row: Row, portal: Contender, main: number): Promise<Sample[]> {
  const work = row.work(portal)
  const samples: Sample[] = []
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round += 1) {
    const sample = await roundOf(work, portal, main)
    if (round >= WARM_ROUNDS) samples.push(sample)
  }
  return samples
}

async function roundOf(work: Work | null, portal: Contender, main: number): Promise<Sample> {
  const asks = (await work?.prepare(REQUESTS)) ?? []
  await sleep(portal.behindMs)
  const before = { ours: (await portal.usage()).cpuMs, database: databaseCpuMs(main) }
  const burst = await portal.line.send(asks)
  await sleep(portal.behindMs)
  const after = { ours: (await portal.usage()).cpuMs, database: databaseCpuMs(main) }
  work?.keep?.(burst)
  return {
    ours: (after.ours - before.ours) / asks.length,
    database: (after.database - before.database) / asks.length,
    perSecond: asks.length / burst.seconds,
  }
}

function print({ title }: Row, samples: Sample[]): void {
  const of = (name: keyof Sample) => median(samples.map((sample) => sample[name]))
  process.stdout.write(
    `${title}: ${of('ours').toFixed(2)} ms ours, ${of('database').toFixed(2)} ms of the database, ` +
      `${of('perSecond').toFixed(0)} a second\n`,
  )
}
