import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Postgres, startPostgres } from '../e2e/support/postgres'
import { type DatabaseKind, databaseKindOf } from '../lib/store/database/connection'
import { databaseCpuMs } from './database-cpu'
import type { Dialect } from './dialect'
import { lineTo } from './load'
import {
  type Peer,
  startBarePage,
  startBetterAuth,
  startFloor,
  startFloorOfKind,
  startNextRoute,
  startOidcProvider,
} from './peers'
import { makeWorld, portalDialect, startPortal, type World } from './portal'
import type { ServerUnderTest, Usage } from './server'
import type { Contender } from './works'

/** What the sides are called; goals name those that we are held against. */
export const NAMES = {
  floor: 'floor',
  kind: 'floor of the kind',
  memory: 'oidc-provider, memory',
  sqlite: 'oidc-provider, SQLite',
  betterAuth: 'better-auth, SQLite',
  next: 'a bare Next.js route',
  barePage: 'a bare Next.js page',
  ours: 'Gatehouse, SQLite',
  oursOnPostgres: 'Gatehouse, PostgreSQL',
} as const

/** Within what the portal has written the audit entries of its machine tokens. */
const BATCH_MS = 250

/** Databases, servers and the lines to them: put up, and taken down whatever happened. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  readonly #closing: (() => Promise<void> | void)[] = []
  #postgres: Promise<Postgres> | null = null
  #worlds = 0
  /** With what oidc-provider reads its SQLite file. */
  driver = ''

  /** So many processes of it. */
  async floor(name: string = NAMES.floor, processes = 1): Promise<Contender> {
    const peers: Peer[] = []
    for (let at = 0; at < processes; at += 1) peers.push(await startFloor())
    const served = peers.map((peer) => peer.served)
    return this.#contender(name, served, peers[0]?.dialect as Dialect, 0)
  }

  async floorOfKind(): Promise<Contender> {
    return this.#peer(NAMES.kind, await startFloorOfKind())
  }

  async inMemory(): Promise<Contender> {
    return this.#peer(NAMES.memory, await startOidcProvider('memory'))
  }

  async onSqlite(): Promise<Contender> {
    const peer = await startOidcProvider(join(this.folder, 'peer.db'))
    this.driver = peer.served.told.driver ?? ''
    return this.#peer(NAMES.sqlite, peer)
  }

  async betterAuth(): Promise<Contender> {
    return this.#peer(NAMES.betterAuth, await startBetterAuth(join(this.folder, 'better.db')))
  }

  async nextRoute(): Promise<Contender> {
    return this.#peer(NAMES.next, await startNextRoute())
  }

  async barePage(): Promise<Contender> {
    return this.#peer(NAMES.barePage, await startBarePage())
  }

  #peer(name: string, { served, dialect }: Peer): Contender {
    return this.#contender(name, [served], dialect, 0)
  }

  async world(provider: DatabaseKind, size: number): Promise<World> {
    this.#worlds += 1
    const folder = join(this.folder, `world${this.#worlds}`)
    const url =
      provider === 'sqlite'
        ? `file:${join(folder, 'gatehouse.db')}`
        : await this.#newDatabase(`world${this.#worlds}`)
    return makeWorld(url, folder, size)
  }

  /** So many processes on one world. */
  async portal(name: string, world: World, processes = 1): Promise<Contender> {
    const served: ServerUnderTest[] = []
    for (let at = 0; at < processes; at += 1) served.push(await startPortal(world))
    const contender = this.#contender(name, served, portalDialect(world), BATCH_MS)
    await showPages(contender)
    if (databaseKindOf(world.url) === 'sqlite') return contender
    return { ...contender, usage: withDatabase(contender.usage, await this.postgresPid()) }
  }

  #contender(
    name: string,
    served: ServerUnderTest[],
    dialect: Dialect,
    behindMs: number,
  ): Contender {
    const line = lineTo(served.map(({ port }) => port))
    for (const one of served) this.#closing.push(one.stop)
    this.#closing.push(line.close)
    const processes = served.length
    return { name, line, dialect, behindMs, processes, served, usage: () => together(served) }
  }

  async postgresPid(): Promise<number> {
    if (!this.#postgres) throw new Error('no world is on PostgreSQL')
    return (await this.#postgres).pid()
  }

  async #newDatabase(name: string): Promise<string> {
    if (!this.#postgres) {
      this.#postgres = startPostgres({ durable: true })
      const running = await this.#postgres
      this.#closing.unshift(() => running.stop()) // the last to go
    }
    const { url } = await this.#postgres
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`CREATE DATABASE ${name}`)
    await client.end()
    return url.replace(/\/postgres$/, `/${name}`)
  }

  async strike(): Promise<void> {
    for (const close of this.#closing.reverse()) await close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** No portal issues only tokens, and what pages leave behind may make them dearer. */
async function showPages({ line, dialect, processes }: Contender): Promise<void> {
  const login = dialect.page?.('login')
  if (login) await line.send(Array.from({ length: 8 * processes }, () => login))
}

function withDatabase(usage: () => Promise<Usage>, pid: number): () => Promise<Usage> {
  return async () => ({ databaseMs: databaseCpuMs(pid), ...(await usage()) })
}

async function together(served: readonly ServerUnderTest[]): Promise<Usage> {
  const usages = await Promise.all(served.map((one) => one.usage()))
  return {
    cpuMs: usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    rssMb: usages.reduce((sum, { rssMb }) => sum + rssMb, 0),
  }
}
