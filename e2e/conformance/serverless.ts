import { createOp } from '../../lib/op'
import { loadDemo } from '../../lib/operations/demo'
import { readConfig } from '../../lib/settings/config'
import { migrate } from '../../lib/store/operations/migrations'
import { ask } from '../support/ask'
import { temporaryFolder } from '../support/folder'
import { type Portal, startNext } from '../support/portal'
import { createDatabase, freePort, startPostgres } from '../support/postgres'
import { startRoundRobin } from '../support/round-robin'
import { type LogoutReceiver, listenForLogout } from './others'
import type { Subject } from './relying-party'
import { subjectFromDemo } from './subject'

/**
 * The portal as a host without server.ts runs it: several processes of plain `next start` on one
 * PostgreSQL, each request to another one, and a scheduler for the work that nobody asks for.
 */

const PROCESSES = 3
const SCHEDULE_MS = 1_000
const CRON_SECRET = 'kT9vXw2Lq7Zr4Bn6Hs1Jd8Fg3Mc5Pa0Y'

export type Serverless = { subject: Subject; receiver: LogoutReceiver; stop(): Promise<void> }

export async function startServerless(): Promise<Serverless> {
  const postgres = await startPostgres()
  const [port, logoutPort] = [await freePort(), await freePort()]
  const receiver = await listenForLogout(logoutPort)
  const env = {
    DATABASE_URL: await createDatabase(postgres.url),
    DATA_DIR: temporaryFolder(),
    ISSUER: `http://localhost:${port}`,
    GATEHOUSE_SECRET: 'a-test-secret-of-sufficient-length-0123456789',
    OUTBOUND_HOSTS: `localhost:${logoutPort}`,
    REGISTRATION_OUTBOUND_HOSTS: `localhost:${logoutPort}`,
    TRUSTED_PROXIES: '1',
    LOG_LEVEL: 'warn',
    CRON_SECRET,
  }
  const demo = await fill(env, `http://localhost:${logoutPort}/`)
  const portals = await Promise.all(Array.from({ length: PROCESSES }, () => startNext(env)))
  const proxy = await startRoundRobin(
    port,
    portals.map(({ origin }) => origin),
  )
  const stopSchedule = schedule(env.ISSUER)
  return {
    subject: subjectFromDemo(demo),
    receiver,
    async stop() {
      stopSchedule()
      proxy.close()
      receiver.close()
      await Promise.all(portals.map((portal: Portal) => portal.stop()))
      await postgres.stop()
    },
  }
}

/** What an operator does before a rollout, and the application that wants to hear of a logout. */
async function fill(env: Record<string, string>, backchannelLogoutUri: string) {
  await migrate(env.DATABASE_URL ?? '')
  const op = await createOp(readConfig({ ...env, LOG_LEVEL: 'silent' }))
  const demo = await loadDemo(op)
  await op.changePolicy((tx) =>
    tx.application.update({ where: { id: demo.web.client_id }, data: { backchannelLogoutUri } }),
  )
  await op.close()
  return demo
}

/** As vercel.json asks for, only more often. */
function schedule(issuer: string): () => void {
  const headers = { authorization: `Bearer ${CRON_SECRET}` }
  const timer = setInterval(() => {
    ask(issuer, { path: '/api/scheduled', headers }).catch(() => {})
  }, SCHEDULE_MS)
  return () => clearInterval(timer)
}
