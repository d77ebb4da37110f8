import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../e2e/support/postgres'

/** A server as a process of its own, and what it has used so far. */

const START_MS = 120_000
/** What `npm start` runs, Node's own options first. */
export const [NODE_OPTIONS, START] = startCommand()
const METER = join(process.cwd(), 'bench/peers/meter.mjs')

/** `databaseMs`: CPU of the PostgreSQL below it. */
export type Usage = { cpuMs: number; rssMb: number; databaseMs?: number }

export type ServerUnderTest = {
  port: number
  pid: number
  /** What it said of itself when it was ready. */
  told: Record<string, string>
  usage(): Promise<Usage>
  /** How long its event loop stood still since this was last asked. */
  standstills(): Promise<Standstills>
  /** Begins to note where its time goes; returns a function that ends it. */
  profile(): Promise<() => Promise<Profile>>
  stop(): Promise<void>
}

/** In milliseconds. */
export type Standstills = {
  stood: { p99: number; p999: number; most: number }
  /** The most CPU that was used between two turns of the event loop. */
  busiestMs: number
  collections: { major: number; longestMs: number }
}

type Node = { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }
export type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[] }

export type ToStart = {
  args: string[]
  env?: Record<string, string>
  /** Where its output goes; absent: nowhere. */
  logFile?: string
  /** Asked until it answers. */
  ready: string
  nodeArgs?: string[]
  /** Another Node.js than the one of the bench. */
  node?: string | undefined
}

function startCommand(): [options: string[], script: string] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const [, ...words] = scripts.start.split(' ')
  return [words.slice(0, -1), words.at(-1)]
}

export async function serve({
  args,
  env,
  logFile,
  ready,
  nodeArgs = [],
  node = process.execPath,
}: ToStart): Promise<ServerUnderTest> {
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  const output = logFile === undefined ? 'ignore' : openSync(logFile, 'a')
  const child = spawn(node, [...nodeArgs, '--import', METER, ...args], {
    // Only what an operator would set.
    env: { PATH, HOME, ...env, PORT: String(port) } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', output, output, 'ipc'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const told: Record<string, string> = {}
  child.on('message', (said: object) => {
    if ('driver' in said) Object.assign(told, said)
  })
  await answering(port, ready, child)
  const tell = <T>(what: string) => answerOf<T>(child, what)
  return {
    port,
    pid: child.pid ?? 0,
    told,
    usage: () => tell<Usage>('usage'),
    standstills: () => tell<Standstills>('standstills'),
    async profile() {
      await tell('profile')
      return async () => (await tell<{ profile: Profile }>('profiled')).profile
    },
    stop: () => stop(child),
  }
}

/** As an operator types it; nothing but its answers is looked at. */
export async function serveByNpm(
  env: Record<string, string>,
  ready: string,
): Promise<Pick<ServerUnderTest, 'port' | 'stop'>> {
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  // A group of its own: npm does not pass a signal on to the portal.
  const child = spawn('npm', ['start'], {
    env: { PATH, HOME, ...env, PORT: String(port) } as unknown as NodeJS.ProcessEnv,
    stdio: 'ignore',
    detached: true,
  })
  const end = () => {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
  }
  process.once('exit', end)
  await answering(port, ready, child)
  return {
    port,
    async stop() {
      process.off('exit', end)
      const gone = new Promise((resolve) => child.once('exit', resolve))
      end()
      await gone
    },
  }
}

const running = new Set<ChildProcess>()

/** Nobody is left behind by a bench that ended badly, or was ended. */
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

function answerOf<T>(child: ChildProcess, asked: string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (answer) => resolve(answer as T))
    child.send(asked, (error) => error && reject(error))
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}

async function answering(port: number, path: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  child.kill('SIGKILL')
  throw new Error('a server of the bench did not start')
}
