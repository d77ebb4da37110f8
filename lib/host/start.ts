import { createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { newSetUpLink } from '../accounts/set-up'
import { applyFile, outcome } from '../api/configuration/file'
import { say, sayStep } from '../base/console'
import { announceNodeHost } from '../base/request-context'
import type { Op } from '../context/op'
import { op } from '../op'
import { type Demo, demoLeftLine, demoLines, loadDemo, refusePublicDemo } from '../operations/demo'
import type { DemoKind } from '../operations/demo/kind'
import { openDataFolder } from '../operations/private-files'
import { startWorking } from '../operations/scheduled/work'
import { ListenError } from '../operations/start-up-error'
import { type Config, config } from '../settings/config'
import type { Connection } from '../store/database/connection'
import { openConnection } from '../store/database/open'
import { migrate } from '../store/operations/migrations'
import { logConsole } from './console-log'
import { preparePages, waitForBuild } from './pages'
import { createHost, drain, type PageHandler, retire } from './server'
import { stopOnSignal } from './stop-on-signal'

/** From nothing to a process that answers: alone, or as one of several workers. */

export const STOP_MS = 9_500
const START_TRIES = 10
const PORT_POLL_MS = 100

export async function startAlone(demo: DemoKind | null): Promise<void> {
  const news = await setUp(demo)
  const host = openHost(news)
  await host.listen()
  stopOnSignal(async () => {
    await host.stop()
    return 0
  }, STOP_MS)
  await host.openPages()
  host.work()
  tellNews(news)
}

/** What is ready, how the rest is told of, and what the operator is told at the end. */
type StartResult = { portal: Op; step: Step; lines: string[] }

/** Everything that has to be there before the first process of a portal answers. */
export async function setUp(demo: DemoKind | null, waitForPortMs = 0): Promise<StartResult> {
  const settings = readSettings()
  if (demo) refusePublicDemo(settings)
  await requireFreePort(settings, waitForPortMs)
  for (const line of openDataFolder(settings)) say(`  ${line}`)
  const portal = await openPortal(settings, sayStep)
  // Before there are keys: those of the sample activity are as old as its first day.
  const loaded = demo ? await demoIn(portal, demo) : null
  await sayStep('signing keys', () => readyKeys(portal))
  await configure(portal)
  await readSnapshot(portal)
  const setUpLink = await newSetUpLink(portal)
  const misplaced = await demoLeftLine(portal)
  const lines = [
    ...(setUpLink
      ? [`Create the first admin (the link works once, for 15 minutes):\n  ${setUpLink}\n`]
      : []),
    ...(loaded ? [demoLines(loaded, settings.dataDir)] : []),
    ...(misplaced ? [`${misplaced}\n`] : []),
  ]
  return { portal, step: sayStep, lines }
}

/**
 * For a process that joins a running portal. It migrates too: the version on the disk may have been
 * replaced since the others were started. `configured`: it is the first of a new version.
 */
export async function setUpAgain(configured: boolean): Promise<StartResult> {
  const step = configured ? sayStep : quietly
  const portal = await openPortal(readSettings(), step)
  await step('signing keys', () => readyKeys(portal))
  if (configured) await configure(portal)
  await readSnapshot(portal)
  return { portal, step, lines: [] }
}

export function tellNews({ portal, lines }: StartResult): void {
  say(`\nGatehouse is ready at ${portal.origin}\n`)
  for (const line of lines) say(line)
}

function readSettings(): Config {
  announceNodeHost()
  const settings = config()
  // Only now: the mode was read from the operator's NODE_ENV, and Next.js needs its own value.
  Object.assign(process.env, { NODE_ENV: 'production' })
  return settings
}

type Step = (name: string, work: () => Promise<string>) => Promise<void>

const quietly: Step = async (_name, work) => {
  await work()
}

async function openPortal(settings: Config, step: Step): Promise<Op> {
  const { databaseUrl, workers } = settings
  const db = await openConnection(databaseUrl, { workers })
  await step('database', () => migrateDatabase(settings, db))
  const portal = await op(db)
  await inTries(portal, portal.health.write)
  return portal
}

async function migrateDatabase({ databaseUrl }: Config, db: Connection): Promise<string> {
  const applied = await migrate(databaseUrl, db)
  return applied.length > 0 ? `applied ${applied.join(', ')}` : 'up to date'
}

async function demoIn(portal: Op, kind: DemoKind): Promise<Demo> {
  const loading = loadDemo(portal, kind)
  await sayStep('sample data', () => loading.then(() => 'ready'))
  return loading
}

async function readyKeys(portal: Op): Promise<string> {
  const { kid } = await portal.signingKey('ES256')
  await portal.signingKey('RS256')
  return `signing with ${kid.slice(0, 8)}`
}

/** Read before the first request, however large it is. */
function readSnapshot(portal: Op): Promise<void> {
  return inTries(portal, async () => {
    await portal.snapshot()
  })
}

/**
 * The database answered a moment ago, so a timeout now means that the machine is busy, and the start
 * goes on.
 */
async function inTries(portal: Op, work: () => Promise<void>, tries = START_TRIES): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (tries <= 1 || !portal.isUnavailable(error)) throw error
    await inTries(portal, work, tries - 1)
  }
}

