import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lineTo } from './load'
import { portalDialect, startPortal } from './portal'
import { Stage } from './stage'
import { ROWS } from './works'

/** npm run bench -- profile exchange: where the server's CPU goes in one work, by function. */

const BURSTS = 20
const REQUESTS = 200
const SHOWN = 60

type Node = { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }
type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[] }

const [, , , id = 'exchange'] = process.argv
const row = ROWS.find((one) => one.id === id)
if (!row) throw new Error(`no such work; there are ${ROWS.map((one) => one.id).join(', ')}`)

const stage = new Stage()
try {
  const world = await stage.world('sqlite', 1_000)
  const served = await startPortal(world, ['--cpu-prof', `--cpu-prof-dir=${stage.folder}`])
  const line = lineTo([served.port])
  const of = {
    name: id,
    line,
    usage: served.usage,
    behindMs: 0,
    processes: 1,
    port: served.port,
    dialect: portalDialect(world),
  }
  const work = row.work(of)
  for (let burst = 0; burst < BURSTS; burst += 1) {
    const answers = await line.send((await work?.prepare(REQUESTS)) ?? [])
    work?.keep?.(answers)
  }
  line.close()
  await served.stop()
  for (const [name, ms] of costsIn(stage.folder).slice(0, SHOWN)) {
    process.stdout.write(`${ms.toFixed(0).padStart(6)} ms  ${name}\n`)
  }
} finally {
  await stage.strike()
}

/** Self time of each function, the dearest first. */
function costsIn(folder: string): [string, number][] {
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  const profile: Profile = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const names = new Map(profile.nodes.map((node) => [node.id, nameOf(node)]))
  const costs = new Map<string, number>()
  for (const [at, sample] of profile.samples.entries()) {
    const name = names.get(sample) ?? ''
    costs.set(name, (costs.get(name) ?? 0) + (profile.timeDeltas[at] ?? 0) / 1000)
  }
  return [...costs].filter(([name]) => name !== '(idle)').sort(([, a], [, b]) => b - a)
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: Node): string {
  const place = url === '' ? '' : ` ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`
  return `${functionName || '(anonymous)'}${place}`
}
