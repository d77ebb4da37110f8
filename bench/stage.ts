import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createDatabase, type Postgres, startPostgres } from '../e2e/support/postgres'
import { hashPassword, newPassword, verifyPassword } from '../lib/accounts/passwords'
import { type DatabaseKind, databaseKindOf } from '../lib/store/database/connection'
import { databaseCpuMs } from './database-cpu'
import type { Dialect } from './dialect'
import { get, lineTo, type Visit } from './load'
import { NAMES } from './names'
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
import { OWN, type Runtime } from './runtime'
import type { ServerUnderTest, Usage } from './server'
import { countStatements } from './statements'
import type { Contender, ShownRow } from './works'

/** Within what the portal has written the audit entries of its machine tokens. */
const BATCH_MS = 250

/** Databases, servers and the lines to them: put up, and taken down whatever happened. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  readonly #closing: (() => Promise<void> | void)[] = []
  #postgres: Promise<Postgres> | null = null
  #worlds = 0
  #files = 0
  /** With what oidc-provider reads its SQLite file. */
  driver = ''
  /** Runs what is started from now on. */
  runtime: Runtime = OWN

  /** So many processes of it. */
  async floor(name: string = NAMES.floor, processes = 1): Promise<Contender> {
    const peers: Peer[] = []
    for (let at = 0; at < processes; at += 1) peers.push(await startFloor(this.runtime.node))
    const served = peers.map((peer) => peer.served)
    return this.#contender(name, served, peers[0]?.dialect as Dialect, 0)
  }

  async floorOfKind(): Promise<Contender> {
    return this.#peer(NAMES.kind, await startFloorOfKind(this.runtime.node))
  }

  async inMemory(): Promise<Contender> {
    return this.#peer(NAMES.memory, await startOidcProvider('memory', this.runtime.node))
  }

  async onSqlite(): Promise<Contender> {
    const peer = await startOidcProvider(this.#newFile(), this.runtime.node)
    this.driver = peer.served.told.driver ?? ''
    return this.#peer(NAMES.sqlite, peer)
  }

  async betterAuth(): Promise<Contender> {
    return this.#peer(NAMES.betterAuth, await startBetterAuth(this.#newFile(), this.runtime.node))
  }

  async nextRoute(): Promise<Contender> {
    return this.#peer(NAMES.next, await startNextRoute(this.runtime.node))
  }

  async barePage(): Promise<Contender> {
    return this.#peer(NAMES.barePage, await startBarePage(this.runtime.node))
  }

  /** Not a server: the CPU of what a sign-in pays for its password, with the portal's own work factor. */
  async passwordAlone(): Promise<Contender> {
    const typed = newPassword()
    const stored = await hashPassword(typed)
    const verify: Visit = async () => {
      if (!(await verifyPassword(stored, typed))) throw new Error('the password does not match')
      return { status: 200, location: '', cookies: '', body: '' }
    }
    const of = this.#contender(NAMES.password, [], { token: () => get('/'), verify }, 0)
    const usage = async () => {
      const { user, system } = process.cpuUsage()
      return { cpuMs: (user + system) / 1000, rssMb: 0 }
    }
    return { ...of, line: lineTo([0]), processes: 1, usage }
  }

  #newFile(): string {
    this.#files += 1
    return join(this.folder, `peer${this.#files}.db`)
  }

  #peer(name: string, { served, dialect }: Peer): Contender {
    return this.#contender(name, [served], dialect, 0)
  }

  async world(provider: DatabaseKind, size: number, newcomers = 0): Promise<World> {
    const folder = this.#newFolder()
    const url =
      provider === 'sqlite'
        ? `file:${join(folder, 'gatehouse.db')}`
        : await this.#newDatabase(`world${this.#worlds}`)
    return makeWorld(url, folder, size, newcomers)
  }

  /** `script`: an earlier build. */
  async portal(name: string, world: World, script?: string): Promise<Contender> {
    const served = await startPortal(world, { node: this.runtime.node, ...(script && { script }) })
    const contender = this.#contender(name, [served], portalDialect(world), BATCH_MS)
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
    return {
      name: `${name}${this.runtime.suffix}`,
      line,
      dialect,
      behindMs,
      processes,
      served,
      usage: () => together(served),
    }
  }

  /** Its PostgreSQL tells of every statement: they are counted there, and nothing is measured. */
  async counted(size: number, newcomers: number, script?: string) {
    const { url, log, stop } = await startPostgres({ flags: ['-c', 'log_statement=all'] })
    this.#closing.unshift(stop)
    const world = await makeWorld(await createDatabase(url), this.#newFolder(), size, newcomers)
    const served = await startPortal(world, { node: this.runtime.node, ...(script && { script }) })
    const of = this.#contender('counted', [served], portalDialect(world), BATCH_MS)
    return {
      async count({ once }: ShownRow): Promise<number> {
        const show = await once(of)
        await show()
        return countStatements(log, show)
      },
    }
  }

  #newFolder(): string {
    this.#worlds += 1
    return join(this.folder, `world${this.#worlds}`)
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
async function showPages({ line, dialect }: Contender): Promise<void> {
  const login = dialect.page?.('login')
  if (login) await line.send(Array.from({ length: 8 }, () => login))
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
