import { type Acr, satisfies } from '../access/acr'
import type { Op, Transaction } from '../context/op'
import { newSecret } from '../crypto/secrets'
import type { AuditEvent } from '../oidc/audit-event'
import { saveLink } from '../store/accounts/links'
import { lockUserRow, type User } from '../store/accounts/users'
import { type SignInFrom, type StartedSession, startSession } from './new-session'
import { isTrustedDevice } from './own-devices'

/**
 * From the first factor to a session, or to the page for the second factor. In between there is no
 * session, only a waiting sign-in that no other page or endpoint accepts (attack M7).
 */

export const WAITING_MS = 10 * 60 * 1000

type FirstProof = {
  method: 'password' | 'passkey' | 'upstream' | 'mail'
  acr: Acr
  amr: readonly string[]
  /** Details for the audit log, besides the method. */
  detail?: Record<string, string>
  /** The hash of the password when it was checked. */
  passwordHash?: string
  /** Uses the proof up in the same transaction; false if somebody has, or if it is void by now. */
  spend?: (tx: Transaction) => Promise<boolean>
  /** When the user proved who they are, if not just now; null if unknown. */
  provenAt?: Date | null
}

/** The token of a waiting sign-in, and how it began. */
export type WaitingSignIn = { token: string; method: FirstProof['method'] }

export type FirstFactorResult =
  | { ok: true; step: 'session'; started: StartedSession }
  | { ok: true; step: 'second_factor'; waiting: WaitingSignIn }

/** Null if the proof was used, or the user disabled or given another password, since it was checked. */
export async function completeFirstFactor(
  op: Op,
  user: Pick<User, 'id'>,
  proof: FirstProof,
  from: SignInFrom,
): Promise<FirstFactorResult | null> {
  if (await owesSecondFactor(op, user, proof, from)) {
    const token = await wait(op, user, proof)
    if (token === null) return null
    return { ok: true, step: 'second_factor', waiting: { token, method: proof.method } }
  }
  const started = await op.write(async (tx, audit) => {
    if (!(await lockUserRow(tx, user.id, proof.passwordHash))) return null
    if (proof.spend && !(await proof.spend(tx))) return null
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

/** A user with an authenticator app is asked for a code, except on a trusted device. */
async function owesSecondFactor(
  op: Op,
  { id }: Pick<User, 'id'>,
  { acr }: FirstProof,
  { deviceTokens = [] }: SignInFrom,
): Promise<boolean> {
  if (satisfies(acr, 'mfa') || !(await op.totps.anyConfirmed(id))) return false
  return !(await isTrustedDevice(op, id, deviceTokens))
}

async function wait(
  op: Op,
  { id }: Pick<User, 'id'>,
  { passwordHash, spend }: FirstProof,
): Promise<string | null> {
  const token = newSecret('ghpl')
  const createdAt = op.now()
  return op.write(async (tx) => {
    if (!(await lockUserRow(tx, id, passwordHash))) return null
    if (spend && !(await spend(tx))) return null
    await saveLink(tx, {
      tokenHash: op.hashSecret(token),
      purpose: 'second_factor',
      userId: id,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + WAITING_MS),
    })
    return token
  })
}
