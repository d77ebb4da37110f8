import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { newSetUpLink } from './lib/accounts/set-up'
import { say, sayStep } from './lib/base/console'
import { announceNodeHost } from './lib/base/request-context'
import type { Op } from './lib/context/op'
import { createHost, drain, type PageHandler } from './lib/host/server'
import { op } from './lib/op'
import { applyFile, outcome } from './lib/operations/configuration/file'
import { demoLeftLine, demoLines, loadDemo, refusePublicDemo } from './lib/operations/demo'
import { openDataFolder } from './lib/operations/private-files'
import { startWorking } from './lib/operations/scheduled/work'
import { explainStartUpError, ListenError } from './lib/operations/start-up-error'
import { type Config, config } from './lib/settings/config'
import type { Connection } from './lib/store/connection'
import { openDatabase } from './lib/store/database'
import { migrate } from './lib/store/migrations'

/** The Node host: what `npm start` runs after everything is installed and built. */

const STOP_MS = 9_500
const SECOND_SIGNAL_MS = 500
const SNAPSHOT_TRIES = 10
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The reader of the output is gone; writing an error message about it would fail again. */
function outliveReaders(): void {
  for (const out of [process.stdout, process.stderr]) out.on('error', () => {})
}

async function start(demo: boolean): Promise<void> {
  process.umask(0o077)
  outliveReaders()
  announceNodeHost()
  const settings = config()
  // Only now: the mode was read from the operator's NODE_ENV, and Next.js needs its own value.
  Object.assign(process.env, { NODE_ENV: 'production' })
  if (demo) refusePublicDemo(settings)
  await requireFreePort(settings)
  for (const line of openDataFolder(settings)) say(`  ${line}`)
  const db = await openDatabase(settings.databaseUrl)
  await sayStep('database', () => migrateDatabase(settings, db))
  const portal = await op(db)
  await sayStep('signing keys', () => readyKeys(portal))
  const loaded = demo ? await loadDemo(portal) : null
  const { configurationFile } = settings
  if (configurationFile) await sayStep('configuration', () => configure(portal, configurationFile))
  await readSnapshot(portal)
  const setUpLink = await newSetUpLink(portal)
  const misplaced = await demoLeftLine(portal)
  let pages: PageHandler = async () => {}
  await sayStep('pages', async () => {
    pages = await preparePages(settings)
    return 'ready'
  })
  const server = createHost(portal, (request, response) => pages(request, response))
  await listen(server, settings)
  stopOnSignal(portal, server, startWorking(portal))
  say(`\nGatehouse is ready at ${settings.origin}\n`)
  if (setUpLink)
    say(`Create the first admin (the link works once, for 15 minutes):\n  ${setUpLink}\n`)
  if (loaded) say(demoLines(loaded, settings.dataDir))
  if (misplaced) say(`${misplaced}\n`)
}

async function migrateDatabase({ databaseUrl }: Config, db: Connection): Promise<string> {
  const applied = await migrate(databaseUrl, db)
  return applied.length > 0 ? `applied ${applied.join(', ')}` : 'up to date'
}

async function readyKeys(portal: Op): Promise<string> {
  const { kid } = await portal.signingKey('ES256')
  await portal.signingKey('RS256')
  return `signing with ${kid.slice(0, 8)}`
}

/**
 * Read before the first request, however large it is. The database answered a moment ago, so a
 * timeout now means that the machine is busy, and the start goes on.
 */
async function readSnapshot(portal: Op, tries = SNAPSHOT_TRIES): Promise<void> {
  try {
    await portal.snapshot()
  } catch (error) {
    if (tries <= 1 || !portal.isUnavailable(error)) throw error
    await readSnapshot(portal, tries - 1)
  }
}

/** Prints each change, before the line of the step itself. */
async function configure(portal: Op, file: string): Promise<string> {
  const lines = await applyFile(portal, file, { env: process.env, dryRun: false })
  for (const line of lines) say(`    ${line}`)
  return outcome(lines)
}

async function preparePages({ host, port }: Config): Promise<PageHandler> {
  const { default: next } = await import('next')
  const app = next({ dev: false, dir: ROOT, port, ...(host && { hostname: host }) })
  await app.prepare()
  return app.getRequestHandler()
}

/** Checked before anything is changed; `listen` comes last, when there is something to serve. */
async function requireFreePort(settings: Config): Promise<void> {
  const probe = createServer()
  await listen(probe, settings)
  await new Promise((resolve) => probe.close(resolve))
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(error)))
    server.listen({ host, port }, resolve)
  })
}

/**
 * Stops in order, within 10 seconds even if something hangs. A second Ctrl-C, sent after npm has
 * passed on the first, ends it at once.
 */
function stopOnSignal(portal: Op, server: Server, stopWorking: () => Promise<void>): void {
  let stoppingSince = 0
  const stop = async () => {
    if (stoppingSince > 0) {
      if (performance.now() - stoppingSince > SECOND_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    setTimeout(() => process.exit(1), STOP_MS).unref()
    await drain(server)
    await stopWorking()
    await portal
      .close()
      .catch((error) => portal.log.error({ err: error }, 'the portal was not closed cleanly'))
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

try {
  await start(process.argv.includes('--demo'))
} catch (error) {
  process.stderr.write(`\n${explainStartUpError(error)}\n`)
  process.exit(1)
}
