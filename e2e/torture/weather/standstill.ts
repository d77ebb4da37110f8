import { setTimeout as sleep } from 'node:timers/promises'
import { ask, FORM, machineFields } from '../../support/ask'
import { type Portal, startPortal } from '../../support/portal'
import { signalAll } from '../../support/workers'
import type { Arena } from '../arena'
import { type Line, newTally, type Tally } from '../report'
import { type Send, sender } from '../sender'

/**
 * Portal and clients stand still together, as when their machine does, over the moment up to which
 * idle connections were promised to stay open. No request is lost over it.
 */

const STILL_MS = 5_000
const CLIENTS = 8
const CONNECTIONS_EACH = 8
/** Their connections fall idle one after the other, so that the moments lie all over the standstill. */
const APART_MS = 400
/** The portal is awake a little before its clients are. */
const HEAD_START_MS = 5

export async function standstill(arena: Arena): Promise<Line> {
  const tally = newTally('weather', 'all stand still for 5 s', arena.kind)
  const env = { DATABASE_URL: await arena.emptyDatabase(), LOG_LEVEL: 'silent' }
  const portal = await startPortal({ args: ['--demo'], env })
  try {
    await through(tally, portal)
  } finally {
    await portal.stop()
  }
  return tally
}

async function through(tally: Tally, portal: Portal): Promise<void> {
  const promisedMs = (await promisedSeconds(portal)) * 1000
  tally.check(promisedMs > 0, 'nobody is told for how long a connection stays open')
  const clients = Array.from({ length: CLIENTS }, () => sender(portal))
  const started = performance.now()
  for (const send of clients) {
    await requireAnswers(tally, portal, send, 'before')
    await sleep(APART_MS)
  }
  await sleep(started + promisedMs - 500 - performance.now())
  standStill(portal)
  await Promise.all(clients.map((send) => requireAnswers(tally, portal, send, 'afterwards')))
  tally.rounds += 1
}

async function promisedSeconds({ origin }: Portal): Promise<number> {
  const { headers } = await ask(origin, { path: '/healthz', headers: { connection: 'keep-alive' } })
  return Number(/^timeout=(\d+)$/.exec(String(headers['keep-alive']))?.[1])
}

async function requireAnswers(tally: Tally, portal: Portal, send: Send, when: string) {
  const body = new URLSearchParams(machineFields(portal)).toString()
  const answers = Array.from({ length: CONNECTIONS_EACH }, () =>
    send('POST', '/oidc/token', FORM, body).catch(String),
  )
  for (const fault of await Promise.all(answers)) tally.check(fault === null, `${when}: ${fault}`)
}

/** Nothing of this process runs meanwhile, no timer either. */
function standStill(portal: Portal): void {
  signalAll(portal, 'SIGSTOP')
  block(STILL_MS)
  signalAll(portal, 'SIGCONT')
  block(HEAD_START_MS)
}

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
