import { copyFileSync, renameSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'libsql'
import { fsck } from '../../../lib/operations/fsck'
import { sqlitePath } from '../../../lib/store/database/sqlite'
import { caller, machineToken } from '../../support/api'
import { ask } from '../../support/ask'
import { aliceAtWeb, exchange, getCode, webRequest } from '../../support/flow'
import { type OutagePages, pagesOf } from '../../support/outage-pages'
import { type Portal, startPortal } from '../../support/portal'
import { createDatabase, startPostgres } from '../../support/postgres'
import { READ_ONLY } from '../../support/read-only'
import type { Arena } from '../arena'
import { type Line, newTally, type Tally } from '../report'
import { publicDocuments, requireRefusal, secondsToRecover } from './answers'

/**
 * Faults of the database in a running portal. What needs it is refused with 503, pages and forms
 * included, no write that was answered is lost, and nobody has to help the portal afterwards.
 */

const ROUNDS = 3
/** What was written or read a moment ago still counts. */
const NOTICED_MS = 6_000

type Fault = {
  what: string
  url: string
  begin(): Promise<void>
  end(): Promise<void>
  /** Pages that only read are still answered. */
  reads: boolean
  close?(): Promise<void>
}

export async function readOnly(arena: Arena): Promise<Line> {
  const { kind } = arena
  const what = 'the database can only be read'
  const url = await arena.emptyDatabase()
  const { begin, end } = READ_ONLY[kind]
  return through(
    arena,
    { what, url, begin: () => begin(url), end: () => end(url), reads: true },
    () => READ_ONLY[kind].obstacle(url),
  )
}

export async function fileGone(arena: Arena): Promise<Line> {
  const url = await arena.emptyDatabase()
  const [path, aside] = [sqlitePath(url), `${sqlitePath(url)}.aside`]
  return through(arena, {
    what: 'the file is deleted, and is back',
    url,
    begin: async () => renameSync(path, aside),
    end: async () => renameSync(aside, path),
    reads: false,
  })
}

/** By a copy of a moment ago, while the one that is open still has its log. */
export async function fileReplaced(arena: Arena): Promise<Line> {
  const url = await arena.emptyDatabase()
  const [path, copy] = [sqlitePath(url), `${sqlitePath(url)}.copy`]
  return through(arena, {
    what: 'the file is deleted, and another one comes',
    url,
    async begin() {
      const source = new Sqlite(path)
      source.exec(`VACUUM INTO '${copy}'`)
      source.close()
      renameSync(path, `${path}.gone`)
    },
    async end() {
      copyFileSync(copy, `${copy}.new`)
      renameSync(`${copy}.new`, path)
    },
    reads: false,
  })
}

export async function serverRestarts(arena: Arena): Promise<Line> {
  const server = await startPostgres({ durable: true })
  return through(arena, {
    what: 'PostgreSQL restarts under load',
    url: await createDatabase(server.url),
    begin: () => server.stopServer(),
    end: () => server.startServer(),
    reads: false,
    close: () => server.stop(),
  })
}

async function through(
  { kind, say }: Arena,
  fault: Fault,
  obstacle: () => string | null = () => null,
): Promise<Line> {
  const tally = newTally('weather', fault.what, kind)
  const env = { DATABASE_URL: fault.url, LOG_LEVEL: 'silent' }
  const portal = await startPortal({ args: ['--demo'], env })
  const reason = obstacle()
  try {
    if (reason) say(`${fault.what}: not tried, ${reason}`)
    else await underFault(tally, portal, fault, say)
  } finally {
    await portal.stop()
    if (!reason) await requireSound(tally, fault.url)
    await fault.close?.()
  }
  return tally
}

async function underFault(
  tally: Tally,
  portal: Portal,
  fault: Fault,
  say: Arena['say'],
): Promise<void> {
  const pages = await pagesOf(portal)
  const code = await getCode(await aliceAtWeb(portal), webRequest(portal.demo()))
  const writer = writing(tally, portal, await machineToken(portal))
  await fault.begin()
  await sleep(NOTICED_MS)
  for (let round = 0; round < ROUNDS; round += 1) {
    tally.rounds += 1
    requireRefusal(tally, 'code exchange', await exchange(portal, code))
    requireRefusal(tally, '/readyz', await ask(portal.origin, { path: '/readyz' }))
    await requirePages(tally, pages, fault.reads)
    for (const [path, status] of await publicDocuments(portal)) {
      tally.check(status === 200, `${path} answered ${status}`)
    }
  }
  await fault.end()
  const recovered = await secondsToRecover(() => ask(portal.origin, { path: '/readyz' }))
  tally.check(recovered !== null, 'not ready 15 s after the fault was over')
  say(`${fault.what}: ready ${recovered?.toFixed(1)} s after it was over`)
  await writer.stop()
  const exchanged = await exchange(portal, code)
  tally.check(exchanged.status === 200, `the code from before: ${exchanged.status}`)
  const signedIn = await pages.form()
  tally.check(signedIn.status === 303, `the form from before: ${signedIn.status}`)
}

async function requirePages(tally: Tally, pages: OutagePages, reads: boolean): Promise<void> {
  for (const [what, ask] of Object.entries(pages)) {
    const answer = await ask()
    const reading = what === 'page' || what === 'part'
    // Next.js sends a script without a mark against caches to the same address with one: 307.
    if (reads && reading) tally.check(answer.status < 400, `${what} answered ${answer.status}`)
    else requireRefusal(tally, what, answer)
    tally.check(answer.body !== 'Internal Server Error', `${what} is nothing but these words`)
  }
}

/** Makes one space after the other, all the time. What was answered as made has to be there. */
function writing(tally: Tally, portal: Portal, token: string) {
  const api = caller(portal, token)
  const made: string[] = []
  let stopped = false
  const work = (async () => {
    for (let at = 0; !stopped; at += 1) {
      const key = `space-${at}`
      const answer = await api('POST', '/spaces', { key, name: key }).catch(() => null)
      if (answer?.status === 201) made.push(key)
      const isKnown = answer && [201, 503].includes(answer.status)
      // A commit whose answer was lost may have been made.
      tally.check(isKnown === true || answer?.status === 409, `a write answered ${answer?.status}`)
      await sleep(20)
    }
  })()
  return {
    async stop() {
      stopped = true
      await work
      for (const key of made) {
        const { status } = await api('GET', `/spaces/${key}`)
        tally.check(status === 200, `${key} was answered as made, and is not there: ${status}`)
      }
      tally.check(made.length > 0, 'nothing was written at all')
    },
  }
}

async function requireSound(tally: Tally, url: string): Promise<void> {
  for (const { rule, ids } of await fsck(url)) {
    tally.check(ids.length === 0, `fsck: ${rule}: ${ids.join(' ')}`)
  }
}
