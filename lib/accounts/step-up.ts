import { type Acr, satisfies } from '../access/acr'
import type { Op, Transaction } from '../context/op'
import { newSecret } from '../crypto/secrets'
import type { SlowDown } from '../limits/tries'
import { raiseSession, type Session } from '../store/accounts/sessions'
import { type Origin, ownEvent } from './audit-event'
import { tryFactor } from './factor-tries'
import type { StartedSession } from './new-session'
import type { FactorProof } from './second-factor'

/** From one factor to two within an existing session. */

type StepUpResult =
  | { ok: true; started: StartedSession }
  | { ok: false; problem: 'wrong' }
  | SlowDown

export async function stepUp(
  op: Op,
  session: Session,
  proof: FactorProof,
  origin: Origin,
): Promise<StepUpResult> {
  const { method } = proof
  const attempt = await tryFactor(op, session.user.id, method, origin)
  if (!attempt.ok) return attempt
  const started = await op.write(async (tx, audit) => {
    const raised = await raise(op, tx, session, proof)
    const detail = { method, ...(confirms(proof) && { confirmed: true }) }
    if (raised) audit(ownEvent('login.second_factor', session, origin, { detail }))
    return raised
  })
  if (!started) {
    const failed = { result: 'failure', detail: { method } } as const
    op.record(ownEvent('login.second_factor', session, origin, failed))
    await attempt.wrong()
    return { ok: false, problem: 'wrong' }
  }
  await attempt.right()
  return { ok: true, started }
}

/**
 * The session keeps its ID, which applications know; the secret in the cookie is new (attack M9).
 */
async function raise(
  op: Op,
  tx: Transaction,
  { id, user, acr, amr }: Session,
  proof: FactorProof,
): Promise<StartedSession | null> {
  if (!(await proof.spend(tx))) return null
  const secret = newSecret('ghss')
  const raised = {
    secretHash: op.hashSecret(secret),
    acr: strongerOf(acr, proof.acr),
    amr: [...new Set([...amr, ...proof.amr])],
    ...(confirms(proof)
      ? { confirmedAt: op.now(), factorAt: op.now() }
      : { factorsProvenAt: op.now() }),
  }
  const expiresAt = await raiseSession(tx, id, raised)
  return expiresAt && { id, userId: user.id, secret, expiresAt }
}

/** The same proofs confirm who one is; a recovery code does not. */
function confirms({ method }: Pick<FactorProof, 'method'>): boolean {
  return method !== 'recovery_code'
}

function strongerOf(had: string, proven: Acr): string {
  return satisfies(had, proven) ? had : proven
}
