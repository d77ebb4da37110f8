import type { Op } from '../op'

/** Guesses at what one person knows or holds: counted before they are looked at (M5, M6). */

const WINDOW_MS = 15 * 60 * 1000

export type SlowDown = { ok: false; problem: 'slow_down'; retryAfterSeconds: number }

export const tries = {
  factor: { name: 'factor', most: 5 },
  password: { name: 'confirm', most: 10 },
  picture: { name: 'picture', most: 20 },
} as const

type Kind = (typeof tries)[keyof typeof tries]

/** Null while there are tries left. */
export async function countTry(op: Op, kind: Kind, userId: string): Promise<SlowDown | null> {
  const now = op.now()
  const { count, resetsAt } = await op.counters.hit(keyOf(kind, userId), now, WINDOW_MS)
  if (count <= kind.most) return null
  const retryAfterSeconds = Math.ceil((resetsAt.getTime() - now.getTime()) / 1000)
  return { ok: false, problem: 'slow_down', retryAfterSeconds }
}

export async function takeBackTry(op: Op, kind: Kind, userId: string): Promise<void> {
  await op.counters.takeBack(keyOf(kind, userId))
}

function keyOf({ name }: Kind, userId: string): string {
  return `${name}:${userId}`
}
