import type { Reply } from '../../base/http'
import type { Op } from '../../context/op'
import { seal, unseal } from '../../crypto/seal'
import { sha256 } from '../../crypto/secrets'
import { Problem } from './problem'

/**
 * `Idempotency-Key` on POST: for a day, the same request gets the same answer and is performed
 * once. The stored answer is encrypted, because it may contain a secret that is shown only once.
 */

const KEPT_MS = 24 * 60 * 60 * 1000
/** Longer than any request takes. If a key is in flight for longer, its process has died. */
const MAX_FLIGHT_MS = 2 * 60 * 1000
const MAX_KEY_LENGTH = 255

export async function onlyOnce(
  op: Op,
  caller: string,
  key: string,
  request: string,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (key.length > MAX_KEY_LENGTH || key.trim() === '') {
    throw new Problem('malformed', 'Idempotency-Key must have 1 to 255 characters')
  }
  const requestHash = sha256(request)
  const begunAt = op.now()
  const record = { caller, key, requestHash, now: begunAt, expiresAt: after(MAX_FLIGHT_MS) }
  if (!(await op.idempotency.begin(record))) return repeated(op, caller, key, requestHash)
  const reply = await work().catch(async (error) => {
    await op.idempotency.forget(caller, key, begunAt)
    throw error
  })
  const sealed = seal(op.idempotencyKey, `${caller} ${key}`, JSON.stringify(reply))
  const answered = { caller, key, begunAt, status: reply.status, sealed }
  await op.idempotency.finish(answered, after(KEPT_MS))
  return reply

  function after(ms: number): Date {
    return new Date(op.now().getTime() + ms)
  }
}

async function repeated(op: Op, caller: string, key: string, hash: string): Promise<Reply> {
  const kept = await op.idempotency.find(caller, key, op.now())
  if (!kept || kept.sealed === null) {
    throw new Problem('in_flight', 'wait for the answer to the first request, then send this again')
  }
  if (kept.requestHash !== hash) {
    throw new Problem('key_reused', 'use a new Idempotency-Key for a new request')
  }
  const reply: Reply = JSON.parse(unseal(op.idempotencyKey, `${caller} ${key}`, kept.sealed))
  return { ...reply, headers: { ...reply.headers, 'Idempotency-Replayed': 'true' } }
}
