import { lineTo } from './load'
import { PAGE_ROWS } from './page-rows'
import { NEWCOMERS, portalDialect, startPortal } from './portal'
import type { Profile } from './server'
import { SIGN_IN_ROWS } from './sign-in'
import { Stage } from './stage'
import { ROWS } from './works'

/**
 * npm run bench -- profile exchange: where the server's time goes in one work, by function, after it
 * has warmed up. The clock is sampled, so what waits for a busy machine is in it too.
 */

const WARM_BURSTS = 30
const SHOWN = 60

const [, , , id = 'exchange'] = process.argv
const shownRows = [...PAGE_ROWS, ...SIGN_IN_ROWS]
const [BURSTS, REQUESTS] = shownRows.some((one) => one.id === id) ? [20, 40] : [100, 200]
const rows = [...ROWS, ...shownRows]
const row = rows.find((one) => one.id === id)
if (!row) throw new Error(`no such work; there are ${rows.map((one) => one.id).join(', ')}`)

const stage = new Stage()
try {
  const world = await stage.world('sqlite', 1_000, NEWCOMERS)
  const served = await startPortal(world)
  const line = lineTo([served.port])
  const { usage } = served
  const dialect = portalDialect(world)
  const of = { name: id, line, usage, behindMs: 0, processes: 1, served: [served], dialect }
  const work = row.work(of)
  const burst = async () => {
    const answered = await line.send((await work?.prepare(REQUESTS)) ?? [], work?.visit)
    work?.keep?.(answered)
  }
  for (let count = 0; count < WARM_BURSTS; count += 1) await burst()
  const end = await served.profile()
  for (let count = 0; count < BURSTS; count += 1) await burst()
  const costs = costsIn(await end())
  line.close()
  await served.stop()
  const requests = BURSTS * REQUESTS
  const sum = costs.reduce((all, [, ms]) => all + ms, 0)
  process.stdout.write(`${((sum * 1000) / requests).toFixed(2).padStart(7)} µs  all together\n`)
  for (const [name, ms] of costs.slice(0, SHOWN)) {
    process.stdout.write(`${((ms * 1000) / requests).toFixed(2).padStart(7)} µs  ${name}\n`)
  }
} finally {
  await stage.strike()
}

/** Self time of each function, the dearest first. */
function costsIn(profile: Profile): [string, number][] {
  const names = new Map(profile.nodes.map((node) => [node.id, nameOf(node)]))
  const costs = new Map<string, number>()
  for (const [at, sample] of profile.samples.entries()) {
    const name = names.get(sample) ?? ''
    costs.set(name, (costs.get(name) ?? 0) + (profile.timeDeltas[at] ?? 0) / 1000)
  }
  return [...costs].filter(([name]) => name !== '(idle)').sort(([, a], [, b]) => b - a)
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: Profile['nodes'][number]) {
  const place = url === '' ? '' : ` ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`
  return `${functionName || '(anonymous)'}${place}`
}
