import { aliceAtWeb } from '../../support/flow'
import { temporaryFolder } from '../../support/folder'
import { type Arena, portalOf } from '../arena'
import type { Line } from '../report'
import { approvals, newAsking } from './approvals'
import { flows } from './flows'
import { keys } from './keys'
import { logouts } from './logout'
import { listenForLogouts } from './logout-receiver'
import { migrations } from './migration'
import { reviews } from './reviews'
import { crash, firstStart, type Scenario, type Stage } from './scenario'

/** A kill -9 costs a restart: a few at each place are enough. */
const ROUNDS_FOR_EACH = 10

/** kill -9 at every named place; after a restart everything holds that was said, and fsck agrees. */
export async function crashes(arena: Arena): Promise<Line[]> {
  const rounds = Math.ceil(arena.rounds / ROUNDS_FOR_EACH)
  const stage = await setStage(arena)
  const lines: Line[] = []
  try {
    for (const scenario of scenariosFor(arena)) {
      lines.push(await crash(arena, stage, scenario, rounds))
    }
  } finally {
    await stage.portal.stop()
    stage.receiver.close()
  }
  // Without server.ts nobody migrates at a start.
  return arena.host === 'node' ? [...lines, ...(await migrations(arena, rounds))] : lines
}

/** Without server.ts nobody empties the outbox or goes on with a review by itself. */
function scenariosFor({ host, wants }: Arena): Scenario[] {
  const anywhere = [...flows, ...keys, ...approvals]
  const all = host === 'node' ? [...anywhere, ...logouts, ...reviews] : anywhere
  return all.filter(({ point }) => wants(point))
}

async function setStage(arena: Arena): Promise<Stage> {
  const receiver = await listenForLogouts()
  const portal = await firstStart(arena, {
    DATABASE_URL: await arena.emptyDatabase(),
    DATA_DIR: temporaryFolder(),
    LOG_LEVEL: 'warn',
    OUTBOUND_HOSTS: receiver.host,
    REFRESH_REPLAY_SECONDS: '60', // longer than a restart takes
  })
  const op = await portalOf(portal)
  const { client_id: id } = portal.demo().web
  const data = { backchannelLogoutUri: receiver.uri }
  await op.changePolicy((tx) => tx.application.update({ where: { id }, data }))
  await op.close()
  const alice = await aliceAtWeb(portal)
  return { portal, receiver, alice, asking: await newAsking(portal) }
}
