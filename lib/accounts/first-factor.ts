import { type Acr, satisfies } from '../access/acr'
import type { Op } from '../context/op'
import { newSecret } from '../crypto/secrets'
import type { AuditEvent } from '../oidc/provider'
import { saveLink } from '../store/links'
import { isTrusted } from '../store/trusted-devices'
import { holdUser, type User } from '../store/users'
import { type SignInFrom, type StartedSession, startSession } from './new-session'

/**
 * From a first proof to a session, or to the question for a second factor. In between there is no
 * session at all, only a waiting sign-in that no other page or endpoint accepts (attack M7).
 */

export const WAITING_MS = 10 * 60 * 1000

export type FirstProof = {
  method: 'password' | 'passkey' | 'upstream'
  acr: Acr
  amr: readonly string[]
  /** What the log should say about it besides the method. */
  detail?: Record<string, string>
  /** The password's, as it was when it was checked. */
  passwordHash?: string
  /** When it was, if not just now; null: nobody says. */
  provenAt?: Date | null
}

/** What a waiting sign-in is known by, and how it began. */
export type Waiting = { token: string; method: FirstProof['method'] }

export type FirstFactorResult =
  | { ok: true; step: 'session'; started: StartedSession }
  | { ok: true; step: 'second_factor'; waiting: Waiting }

/** Null when the user was disabled, or got another password, since the proof was looked at. */
export async function completeFirstFactor(
  op: Op,
  user: Pick<User, 'id'>,
  proof: FirstProof,
  from: SignInFrom,
): Promise<FirstFactorResult | null> {
  if (await owesSecondFactor(op, user, proof, from)) {
    const token = await wait(op, user)
    return { ok: true, step: 'second_factor', waiting: { token, method: proof.method } }
  }
  const started = await op.write(async (tx, audit) => {
    if (!(await holdUser(tx, user.id, proof.passwordHash))) return null
    audit(signedIn(user.id, proof, from))
    const { acr, amr, provenAt = op.now() } = proof
    return startSession(op, tx, { ...from, userId: user.id, acr, amr: [...amr], provenAt })
  })
  if (!started) return null
  op.meter.login('success')
  return { ok: true, step: 'session', started }
}

export function signedIn(
  userId: string,
  { method, detail }: Pick<FirstProof, 'method' | 'detail'>,
  { ip }: SignInFrom,
): AuditEvent {
  return {
    event: 'login.succeeded',
    result: 'success',
    actorKind: 'user',
    actorId: userId,
    ip,
    detail: { method, ...detail },
  }
}

/** Whoever set up an authenticator app is asked for it, but not at a device that they trust. */
async function owesSecondFactor(
  op: Op,
  { id }: Pick<User, 'id'>,
  { acr }: FirstProof,
  { deviceTokens = [] }: SignInFrom,
): Promise<boolean> {
  if (satisfies(acr, 'mfa') || !(await op.totps.anyConfirmed(id))) return false
  const hashes = deviceTokens.map(op.hashSecret)
  return !(await op.read((db) => isTrusted(db, id, hashes, op.now())))
}

async function wait(op: Op, { id }: Pick<User, 'id'>): Promise<string> {
  const token = newSecret('ghpl')
  const createdAt = op.now()
  await op.write((tx) =>
    saveLink(tx, {
      tokenHash: op.hashSecret(token),
      purpose: 'second_factor',
      userId: id,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + WAITING_MS),
    }),
  )
  return token
}
