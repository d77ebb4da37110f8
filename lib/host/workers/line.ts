import type { Readings } from '../../base/metrics'
import { isMessage, type ToPrimary, type ToWorker } from './messages'

/** The primary, as a worker sees it. */

const GATHER_MS = 5_000

export type Line = {
  /** Resolves when the worker should listen. */
  ready(): Promise<void>
  listening(): void
  /** What all workers have counted. */
  gather(): Promise<Readings[]>
  /** Resolves when it was sent. */
  sendReadings(readings: Readings): Promise<void>
  on(word: 'work' | 'retire' | 'stop' | 'read', then: () => void): void
  /** The primary is gone. */
  onLost(then: () => void): void
}

export function openLine(): Line {
  let asked = 0
  // While a worker waits for the word to listen, nothing else may keep its process alive.
  process.channel?.ref()
  return {
    async ready() {
      const listen = next((message) => message.tell === 'listen')
      await send({ tell: 'ready' })
      await listen
    },
    listening: () => void send({ tell: 'listening' }),
    async gather() {
      asked += 1
      const id = asked
      const answer = next((message) => message.tell === 'gathered' && message.id === id, GATHER_MS)
      await send({ tell: 'gather', id })
      const message = await answer
      return message.tell === 'gathered' ? message.readings : []
    },
    sendReadings: (readings) => send({ tell: 'readings', readings }),
    on(word, then) {
      process.on('message', (heard) => {
        if (isMessage(heard) && heard.tell === word) then()
      })
    },
    onLost: (then) => process.once('disconnect', then),
  }
}

/** The next message of this kind. */
function next(wanted: (message: ToWorker) => boolean, withinMs?: number): Promise<ToWorker> {
  return new Promise((resolve, reject) => {
    const timer =
      withinMs === undefined
        ? undefined
        : setTimeout(() => {
            process.off('message', listener)
            reject(new Error('the primary does not answer'))
          }, withinMs)
    function listener(heard: unknown) {
      if (!isMessage(heard) || !wanted(heard as ToWorker)) return
      clearTimeout(timer)
      process.off('message', listener)
      resolve(heard as ToWorker)
    }
    process.on('message', listener)
  })
}

/** A primary that is gone is noticed by `onLost`. */
function send(message: ToPrimary): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })
}
