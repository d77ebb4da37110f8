import type { Op } from '../context/op'
import { countOne, type Limit, LOCKS } from './attempts'

/** Guesses of what one user knows or has: counted before they are checked (attack M5, M6). */

export type SlowDown = { ok: false; problem: 'slow_down'; retryAfterSeconds: number }

export const tries = {
  /** Six digits can be guessed, so all places that ask for them share one count. */
  code: { name: 'factor', most: 5, ...LOCKS.code },
  /** Recovery codes cannot be guessed: they still work when the other codes are locked. */
  recovery: { name: 'recovery', most: 5, ...LOCKS.code },
  passkey: { name: 'passkey', most: 10 },
  /** Of an authenticator app that is being set up: its secret protects nothing yet. */
  enrolment: { name: 'enrolment', most: 5 },
  password: { name: 'confirm', most: 10 },
  picture: { name: 'picture', most: 20 },
} as const

type Kind = (typeof tries)[keyof typeof tries]

/** Null while attempts are left. */
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
