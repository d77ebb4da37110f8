import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'libsql'
import { fsck } from '../../../lib/operations/fsck'
import { sqlitePath } from '../../../lib/store/database/sqlite'
import { machineToken } from '../../support/api'
import { askToken, machineFields } from '../../support/ask'
import { aliceAtWeb, exchange, getCode, refresh, webRequest } from '../../support/flow'
import { type Portal, startPortal } from '../../support/portal'
import { createDatabase, startPostgres } from '../../support/postgres'
import { type Arena, portalOf } from '../arena'
import { type Line, newTally, type Tally } from '../report'
import { introspectWith, publicDocuments, requireRefusal, secondsToRecover } from './answers'

/**
 * The database goes away for 20 s: a PostgreSQL that is stopped, a SQLite file that somebody else
 * holds. What needs it is refused with 503, what does not is served, and afterwards all goes on.
 */

const AWAY_MS = 20_000
const QUICK_AWAY_MS = 8_000
/** A snapshot answers for a second, and a check of the database waits for three. */
const NOTICED_MS = 5_000
const TOKENS_BEFORE = 50

type Store = {
  url: string
  goAway(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

export async function outage(arena: Arena): Promise<Line> {
  const tally = newTally('weather', 'database away for 20 s', arena.kind)
  const store = await (arena.kind === 'sqlite' ? lockedFile(arena) : stoppedServer())
  const portal = await startPortal({
    args: ['--demo'],
    env: { DATABASE_URL: store.url, LOG_LEVEL: 'silent' },
  })
  try {
    await through(arena, tally, store, portal)
    for (const { rule, ids } of await fsck(store.url)) {
      tally.check(ids.length === 0, `fsck: ${rule}: ${ids.join(' ')}`)
    }
  } finally {
    await portal.stop()
    await store.close()
  }
  return tally
}

async function through({ kind, quick, say }: Arena, tally: Tally, store: Store, portal: Portal) {
  const browser = await aliceAtWeb(portal)
  const request = webRequest(portal.demo())
  const [used, kept] = [await getCode(browser, request), await getCode(browser, request)]
  const { refresh_token } = JSON.parse((await exchange(portal, used)).body)
  const token = await machineToken(portal, 'orders:read')
  for (let at = 1; at < TOKENS_BEFORE; at += 1) await machineToken(portal, 'orders:read')

  await store.goAway()
  const until = performance.now() + (quick ? QUICK_AWAY_MS : AWAY_MS)
  await sleep(NOTICED_MS)
  while (performance.now() < until) {
    tally.rounds += 1
    requireRefusal(tally, 'code exchange', await exchange(portal, kept))
    for (const [path, status] of await publicDocuments(portal)) {
      tally.check(status === 200, `${path} answered ${status} without the database`)
    }
    // Readers of a file in WAL mode never wait for a writer; a server that is down answers nobody.
    const asked = await introspectWith(portal, token)
    if (kind === 'sqlite') tally.check(asked.status === 200, `introspection: ${asked.status}`)
    else requireRefusal(tally, 'introspection', asked)
  }
  await store.comeBack()

  const recovered = await secondsToRecover(() => askToken(portal.origin, machineFields(portal)))
  tally.check(recovered !== null, 'no token 15 s after the database came back')
  say(`database away: a token ${recovered?.toFixed(1)} s after it came back`)
  const exchanged = await exchange(portal, kept)
  tally.check(exchanged.status === 200, `the code from before: ${exchanged.status}`)
  const refreshed = await refresh(portal, refresh_token)
  tally.check(refreshed.status === 200, `the refresh token from before: ${refreshed.status}`)
  await sleep(1_000)
  const logged = await tokensLogged(portal, token)
  tally.check(logged, 'a token that was given out before is not in the audit log')
}

async function tokensLogged(portal: Portal, token: string): Promise<boolean> {
  const op = await portalOf(portal)
  try {
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const issued = await op.db.auditEntry.count({ where: { event: 'token.issued' } })
    const own = await op.db.auditEntry.count({ where: { decisionId: jti } })
    return own === 1 && issued >= TOKENS_BEFORE
  } finally {
    await op.close()
  }
}

async function stoppedServer(): Promise<Store> {
  const server = await startPostgres({ durable: true })
  return {
    url: await createDatabase(server.url),
    goAway: () => server.stopServer(),
    comeBack: () => server.startServer(),
    close: () => server.stop(),
  }
}

async function lockedFile(arena: Arena): Promise<Store> {
  const url = await arena.emptyDatabase()
  let holder: Sqlite.Database | null = null
  return {
    url,
    async goAway() {
      // The portal may be writing its audit batch just now.
      holder = new Sqlite(sqlitePath(url), { timeout: NOTICED_MS })
      holder.exec('BEGIN IMMEDIATE')
    },
    async comeBack() {
      holder?.exec('ROLLBACK')
      holder?.close()
    },
    close: async () => {},
  }
}
