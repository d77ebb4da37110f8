import { format } from 'node:util'
import type { Log } from '../base/log'

/**
 * Next.js writes to the console, and Node.js writes its warnings to the standard error. The log has
 * JSON lines and nothing else, so they become lines of the log.
 */

const LEVELS = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const

type Console = Record<keyof typeof LEVELS, (...said: unknown[]) => void>

export function logConsole(log: Log, out: Console = console, node: NodeJS.Process = process): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    out[method as keyof Console] = (...said) => log[level](...lineOf(said))
  }
  node.removeAllListeners('warning')
  node.on('warning', (err) => log.warn({ err }, 'a warning of Node.js'))
}

/** An error has members of its own in the line; the rest is what is said about it. */
function lineOf(said: readonly unknown[]): [object, string] {
  const err = said.find((one) => one instanceof Error)
  const rest = said.filter((one) => one !== err)
  const text = rest.length > 0 ? format(...rest) : (err?.message ?? '')
  return [{ from: 'console', ...(err && { err }) }, text.trim()]
}
