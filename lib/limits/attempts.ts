import type { Op } from '../op'
import { foldedKey } from '../store/folded-key'

/**
 * Attempts by one network, and at one name whether or not somebody has it (M1, M2, M3). Counted
 * before they are looked at, so that parallel ones count too. The network first: one that is over
 * its limit leaves no further trace.
 */

const WINDOW_MS = 15 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const FIRST_LOCK_MS = 60 * 1000

export type Limit = {
  key: string
  most: number
  /** Each lock is twice as long as the last one that is remembered (M3, M6). */
  growing?: Growth
}

type Growth = {
  /** For how long attempts add up. */
  windowMs: number
  longestMs: number
  rememberedMs: number
}

/** A password is hard to guess; six digits are not, and whoever guesses them has the password. */
export const LOCKS = {
  password: { windowMs: WINDOW_MS, longestMs: HOUR_MS, rememberedMs: DAY_MS },
  code: { windowMs: DAY_MS, longestMs: DAY_MS, rememberedMs: 30 * DAY_MS },
} as const satisfies Record<string, Growth>

/** An address that nobody vouches for is shared by strangers and limits nobody. */
export function networkLimit(op: Op, what: string, ip: string | null, most: number): Limit[] {
  return ip === null ? [] : [{ key: `${what}:address:${op.limits.networkOf(ip)}`, most }]
}

export function nameLimit(op: Op, what: string, name: string, most: number): Limit {
  return { key: `${what}:account:${op.hashSecret(foldedKey(name))}`, most }
}

/** Seconds to wait; 0: go ahead. */
export async function countAttempt(op: Op, limits: readonly Limit[]): Promise<number> {
  for (const limit of limits) {
    const { wait } = await countOne(op, limit)
    if (wait > 0) return wait
  }
  return 0
}

/** The how manieth it is, and the seconds to wait. */
export async function countOne(op: Op, limit: Limit): Promise<{ count: number; wait: number }> {
  const { key, most, growing } = limit
  const now = op.now()
  const { count, resetsAt } = await op.counters.hit(key, now, growing?.windowMs ?? WINDOW_MS)
  if (count <= most) return { count, wait: 0 }
  const until = growing && count === most + 1 ? await lock(op, key, growing, now) : resetsAt
  return { count, wait: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)) }
}

/** It turned out to be innocent. */
export async function takeBackAttempt(op: Op, limits: readonly Limit[]): Promise<void> {
  for (const { key } of limits) await op.counters.takeBack(key)
}

/** Whoever proved by mail that the account is theirs need not wait for what others did to it. */
export async function forgive(op: Op, limits: readonly Limit[]): Promise<void> {
  for (const { key } of limits) await op.counters.clear([key, locksOf(key)])
}

async function lock(op: Op, key: string, growth: Growth, now: Date): Promise<Date> {
  const { count } = await op.counters.hit(locksOf(key), now, growth.rememberedMs)
  const ms = Math.min(FIRST_LOCK_MS * 2 ** (count - 1), growth.longestMs)
  const until = new Date(now.getTime() + ms)
  await op.counters.holdUntil(key, until)
  return until
}

function locksOf(key: string): string {
  return `${key}:locks`
}
