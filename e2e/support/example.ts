import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** A program of examples/ as a process of its own, with the settings of docs/integration.md. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export type Example = {
  output(): string
  /** Waits until it has printed this, and gives the first group. */
  says(words: RegExp): Promise<string>
  /** Resolves with the exit code. */
  exited: Promise<number | null>
  stop(): Promise<void>
}

export function startExample(args: string[], env: Record<string, string>): Example {
  const { PATH = '', HOME = '' } = process.env
  const clean = { PATH, HOME, NEXT_TELEMETRY_DISABLED: '1', ...env } as unknown as NodeJS.ProcessEnv
  const child = spawn(process.execPath, args, { cwd: ROOT, env: clean })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    output: () => output,
    says: (words) => waitFor(words, () => output, child),
    exited,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

const PATIENCE_MS = 120_000

async function waitFor(
  words: RegExp,
  output: () => string,
  child: { exitCode: number | null },
): Promise<string> {
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline) {
    const ended = child.exitCode !== null
    const found = words.exec(output())
    if (found) return found[1] ?? found[0]
    if (ended) break
    await sleep(50)
  }
  throw new Error(`no ${words} (exit ${child.exitCode}) in:\n${output()}`)
}
