import type { Op } from '../context/op'
import {
  countAttempt,
  forgive,
  type Limit,
  LOCKS,
  nameLimit,
  networkLimit,
  takeBackAttempt,
} from '../limits/attempts'
import type { SlowDown } from '../limits/tries'
import { completeFirstFactor, type FirstFactorResult } from './first-factor'
import type { SignInFrom } from './new-session'
import { findPasskeyProof, isUnknownPasskey, type PasskeyPurpose } from './passkeys'
import { verifyPassword } from './passwords'

/** The first factor: a password, or a passkey, which is both factors at once. */

const TRIES_PER_ACCOUNT = 10
const TRIES_PER_ADDRESS = 100

type Refused = { ok: false; problem: 'mismatch' }
/** The portal has no such key, so the device need not offer it again. */
type UnknownPasskey = { ok: false; problem: 'unknown_passkey' }

type SignInResult = FirstFactorResult | Refused | UnknownPasskey | SlowDown

type Typed = { identifier: string; password: string }

/**
 * An unknown user, a wrong password and a disabled user look the same and take the same time
 * (attack M1).
 */
export async function signInWithPassword(
  op: Op,
  { identifier, password }: Typed,
  from: SignInFrom,
): Promise<SignInResult> {
  const found = await op.users.findWithPassword(identifier)
  const limits = [...addressLimit(op, from, found?.user.id), accountLimit(op, identifier)]
  const slowDown = await slowedDown(op, limits)
  if (slowDown) return slowDown
  const matches = await verifyPassword(found?.hash ?? null, password)
  if (!found || !matches || !found.user.enabled) return refuse(op, from, 'password')
  const proof = { method: 'password', acr: 'pwd', amr: ['pwd'] } as const
  const admission = await completeFirstFactor(
    op,
    found.user,
    { ...proof, passwordHash: found.hash },
    from,
  )
  if (!admission) return refuse(op, from, 'password')
  await takeBackAttempt(op, limits)
  return admission
}

const LOGIN: PasskeyPurpose = { for: 'login' }

/** No user name is typed, so no account can be guessed; the network is limited all the same. */
export async function signInWithPasskey(
  op: Op,
  response: string,
  from: SignInFrom,
): Promise<SignInResult> {
  const limits = from.ip === null ? [] : addressLimit(op, from)
  const slowDown = await slowedDown(op, limits)
  if (slowDown) return slowDown
  const proof = await findPasskeyProof(op, LOGIN, response)
  if (!proof && (await isUnknownPasskey(op, response))) {
    return { ...refuse(op, from, 'passkey'), problem: 'unknown_passkey' }
  }
  if (!proof?.verified || !proof.user.enabled) return refuse(op, from, 'passkey')
  const admission = await completeFirstFactor(op, proof.user, proof, from)
  if (!admission) return refuse(op, from, 'passkey')
  await takeBackAttempt(op, limits)
  return admission
}

/**
 * Callers with an unknown address share one limit. They must not lock out users whom their browser
 * knows: a user who was signed in there before is limited by the account alone.
 */
export function addressLimit(
  op: Op,
  { ip, knownUsers = [] }: SignInFrom,
  userId?: string,
): Limit[] {
  if (ip === null && userId !== undefined && knownUsers.includes(userId)) return []
  return [networkLimit(op, 'login', ip, TRIES_PER_ADDRESS)]
}

function accountLimit(op: Op, identifier: string): Limit {
  return { ...nameLimit(op, 'login', identifier, TRIES_PER_ACCOUNT), ...LOCKS.password }
}

/** After a reset by mail: guesses of others must not lock out the owner (attack M3). */
export async function forgiveSignIns(op: Op, identifiers: readonly string[]): Promise<void> {
  await forgive(
    op,
    identifiers.map((identifier) => accountLimit(op, identifier)),
  )
}

export async function slowedDown(op: Op, limits: readonly Limit[]): Promise<SlowDown | null> {
  const retryAfterSeconds = await countAttempt(op, limits)
  if (retryAfterSeconds === 0) return null
  op.meter.login('slow_down')
  return { ok: false, problem: 'slow_down', retryAfterSeconds }
}

export function refuse(
  op: Op,
  { ip }: SignInFrom,
  method: 'password' | 'passkey' | 'mail',
): Refused {
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
