import type { Failpoint } from '../../../lib/base/failpoint'
import { ask } from '../../support/ask'
import { spawnPortal, startPortal } from '../../support/portal'
import type { Arena } from '../arena'
import { type Line, newTally } from '../report'
import { countKill, sound } from './scenario'

/** A first start that dies among its migrations; the second one finishes them. */

const POINTS: Failpoint[] = [
  'migration:locked',
  'migration:script',
  'migration:committed',
  'migration:applied',
]

/** Only there the script and its end are two statements of one transaction. */
const SQLITE_POINTS: Failpoint[] = ['migration:uncommitted']

export async function migrations(arena: Arena, rounds: number): Promise<Line[]> {
  const points = arena.kind === 'sqlite' ? [...POINTS, ...SQLITE_POINTS] : POINTS
  const lines: Line[] = []
  for (const point of points.filter(arena.wants)) {
    lines.push(await dieAndStart(arena, point, rounds))
  }
  return lines
}

async function dieAndStart(arena: Arena, point: Failpoint, rounds: number): Promise<Line> {
  const tally = newTally('crashes', point, arena.kind)
  for (; tally.rounds < rounds; tally.rounds += 1) {
    const DATABASE_URL = await arena.emptyDatabase()
    const env = { DATABASE_URL, LOG_LEVEL: 'warn', GATEHOUSE_FAILPOINT: point }
    const { exited, env: used } = await spawnPortal(['dist/server.js'], env)
    countKill(await exited, point, tally)
    const { GATEHOUSE_FAILPOINT: _, ...unarmed } = used
    const portal = await startPortal({ env: unarmed })
    const ready = await ask(portal.origin, { path: '/readyz' })
    tally.check(ready.status === 200, `ready afterwards: ${ready.status}`)
    tally.check(/\/setup\?token=/.test(portal.output()), 'no set-up link afterwards')
    await sound(portal, tally)
    await portal.stop()
  }
  arena.say(`${point}: ${tally.kills} kills, ${tally.violations.length} violations`)
  return tally
}
