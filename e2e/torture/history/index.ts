import { setTimeout as sleep } from 'node:timers/promises'
import type { Portal } from '../../support/portal'
import { answeringOf } from '../../support/workers'
import { type Arena, startHost, startPair } from '../arena'
import { sound } from '../crashes/scenario'
import { randomFrom } from '../random'
import { type Line, newTally, type Tally } from '../report'
import { act, type Driver } from './actions'
import { RULES } from './checker'
import { answered, type Entry } from './log'
import { wireTo } from './wire'
import { makeWorld } from './world'

/** A random load from many clients, random kills, and a proof that no answer broke a promise. */

const CLIENTS = 12
const REPLAY_SECONDS = 3
const PROMISES = { staleMs: 1_000, replayMs: REPLAY_SECONDS * 1_000 }
const PAUSE_MS = 10
const MIN_MS = 1_000
const MAX_MS = 5_000

export async function history(arena: Arena): Promise<Line[]> {
  const env = { REFRESH_REPLAY_SECONDS: String(REPLAY_SECONDS) }
  const pair = await startPair(arena, { demo: true, env })
  const random = randomFrom(arena.seed)
  const log: Entry[] = []
  const world = await makeWorld(pair)
  const driver = { pair, world, wire: wireTo(pair), random, log, ports: pair.ports }
  const stored = newTally('history', 'fsck afterwards', arena.kind)
  const portals = [...pair.portals]
  try {
    await loadWithKills(arena, driver, portals, stored)
    await sound(pair.front, stored)
  } finally {
    await pair.op.close()
    await Promise.all(portals.map((portal) => portal.stop()))
  }
  for (const fault of driver.wire.faults) stored.check(false, fault)
  arena.say(`history: ${log.length} calls, ${log.filter(({ end }) => end === null).length} lost`)
  return [...judge(arena, log, stored), stored]
}

async function loadWithKills(
  arena: Arena,
  driver: Driver,
  portals: Portal[],
  tally: Tally,
): Promise<void> {
  let over = false
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    while (!over) {
      await act(driver, client)
      await sleep(PAUSE_MS)
    }
  })
  for (; tally.rounds < arena.rounds; tally.rounds += 1) {
    await sleep(MIN_MS + driver.random.next() * (MAX_MS - MIN_MS))
    await killOne(arena, driver, portals)
    tally.kills += 1
  }
  await sleep(MAX_MS)
  over = true
  await Promise.all(clients)
}

/** The other one goes on; the one that died comes back. With several workers, one of them may die. */
async function killOne(arena: Arena, driver: Driver, portals: Portal[]): Promise<void> {
  const at = driver.random.chance(0.5) ? 0 : 1
  const portal = portals[at]
  if (!portal) return
  const [worker] = answeringOf(portal)
  if (worker !== undefined && worker !== portal.pid && driver.random.chance(0.5)) {
    process.kill(worker, 'SIGKILL')
    return
  }
  portal.signal('SIGKILL')
  await portal.exited
  driver.ports = driver.pair.ports.filter((_, index) => index !== at)
  portals[at] = await startHost(arena, portal.env)
  driver.ports = driver.pair.ports
}

/** Calls that a rule could have been broken by: without any it would prove nothing. */
const SUBJECTS: Record<keyof typeof RULES, (log: Entry[]) => number> = {
  'revoked stays revoked': (log) => answered(log, 'revoke').length,
  'one success per code': (log) => answered(log, 'exchange').length,
  'refresh chains are paths': (log) => answered(log, 'refresh').filter(({ given }) => given).length,
  'role changes are seen within the second': (log) => answered(log, 'check').length,
  'disabled users get no tokens': (log) => answered(log, 'user').filter(({ on }) => !on).length,
  'tokens from before a user was disabled stay dead': (log) =>
    answered(log, 'introspect').filter(({ active }) => active).length,
  'disabled applications get no tokens, enabled ones do': (log) => answered(log, 'issue').length,
  'tokens of disabled applications are not active': (log) =>
    answered(log, 'app').filter(({ on }) => !on).length,
}

function judge({ kind }: Arena, log: Entry[], { rounds }: Line): Line[] {
  return Object.entries(RULES).map(([name, rule]) => {
    const tally = newTally('history', name, kind)
    const subjects = SUBJECTS[name]?.(log) ?? 0
    tally.check(subjects > 0, 'nothing happened that could have broken it')
    return {
      ...tally,
      rounds,
      checks: tally.checks + subjects,
      violations: [...tally.violations, ...rule(log, PROMISES)],
    }
  })
}
