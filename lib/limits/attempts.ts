import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/time'
import type { Op } from '../context/op'
import { foldedKey } from '../store/database/folded-key'

/**
 * Limits attempts by network, and by name whether or not somebody has it (attack M1, M2, M3).
 * Attempts are counted before they are checked, so that parallel ones count too. The network is
 * checked first: a network over its limit leaves no further trace.
 */

const WINDOW_MS = 15 * 60 * 1000
const FIRST_LOCK_MS = MINUTE_MS

export type Limit = {
  key: string
  most: number
  /** How long attempts add up, if it is not the default. */
  windowMs?: number
  /** Each lock is twice as long as the last one that is remembered (attack M3, M6). */
  growing?: Growth
}

type Growth = { longestMs: number; rememberedMs: number }

/**
 * A password is hard to guess. Six digits are not, and whoever guesses them knows the password
 * already.
 */
export const LOCKS = {
  password: { windowMs: WINDOW_MS, growing: { longestMs: HOUR_MS, rememberedMs: DAY_MS } },
  code: { windowMs: DAY_MS, growing: { longestMs: DAY_MS, rememberedMs: 30 * DAY_MS } },
} as const satisfies Record<string, Pick<Limit, 'windowMs' | 'growing'>>

/**
 * If no trusted proxy reports addresses, all callers with an unknown address share one limit. It is
 * per minute, because they do not know each other and should not have to wait long.
 */
export function networkLimit(op: Op, what: string, ip: string | null, most: number): Limit {
  if (ip === null) return { key: `${what}:address:unknown`, most, windowMs: MINUTE_MS }
  return { key: `${what}:address:${op.limits.networkOf(ip)}`, most }
}

export function nameLimit(op: Op, what: string, name: string, most: number): Limit {
  return { key: `${what}:account:${op.hashSecret(foldedKey(name))}`, most }
}

/** Seconds to wait; 0 means go ahead. */
export async function countAttempt(op: Op, limits: readonly Limit[]): Promise<number> {
  for (const limit of limits) {
    const { wait } = await countOne(op, limit)
    if (wait > 0) return wait
  }
  return 0
}

/** The number of this attempt, and the seconds to wait. */
export async function countOne(op: Op, limit: Limit): Promise<{ count: number; wait: number }> {
  const { key, most, windowMs = WINDOW_MS, growing } = limit
  const now = op.now()
  const { count, resetsAt } = await op.counters.hit(key, now, windowMs)
  if (count <= most) return { count, wait: 0 }
  const until = growing && count === most + 1 ? await lock(op, key, growing, now) : resetsAt
  return { count, wait: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)) }
}

/** The attempt was legitimate: it is not counted. */
export async function takeBackAttempt(op: Op, limits: readonly Limit[]): Promise<void> {
  await Promise.all(limits.map(({ key }) => op.counters.takeBack(key)))
}

/** Who proved by mail that the account is theirs need not wait because of attempts of others. */
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
