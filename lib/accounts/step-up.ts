import { newSecret } from '../crypto/secrets'
import type { Op } from '../op'
import type { Transaction } from '../store/database'
import { raiseSession, type Session } from '../store/sessions'
import type { StartedSession } from './new-session'
import { spendRecovery } from './recovery-codes'
import { spendCode } from './totp'
import { countTry, type SlowDown, takeBackTry, tries } from './tries'

/** From one factor to two within a session that is there already. */

export type StepUpResult =
  | { ok: true; started: StartedSession }
  | { ok: false; problem: 'wrong' }
  | SlowDown

type Proof = { method: 'totp' | 'recovery_code'; spend: (tx: Transaction) => Promise<boolean> }

export async function stepUpWithCode(
  op: Op,
  session: Session,
  code: string,
  ip: string | null,
): Promise<StepUpResult> {
  const totps = await op.totps.listConfirmed(session.user.id)
  const digits = code.replaceAll(/\s/g, '')
  return stepUp(op, session, ip, {
    method: 'totp',
    spend: (tx) => spendCode(op, tx, totps, digits),
  })
}

/** In place of the app's code, under the same limit. */
export function stepUpWithRecoveryCode(
  op: Op,
  session: Session,
  code: string,
  ip: string | null,
): Promise<StepUpResult> {
  return stepUp(op, session, ip, {
    method: 'recovery_code',
    spend: (tx) => spendRecovery(op, tx, session, code, ip),
  })
}

async function stepUp(
  op: Op,
  session: Session,
  ip: string | null,
  proof: Proof,
): Promise<StepUpResult> {
  const slowDown = await countTry(op, tries.factor, session.user.id)
  if (slowDown) return slowDown
  const started = await raise(op, session, ip, proof)
  if (!started) return refuse(op, session, ip, proof)
  await takeBackTry(op, tries.factor, session.user.id)
  return { ok: true, started }
}

/** The session stays what apps know it by; the secret in the cookie is a new one (M9). */
async function raise(
  op: Op,
  session: Session,
  ip: string | null,
  { method, spend }: Proof,
): Promise<StartedSession | null> {
  const secret = newSecret('ghss')
  return op.write(async (tx, audit) => {
    if (!(await spend(tx))) return null
    const amr = [...new Set([...session.amr, 'otp', 'mfa'])]
    const raised = { secretHash: op.hashSecret(secret), acr: 'mfa', amr }
    const expiresAt = await raiseSession(tx, session.id, raised)
    if (!expiresAt) return null
    audit(event(session, ip, method, 'success'))
    return { id: session.id, secret, expiresAt }
  })
}

function refuse(op: Op, session: Session, ip: string | null, { method }: Proof): StepUpResult {
  op.record(event(session, ip, method, 'failure'))
  return { ok: false, problem: 'wrong' }
}

function event(
  { user }: Session,
  ip: string | null,
  method: Proof['method'],
  result: 'success' | 'failure',
) {
  return {
    event: 'login.second_factor',
    result,
    actorKind: 'user',
    actorId: user.id,
    ip,
    detail: { method },
  } as const
}
