import type { Op } from '../context/op'
import { foldedKey } from '../store/folded-key'

/**
 * Attempts by one network, and at one name whether or not somebody has it (attack M1, M2, M3).
 * Counted before they are looked at, so that parallel ones count too. The network first: one that
 * is over its limit leaves no further trace.
 */

const WINDOW_MS = 15 * 60 * 1000
const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const FIRST_LOCK_MS = MINUTE_MS

export type Limit = {
  key: string
  most: number
  /** For how long attempts add up, where it is not as usual. */
  windowMs?: number
  /** Each lock is twice as long as the last one that is remembered (attack M3, M6). */
  growing?: Growth
}

type Growth = { longestMs: number; rememberedMs: number }

/** A password is hard to guess; six digits are not, and whoever guesses them has the password. */
export const LOCKS = {
  password: { windowMs: WINDOW_MS, growing: { longestMs: HOUR_MS, rememberedMs: DAY_MS } },
  code: { windowMs: DAY_MS, growing: { longestMs: DAY_MS, rememberedMs: 30 * DAY_MS } },
} as const satisfies Record<string, Pick<Limit, 'windowMs' | 'growing'>>

/**
 * Where nobody vouches for addresses, all whose address is unknown are limited as one: by the
 * minute, because they are strangers to each other and whoever did nothing should not wait for
 * long.
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
  for (const limit of limits) {
    const { wait } = await countOne(op, limit)
    if (wait > 0) return wait
  }
  return 0
}

/** The how manieth it is, and the seconds to wait. */
export async function countOne(op: Op, limit: Limit): Promise<{ count: number; wait: number }> {
  const { key, most, windowMs = WINDOW_MS, growing } = limit
  const now = op.now()
  const { count, resetsAt } = await op.counters.hit(key, now, windowMs)
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
