import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../support/ask'
import { temporaryFolder } from '../support/folder'

/** An empty folder, and the commands that somebody types in it. */

export type Workshop = {
  folder: string
  write(files: readonly { name: string; text: string }[]): void
  /** Runs to its end; its output. */
  run(lines: string, seconds: number): Promise<string>
  /** Goes on until the workshop is closed. */
  start(lines: string): Running
  close(): Promise<void>
}

export type Running = {
  output(): string
  exited: Promise<number | null>
  hasExited(): boolean
  type(line: string): void
  stop(): Promise<void>
}

export function openWorkshop(): Workshop {
  const folder = temporaryFolder()
  const started: Running[] = []
  const start = (lines: string) => {
    const running = startShell(lines, folder)
    started.push(running)
    return running
  }
  return {
    folder,
    write: (files) => {
      for (const { name, text } of files) writeInto(folder, name, text)
    },
    run: (lines, seconds) => toItsEnd(start(lines), seconds),
    start,
    async close() {
      await Promise.all(started.map((running) => running.stop()))
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function writeInto(folder: string, name: string, text: string): void {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** What packages are kept in lies below HOME, so that the second sample installs faster. */
const KEPT =
  /^(PATH|HOME|LANG|JAVA_HOME|PYENV_ROOT|(CARGO|RUSTUP|PIP|GO|npm_config|SSL|NODE)_?\w*)$/

function startShell(lines: string, cwd: string): Running {
  const kept = Object.entries(process.env).filter(([name]) => KEPT.test(name))
  const env = {
    ...Object.fromEntries(kept),
    NEXT_TELEMETRY_DISABLED: '1',
    PYTHONUNBUFFERED: '1',
  } as unknown as NodeJS.ProcessEnv
  // In a group of its own: a shell starts others, which must end with it.
  const child = spawn('sh', ['-c', lines], { cwd, env, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  let isClosed = false // only then has everything been read that it printed
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      isClosed = true
      resolve(code)
    })
  })
  return {
    output: () => output,
    exited,
    hasExited: () => isClosed,
    type: (line) => child.stdin.write(`${line}\n`),
    stop: () => stopGroup(child, exited),
  }
}

const PATIENCE_MS = 5_000

async function stopGroup(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(-(child.pid ?? 0), signal)
    } catch {
      return // nobody of the group is left
    }
    await Promise.race([exited, sleep(PATIENCE_MS)])
  }
}

async function toItsEnd(running: Running, seconds: number): Promise<string> {
  const timer = new AbortController()
  const late = sleep(seconds * 1000, 'late' as const, { signal: timer.signal }).catch(() => 'late')
  const code = await Promise.race([running.exited, late])
  timer.abort()
  if (code === 'late') await running.stop()
  if (code !== 0) throw new Error(`ended with ${code}:\n${lastLines(running.output())}`)
  return running.output()
}

export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-12).join('\n')
}

/** Waits until it has printed this, and gives the first group. */
export async function says(running: Running, words: RegExp, seconds: number): Promise<string> {
  const found = await until(seconds, running, async () => words.exec(running.output()))
  return found[1] ?? found[0]
}

/** Waits until something answers there. */
export async function answers(running: Running, address: string, seconds: number): Promise<void> {
  const { origin, pathname } = new URL(address)
  await until(seconds, running, () => ask(origin, { path: pathname }).catch(() => null))
}

async function until<T>(
  seconds: number,
  running: Running,
  look: () => Promise<T | null>,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  while (Date.now() < deadline) {
    const ended = running.hasExited()
    const found = await look()
    if (found !== null) return found
    if (ended) break
    await sleep(100)
  }
  throw new Error(`nothing after ${seconds} s:\n${lastLines(running.output())}`)
}
