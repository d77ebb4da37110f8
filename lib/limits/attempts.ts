import type { Op } from '../op'
import { foldedKey } from '../store/folded-key'

/**
 * Attempts by one network, and at one name whether or not somebody has it (M1, M2, M3). Counted
 * before they are looked at, so that parallel ones count too. The network first: one that is over
 * its limit leaves no further trace.
 */

const WINDOW_MS = 15 * 60 * 1000
const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000
const FIRST_LOCK_MS = 60 * 1000
const LONGEST_LOCK_MS = 60 * 60 * 1000

export type Limit = {
  key: string
  most: number
  /** Another window than the usual. */
  windowMs?: number
  /** Each lock is twice as long as the last one of the day (M3). */
  growing?: boolean
}

/**
 * Where nobody vouches for addresses, all whose address is unknown are limited as one: by the minute,
 * because they are strangers to each other and whoever did nothing should not wait for long.
 */
export function networkLimit(op: Op, what: string, ip: string | null, most: number): Limit {
  if (ip === null) return { key: `${what}:address:unknown`, most, windowMs: MINUTE_MS }
  return { key: `${what}:address:${op.limits.networkOf(ip)}`, most }
}

export function nameLimit(op: Op, what: string, name: string, most: number): Limit {
  return { key: `${what}:account:${op.hashSecret(foldedKey(name))}`, most }
}

/** Seconds to wait; 0: go ahead. */
export async function countAttempt(op: Op, limits: readonly Limit[]): Promise<number> {
  const now = op.now()
  for (const limit of limits) {
    const { count, resetsAt } = await op.counters.hit(limit.key, now, limit.windowMs ?? WINDOW_MS)
    if (count <= limit.most) continue
    const first = limit.growing && count === limit.most + 1
    const until = first ? await lock(op, limit, now) : resetsAt
    return Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  }
  return 0
}

/** It turned out to be innocent. */
export async function takeBackAttempt(op: Op, limits: readonly Limit[]): Promise<void> {
  for (const { key } of limits) await op.counters.takeBack(key)
}

/** Whoever proved by mail that the account is theirs need not wait for what others did to it. */
export async function forgive(op: Op, limits: readonly Limit[]): Promise<void> {
  for (const { key } of limits) await op.counters.clear([key, locksOf(key)])
}

async function lock(op: Op, { key }: Limit, now: Date): Promise<Date> {
  const { count } = await op.counters.hit(locksOf(key), now, DAY_MS)
  const ms = Math.min(FIRST_LOCK_MS * 2 ** (count - 1), LONGEST_LOCK_MS)
  const until = new Date(now.getTime() + ms)
  await op.counters.holdUntil(key, until)
  return until
}

function locksOf(key: string): string {
  return `${key}:locks`
}
