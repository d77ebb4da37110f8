import cluster, { type Worker } from 'node:cluster'
import type { Readings } from '../../base/metrics'
import { isMessage, type Role, roleArgument, type ToPrimary, type ToWorker } from './messages'

/** One worker as the primary sees it. */

export type End = { exitCode: number | null; signal: string | null }

export type Member = {
  pid: number
  /** Resolves with false if it ends before. */
  ready: Promise<boolean>
  listening: Promise<boolean>
  ended: Promise<End>
  isListening(): boolean
  servedMs(): number
  tell(message: ToWorker): void
  kill(signal: NodeJS.Signals): void
}

type PrimaryMessages = {
  readings(readings: Readings): void
  gather(id: number): void
}

export function startMember(
  script: string,
  role: Role,
  args: string[],
  heard: PrimaryMessages,
): Member {
  cluster.setupPrimary({ exec: script, args: [roleArgument(role), ...args] })
  const worker = cluster.fork()
  const ended = endOf(worker)
  let since: number | null = null
  worker.on('message', (message: unknown) => {
    if (!isMessage(message)) return
    const said = message as ToPrimary
    if (said.tell === 'readings') heard.readings(said.readings)
    if (said.tell === 'gather') heard.gather(said.id)
    if (said.tell === 'listening') since = performance.now()
  })
  return {
    pid: worker.process.pid ?? 0,
    ready: told(worker, 'ready', ended),
    listening: told(worker, 'listening', ended),
    ended,
    isListening: () => since !== null && worker.isConnected(),
    servedMs: () => (since === null ? 0 : performance.now() - since),
    tell: (message) => tell(worker, message),
    kill: (signal) => worker.process.kill(signal),
  }
}

/** False if it ends before it says so. */
function told(worker: Worker, word: ToPrimary['tell'], ended: Promise<End>): Promise<boolean> {
  return new Promise((resolve) => {
    worker.on('message', (message: unknown) => {
      if (isMessage(message) && message.tell === word) resolve(true)
    })
    ended.then(() => resolve(false))
  })
}

function endOf(worker: Worker): Promise<End> {
  return new Promise((resolve) => {
    worker.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
    // It could not be started at all.
    worker.once('error', () => worker.process.pid ?? resolve({ exitCode: null, signal: null }))
  })
}

/** It may end at this moment; that is reported by `ended`. */
function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}
