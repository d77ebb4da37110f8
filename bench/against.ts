import { lineTo } from './load'
import { type Figure, measure, PAGE_EFFORT } from './measure'
import { PAGE_ROWS } from './page-rows'
import { portalDialect, startPortal, type World } from './portal'
import { Stage } from './stage'
import { type Contender, ROWS } from './works'

/**
 * npm run bench -- against dist-before/server.js token,check: what a change did. The server that is
 * built now and an earlier one, kept aside, take turns on databases of their own. Each try of
 * docs/performance.md was measured like this.
 */

const [, , , before = '', only = 'token,check'] = process.argv
const EFFORT = { rounds: 11, requests: 300, warm: 4_000, warmMs: 8_000 }
const BATCH_MS = 250

async function contender(name: string, world: World, script: string): Promise<Contender> {
  const served = await startPortal(world, [], {}, script)
  const line = lineTo([served.port])
  closing.push(async () => {
    line.close()
    await served.stop()
  })
  const { usage } = served
  const dialect = portalDialect(world)
  return { name, line, usage, behindMs: BATCH_MS, processes: 1, served: [served], dialect }
}

function lineOf(name: string, { cpuMs, low, high }: Figure): string {
  const [middle, from, to] = [cpuMs, low, high].map((value) => value.toFixed(3))
  return `  ${name.padEnd(8)} ${middle} ms CPU, half of the rounds within ${from} to ${to}`
}

const closing: (() => Promise<void>)[] = []
const stage = new Stage()
try {
  const sides = [
    await contender('before', await stage.world('sqlite', 1_000), before),
    await contender('now', await stage.world('sqlite', 1_000), 'dist/server.js'),
  ]
  for (const row of [...ROWS, ...PAGE_ROWS].filter(({ id }) => only.split(',').includes(id))) {
    const works = sides.flatMap((side) => row.work(side) ?? [])
    const [was, is] = await measure(works, PAGE_ROWS.includes(row) ? PAGE_EFFORT : EFFORT)
    if (!was || !is) continue
    const ratio = (is.cpuMs / was.cpuMs).toFixed(3)
    const lines = [row.title, lineOf('before', was), lineOf('now', is), `  ratio ${ratio}`]
    process.stdout.write(`${lines.join('\n')}\n`)
  }
} finally {
  for (const close of closing) await close()
  await stage.strike()
}
