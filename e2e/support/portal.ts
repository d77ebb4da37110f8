import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Demo } from '../../lib/operations/demo'
import { ask } from './ask'
import { copyDemo } from './demo-folders'
import { temporaryFolder } from './folder'
import { freePort } from './free-port'

/** The built portal as a process of its own, as an operator runs it. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const START_MS = 120_000
const POLL_MS = 20
/** How many processes a portal has where a test does not say; `npm run torture` sets it. */
export const TESTED_WORKERS = 'E2E_WORKERS'
export const SECRET = 'a-test-secret-of-sufficient-length-0123456789'

export type Portal = {
  origin: string
  pid: number
  dataDir: string
  env: Record<string, string>
  output(): string
  /** The same, with what was printed up to now. */
  allOutput(): Promise<string>
  /** Whoever reads it is gone. */
  stopReading(): void
  /** To its standard input. */
  write(text: string): void
  demo(): Demo
  /** Resolves with the exit code. */
  exited: Promise<number | null>
  signal(name: NodeJS.Signals): void
  stop(): Promise<number | null>
}

/** In a process of its own or in that of the test. */
export type AnyPortal = Pick<Portal, 'origin' | 'dataDir' | 'env' | 'demo'>

type Options = {
  /** `--demo` is `--demo=quiet`: a test looks at the sample data exactly, without its activity. */
  args?: string[]
  env?: Record<string, string>
  /** A command that runs it, such as one that gives it a disk of its own. */
  within?: string[]
}

/** server.ts, as `npm start` runs it. */
export async function startPortal(options: Options = {}): Promise<Portal> {
  const wanted = (options.args ?? []).map((one) => (one === '--demo' ? '--demo=quiet' : one))
  const args = ['dist/server.js', ...wanted]
  return answering(await spawnPortal(args, options.env, options.within), 'is ready at')
}

/** Plain `next start`, as a host without server.ts runs it; on any port, unless told. */
export async function startNext(env: Record<string, string>, wanted?: string): Promise<Portal> {
  const port = wanted ?? String(await freePort())
  const args = [
    'node_modules/next/dist/bin/next',
    'start',
    '--port',
    port,
    '--hostname',
    '127.0.0.1',
  ]
  const mode = { GATEHOUSE_MODE: 'development' }
  return answering(await spawnPortal(args, { ...mode, ...env, PORT: port }), '')
}

export async function spawnPortal(
  args: string[],
  extra: Record<string, string> = {},
  within: string[] = [],
): Promise<Portal> {
  const port = extra.PORT ?? String(await freePort())
  const dataDir = extra.DATA_DIR ?? temporaryFolder()
  const isDemo = args.some((one) => one.startsWith('--demo'))
  if (isDemo && extra.DATA_DIR === undefined) copyDemo(dataDir, extra.DATABASE_URL)
  const env = {
    PORT: port,
    DATA_DIR: dataDir,
    GATEHOUSE_SECRET: SECRET,
    LOG_LEVEL: 'info',
    WORKERS: process.env[TESTED_WORKERS] ?? '1', // one process to kill, stop and measure
    ...extra,
  }
  const { PATH = '', HOME = '' } = process.env
  // Not this process's environment: only what an operator would set.
  const clean = { PATH, HOME, ...env } as unknown as NodeJS.ProcessEnv
  const [command = '', ...rest] = [...within, process.execPath, ...args]
  const child = spawn(command, rest, { cwd: ROOT, env: clean })
  return toPortal(child, env, `http://localhost:${port}`)
}

export function demoIn(dataDir: string): Demo {
  return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
}

function toPortal(child: ChildProcess, env: Record<string, string>, origin: string): Portal {
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const dataDir = env.DATA_DIR ?? ''
  return {
    origin,
    pid: child.pid ?? 0,
    dataDir,
    env,
    exited,
    output: () => output,
    // The log is written in order, so with this request everything before it is there.
    async allOutput() {
      const { headers } = await ask(origin, { path: '/healthz' })
      while (!output.includes(headers['x-request-id'] ?? '-')) await sleep(POLL_MS)
      return output
    },
    stopReading: () => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
    write: (text) => {
      child.stdin?.write(text)
    },
    demo: () => demoIn(dataDir),
    signal: (name) => child.kill(name),
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

/** `word`: before it is said, whoever answers may be a worker of a portal that was killed. */
async function answering(portal: Portal, word: string): Promise<Portal> {
  const deadline = Date.now() + START_MS
  let exitCode: number | null | undefined
  portal.exited.then((code) => {
    exitCode = code
  })
  while (Date.now() < deadline && exitCode === undefined) {
    // Its connection is closed at once: a worker that is replaced waits for those that are open.
    const isReady = portal.output().includes(word)
    const answer = isReady && (await ask(portal.origin, { path: '/healthz' }).catch(() => null))
    if (answer && answer.status === 200) return portal
    await sleep(POLL_MS)
  }
  throw new Error(`the portal did not start (exit ${exitCode}):\n${portal.output()}`)
}
