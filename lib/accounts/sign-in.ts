import type { Op } from '../op'
import { foldedKey } from '../store/users'
import { type Admission, admit } from './admit'
import type { SignInFrom } from './new-session'
import { findPasskeyProof, type PasskeyPurpose } from './passkeys'
import { verifyPassword } from './passwords'
import type { SlowDown } from './tries'

/** The first proof: a password, or a passkey that is both factors at once. */

const WINDOW_MS = 15 * 60 * 1000
const TRIES_PER_ACCOUNT = 10
const TRIES_PER_ADDRESS = 100

export type SignInResult = Admission | { ok: false; problem: 'mismatch' } | SlowDown

type Typed = { identifier: string; password: string }

/** Unknown, wrong and disabled look the same and take the same time (M1). */
export async function signInWithPassword(
  op: Op,
  { identifier, password }: Typed,
  from: SignInFrom,
): Promise<SignInResult> {
  const limits = [...addressLimit(op, from), accountLimit(op, identifier)]
  const slowDown = await countAttempt(op, limits)
  if (slowDown) return slowDown
  const found = await op.users.findWithPassword(identifier)
  const matches = await verifyPassword(found?.hash ?? null, password)
  if (!found || !matches || !found.user.enabled) return refuse(op, from, 'password')
  const proof = { method: 'password', acr: 'pwd', amr: ['pwd'] } as const
  const admission = await admit(op, found.user, proof, from)
  await takeBack(op, limits)
  return admission
}

const LOGIN: PasskeyPurpose = { for: 'login' }

/** No name is typed, so there is no account to guess at; the address is limited all the same. */
export async function signInWithPasskey(
  op: Op,
  response: string,
  from: SignInFrom,
): Promise<SignInResult> {
  const limits = addressLimit(op, from)
  const slowDown = await countAttempt(op, limits)
  if (slowDown) return slowDown
  const proof = await findPasskeyProof(op, LOGIN, response)
  if (!proof?.verified || !proof.user.enabled) return refuse(op, from, 'passkey')
  const spent = await op.write((tx) => proof.spend(tx))
  if (!spent) return refuse(op, from, 'passkey')
  const admission = await admit(op, proof.user, proof, from)
  await takeBack(op, limits)
  return admission
}

type Limit = { key: string; most: number }

/** An address that nobody vouches for is shared by strangers and limits nobody. */
function addressLimit(op: Op, { ip }: SignInFrom): Limit[] {
  if (ip === null) return []
  return [{ key: `login:address:${op.limits.networkOf(ip)}`, most: TRIES_PER_ADDRESS }]
}

function accountLimit(op: Op, identifier: string): Limit {
  return {
    key: `login:account:${op.hashSecret(foldedKey(identifier))}`,
    most: TRIES_PER_ACCOUNT,
  }
}

/**
 * Counted before the proof is looked at, so that parallel guesses count too; a sign-in that
 * succeeds is taken back. The address first: one that is over its limit leaves no further trace.
 */
async function countAttempt(op: Op, limits: readonly Limit[]): Promise<SlowDown | null> {
  const now = op.now()
  for (const { key, most } of limits) {
    const { count, resetsAt } = await op.counters.hit(key, now, WINDOW_MS)
    if (count <= most) continue
    op.meter.login('slow_down')
    const retryAfterSeconds = Math.ceil((resetsAt.getTime() - now.getTime()) / 1000)
    return { ok: false, problem: 'slow_down', retryAfterSeconds }
  }
  return null
}

async function takeBack(op: Op, limits: readonly Limit[]): Promise<void> {
  for (const { key } of limits) await op.counters.takeBack(key)
}

function refuse(op: Op, { ip }: SignInFrom, method: 'password' | 'passkey'): SignInResult {
  op.meter.login('mismatch')
  op.record({
    event: 'login.failed',
    result: 'failure',
    actorKind: 'user',
    actorId: null,
    ip,
    detail: { method },
  })
  return { ok: false, problem: 'mismatch' }
}
