import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lineTo } from './load'
import { type Effort, measure } from './measure'
import { startFloor, startOidcProvider } from './peers'
import { makeWorld, portalDialect, startPortal } from './portal'
import { type Contender, ROWS } from './works'

const quick = process.argv.includes('--quick')
const EFFORT: Effort = quick ? { rounds: 5, requests: 100 } : { rounds: 15, requests: 250 }
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
const only = process.argv
  .find((arg) => arg.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')

const world = await makeWorld(`file:${join(folder, 'portal.db')}`, folder, 1000)
const floor = await startFloor()
const memory = await startOidcProvider('memory')
const sqlite = await startOidcProvider(join(folder, 'peer.db'))
const portal = await startPortal(world)
const all: Contender[] = [
  {
    name: 'floor',
    line: lineTo([floor.served.port]),
    usage: floor.served.usage,
    dialect: floor.dialect,
  },
  {
    name: 'op memory',
    line: lineTo([memory.served.port]),
    usage: memory.served.usage,
    dialect: memory.dialect,
  },
  {
    name: `op ${sqlite.served.told.driver}`,
    line: lineTo([sqlite.served.port]),
    usage: sqlite.served.usage,
    dialect: sqlite.dialect,
  },
  { name: 'ours', line: lineTo([portal.port]), usage: portal.usage, dialect: portalDialect(world) },
]
for (const row of ROWS) {
  if (only && !only.includes(row.id)) continue
  const able = all.flatMap((of) => row.work(of) ?? [])
  const figures = await measure(able, EFFORT)
  console.log(row.title)
  for (const [at, figure] of figures.entries()) {
    console.log(
      '  ',
      able[at]?.side.name.padEnd(20),
      figure.cpuMs.toFixed(3),
      figure.perSecond.toFixed(0),
      figure.p50.toFixed(2),
      figure.p99.toFixed(2),
    )
  }
}
for (const { served } of [floor, memory, sqlite]) await served.stop()
await portal.stop()
for (const { line } of all) line.close()
rmSync(folder, { recursive: true, force: true })
