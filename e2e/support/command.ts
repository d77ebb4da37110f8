import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A command of lib/operations/commands.ts as a process of its own, while everything else goes on. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export function runCommand(
  settings: Record<string, string>,
  ...args: string[]
): Promise<{ status: number | null; said: string }> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...settings } as unknown as NodeJS.ProcessEnv
  const child = spawn(process.execPath, ['dist/commands.js', ...args], { cwd: ROOT, env })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, said })))
}
