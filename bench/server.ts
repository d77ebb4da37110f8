import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'

/** A portal of its own process, and what its CPU has cost so far. */

const START_MS = 60_000
const TICKS_A_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

export type Served = {
  ask(path: string, body: string, headers: Record<string, string>): Promise<string>
  cpuSeconds(): number
  stop(): void
}

export async function serve(env: Record<string, string>): Promise<Served> {
  const port = await freePort()
  const child = spawn(process.execPath, ['dist/server.js'], {
    env: { ...process.env, LOG_LEVEL: 'silent', ...env, PORT: String(port) },
    stdio: 'ignore',
  })
  await answering(port, child)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    ask: (path, body, headers) => post(agent, port, path, body, headers),
    cpuSeconds: () => cpuOf(child.pid ?? 0),
    stop: () => {
      agent.destroy()
      child.kill('SIGTERM')
    },
  }
}

/** User and system time from /proc, fields 14 and 15. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}

function post(
  agent: Agent,
  port: number,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, port, host: '127.0.0.1', method: 'POST', path, headers },
      (got) => {
        let text = ''
        got.on('data', (chunk) => {
          text += chunk
        })
        got.on('end', () => {
          if (got.statusCode === 200) resolve(text)
          else reject(new Error(`${got.statusCode} ${text}`))
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

async function answering(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const healthy = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)
    if (healthy?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the portal did not start')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