async function configure(portal: Op): Promise<void> {
  const { configurationFile } = portal.config
  if (configurationFile) await sayStep('configuration', () => apply(portal, configurationFile))
}

/** Prints each change, before the line of the step itself. */
async function apply(portal: Op, file: string): Promise<string> {
  const lines = await applyFile(portal, file, { env: process.env, dryRun: false })
  for (const line of lines) say(`    ${line}`)
  return outcome(lines)
}

export type Host = {
  portal: Op
  listen(): Promise<void>
  /** Requests for pages that came before wait for it; the direct line does not. */
  openPages(): Promise<void>
  /** Begins the scheduled work. */
  work(): void
  /** Leaves new connections to others; resolves when nothing is left to do. */
  retire(): Promise<void>
  stop(): Promise<void>
}

export function openHost({ portal, step }: StartResult): Host {
  let opened: (pages: PageHandler) => void = () => {}
  const pages = new Promise<PageHandler>((resolve) => {
    opened = resolve
  })
  const server = createHost(portal, async (request, response) => (await pages)(request, response))
  let stopWorking = async () => {}
  let closing: Promise<void> | null = null
  const close = () => {
    closing ??= closePortal(portal)
    return closing
  }
  return {
    portal,
    listen: () => listen(server, portal.config),
    async openPages() {
      await waitForBuild(step)
      logConsole(portal.log)
      await step('pages', async () => {
        opened(await preparePages(portal.config))
        return 'ready'
      })
    },
    work() {
      stopWorking = startWorking(portal)
    },
    async retire() {
      await Promise.all([retire(server), stopWorking()])
      await close()
    },
    async stop() {
      await drain(server)
      await stopWorking()
      await close()
    },
  }
}

async function closePortal(portal: Op): Promise<void> {
  await portal
    .close()
    .catch((error) => portal.log.error({ err: error }, 'the portal was not closed cleanly'))
}

/**
 * Checked before anything is changed; `listen` comes last, when there is something to serve. A
 * connection that is made meanwhile is closed, because it would never be answered.
 */
async function requireFreePort(settings: Config, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs
  for (let tries = 1; ; tries += 1) {
    const probe = createServer((socket) => socket.destroy())
    try {
      // By its own socket: from Node 24 on, a worker that failed with the shared one cannot try again.
      await listen(probe, settings, true)
      return await new Promise((resolve) => probe.close(() => resolve()))
    } catch (error) {
      const isInUse = error instanceof ListenError && error.code === 'EADDRINUSE'
      if (!isInUse || performance.now() > deadline) throw error
    }
    if (tries === 1) say(`  port ${settings.port} is in use; waiting for ${waitMs / 1_000} s`)
    await sleep(PORT_POLL_MS)
  }
}

function listen(server: Server, { host, port }: Config, exclusive = false): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(error)))
    server.listen({ host, port, exclusive }, resolve)
  })
}
