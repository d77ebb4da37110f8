import { join } from 'node:path'
import { createOp, type OpenOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { migrate } from '../../lib/store/operations/migrations'
import { temporaryFolder } from '../support/folder'
import { type Portal, startNext, startPortal } from '../support/portal'
import { createDatabase, freePort, type Postgres, startPostgres } from '../support/postgres'
import type { Line } from './report'

/** Where it happens: one kind of database, one kind of host, and how much of it. */

export type Kind = 'sqlite' | 'postgres'
export type Host = 'node' | 'next'

export type Arena = {
  kind: Kind
  host: Host
  rounds: number
  /** How long, for the parts that can go on for as long as they are let; null: as many rounds. */
  minutes: number | null
  seed: number
  quick: boolean
  /** Is this one of those that were asked for? */
  wants(what: string): boolean
  /** With nothing in it, not even tables. */
  emptyDatabase(): Promise<string>
  say(text: string): void
}

/** A part says what it found, one line for each thing that it tried. */
export type Part = (arena: Arena) => Promise<Line[]>

export type Ground = { emptyDatabase(): Promise<string>; leave(): Promise<void> }

export async function ground(kind: Kind): Promise<Ground> {
  if (kind === 'sqlite') {
    const emptyDatabase = async () => `file:${join(temporaryFolder(), 'gatehouse.db')}`
    return { emptyDatabase, leave: async () => {} }
  }
  const server: Postgres = await startPostgres()
  return { emptyDatabase: () => createDatabase(server.url), leave: () => server.stop() }
}

/** The database itself, for what no endpoint tells. */
export type OpenPortal = OpenOp

export function portalOf(portal: Portal): Promise<OpenPortal> {
  return createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
}

/** Two processes on one database, both of the same issuer, as behind a load balancer. */
export type Pair = {
  portals: readonly [Portal, Portal]
  /** The first, whose address is the issuer's. */
  front: Portal
  ports: readonly [number, number]
  op: OpenPortal
  stop(): Promise<void>
}

type Environment = Record<string, string>

type Start = {
  demo: boolean
  env?: Environment
  /** Both in the same moment; else the second meets what the first has made. */
  together?: boolean
}

export async function startPair(
  arena: Arena,
  { demo, env = {}, together = false }: Start,
): Promise<Pair> {
  const port = await freePort()
  const shared = {
    DATABASE_URL: await arena.emptyDatabase(),
    DATA_DIR: temporaryFolder(),
    ISSUER: `http://localhost:${port}`,
    LOG_LEVEL: 'warn',
    TRUSTED_PROXIES: '1', // so that every request can come from an address of its own
    CLIENT_REQUESTS_PER_MINUTE: '1000000', // one client races a thousand times in a few seconds
    ...env,
  }
  if (arena.host === 'next') await prepareFor(shared, demo)
  const args = demo ? ['--demo'] : []
  const first = () => startHost(arena, { ...shared, PORT: String(port) }, args)
  const other = async () => startHost(arena, { ...shared, PORT: String(await freePort()) })
  const portals = together
    ? await Promise.all([first(), other()])
    : ([await first(), await other()] as const)
  const [front, second] = portals
  const op = await portalOf(front)
  return {
    portals,
    front,
    ports: [portOf(front), portOf(second)],
    op,
    async stop() {
      await op.close()
      await Promise.all(portals.map((portal) => portal.stop()))
    },
  }
}

/** Without server.ts nobody migrates: that is done once, as an operator would before they deploy. */
async function prepareFor(env: Environment & { DATABASE_URL: string }, demo: boolean) {
  await migrate(env.DATABASE_URL)
  if (!demo) return
  const portal = await startPortal({ args: ['--demo'], env })
  await portal.stop()
}

export function startHost(
  { host }: Pick<Arena, 'host'>,
  env: Environment,
  args: string[] = [],
): Promise<Portal> {
  return host === 'next' ? startNext(env, env.PORT) : startPortal({ args, env })
}

export function portOf({ env }: Portal): number {
  return Number(env.PORT)
}
