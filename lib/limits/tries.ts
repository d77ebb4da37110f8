import type { Op } from '../context/op'
import { countOne, type Limit, LOCKS } from './attempts'

/** Guesses at what one person knows or holds: counted before they are looked at (attack M5, M6). */

export type SlowDown = { ok: false; problem: 'slow_down'; retryAfterSeconds: number }

export const tries = {
  /** Six digits can be guessed, wherever they are asked for: one count for all those places. */
  code: { name: 'factor', most: 5, ...LOCKS.code },
  /** These cannot: they stay open as the way in for whose codes are locked. */
  recovery: { name: 'recovery', most: 5, ...LOCKS.code },
  passkey: { name: 'passkey', most: 10 },
  /** Of an app that is being set up: nobody's secret yet. */
  enrolment: { name: 'enrolment', most: 5 },
  password: { name: 'confirm', most: 10 },
  picture: { name: 'picture', most: 20 },
} as const

type Kind = (typeof tries)[keyof typeof tries]

/** Null while there are tries left. */
export async function countTry(op: Op, kind: Kind, userId: string): Promise<SlowDown | null> {
  const { wait } = await countOne(op, limitOf(kind, userId))
  return wait === 0 ? null : slowDown(wait)
}

export async function takeBackTry(op: Op, kind: Kind, userId: string): Promise<void> {
  await op.counters.takeBack(limitOf(kind, userId).key)
}

export function slowDown(retryAfterSeconds: number): SlowDown {
  return { ok: false, problem: 'slow_down', retryAfterSeconds }
}

export function limitOf({ name, ...limit }: Kind, userId: string): Limit {
  return { key: `${name}:${userId}`, ...limit }
}
