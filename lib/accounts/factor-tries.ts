import type { Op } from '../context/op'
import { orderNotice } from '../delivery/mail/notices'
import { countOne } from '../limits/attempts'
import { limitOf, type SlowDown, slowDown, takeBackTry, tries } from '../limits/tries'
import type { Origin } from './audit-event'

/**
 * Attempts at a second factor: while signing in, for a step-up and to confirm. They share one
 * count.
 */

type FactorMethod = 'totp' | 'recovery_code' | 'passkey'

const KINDS = {
  totp: tries.code,
  recovery_code: tries.recovery,
  passkey: tries.passkey,
} as const

const LETTER_EVERY_MS = 24 * 60 * 60 * 1000

type FactorTry = {
  ok: true
  right(): Promise<void>
  /**
   * The last attempt before a lock: whoever enters wrong codes has passed the first factor, so the
   * user gets a notice.
   */
  wrong(): Promise<void>
}

export async function tryFactor(
  op: Op,
  userId: string,
  method: FactorMethod,
  origin: Origin,
): Promise<FactorTry | SlowDown> {
  const kind = KINDS[method]
  const { count, wait } = await countOne(op, limitOf(kind, userId))
  if (wait > 0) return slowDown(wait)
  return {
    ok: true,
    right: () => takeBackTry(op, kind, userId),
    wrong: async () => {
      if (kind !== tries.passkey && count >= kind.most) await tell(op, userId, origin)
    },
  }
}

/** At most once a day. */
async function tell(op: Op, userId: string, origin: Origin): Promise<void> {
  const { count } = await op.counters.hit(`factor-letter:${userId}`, op.now(), LETTER_EVERY_MS)
  if (count > 1) return
  await op.write((tx) => orderNotice(op, tx, userId, { notice: 'wrong_codes' }, origin))
}
