import type { Op, Transaction } from '../context/op'
import { newSecret } from '../crypto/secrets'
import type { SlowDown } from '../limits/tries'
import type { AuditEvent } from '../oidc/audit-event'
import { closeLinks, consumeLink } from '../store/accounts/links'
import { trustDevice } from '../store/accounts/trusted-devices'
import { lockUserRow } from '../store/accounts/users'
import { ownEvent } from './audit-event'
import { tryFactor } from './factor-tries'
import { signedIn, type WaitingSignIn } from './first-factor'
import { type SignInFrom, type StartedSession, startSession } from './new-session'
import { trustedMs } from './own-devices'
import type { FactorProof } from './second-factor'

/** Finishes a sign-in that waited for its second factor. */

const FIRST_AMR = { password: 'pwd', passkey: 'pwd', upstream: 'fed', mail: 'mail' } as const

/** The user who waits; null if it took too long or is finished already. */
export async function findWaiting(op: Op, { token }: WaitingSignIn): Promise<string | null> {
  return op.links.findHolder(op.hashSecret(token), 'second_factor', op.now())
}

type SignInResult =
  | { ok: true; started: StartedSession; deviceToken: string | null }
  | { ok: false; problem: 'wrong' | 'expired' }
  | SlowDown

type Answer = { proof: FactorProof; trust: boolean }

/**
 * After too many wrong answers the sign-in is void and begins again with the first factor (attack
 * M6).
 */
export async function finishSignIn(
  op: Op,
  waiting: WaitingSignIn,
  userId: string,
  answer: Answer,
  from: SignInFrom,
): Promise<SignInResult> {
  const attempt = await tryFactor(op, userId, answer.proof.method, from)
  if (!attempt.ok) {
    await op.write((tx) => closeLinks(tx, userId, 'second_factor', op.now()))
    return attempt
  }
  const trustMs = answer.trust ? trustedMs(await op.settings.current()) : 0
  const finished = await op.write(async (tx, audit) => {
    if (!(await answer.proof.spend(tx))) return 'wrong'
    if (!(await consumeLink(tx, op.hashSecret(waiting.token), 'second_factor', op.now())))
      return 'expired'
    if (!(await lockUserRow(tx, userId))) return 'expired'
    audit(proven(userId, answer, from, 'success'))
    audit(signedIn(userId, waiting, from))
    if (trustMs > 0) audit(ownEvent('device.trusted', { user: { id: userId } }, from))
    return begin(op, tx, waiting, userId, { proof: answer.proof, trustMs }, from)
  })
  if (finished === 'wrong') {
    op.record(proven(userId, answer, from, 'failure'))
    await attempt.wrong()
  }
  if (typeof finished === 'string') return { ok: false, problem: finished }
  await attempt.right()
  op.meter.login('success')
  return { ok: true, ...finished }
}

async function begin(
  op: Op,
  tx: Transaction,
  { method }: WaitingSignIn,
  userId: string,
  { proof, trustMs }: { proof: FactorProof; trustMs: number },
  from: SignInFrom,
) {
  const amr = [FIRST_AMR[method], ...proof.amr]
  const recovers = proof.method === 'recovery_code'
  const proven = {
    factorAt: recovers ? null : op.now(),
    factorsProvenAt: recovers ? op.now() : null,
  }
  const login = { ...from, userId, acr: proof.acr, amr, ...proven }
  const started = await startSession(op, tx, login)
  const deviceToken = trustMs > 0 ? newSecret('ghdv') : null
  if (deviceToken !== null) {
    const expiresAt = new Date(op.now().getTime() + trustMs)
    const tokenHash = op.hashSecret(deviceToken)
    const { userAgent } = from
    await trustDevice(tx, { tokenHash, userId, userAgent, expiresAt }, op.now())
  }
  return { started, deviceToken }
}

function proven(
  userId: string,
  { proof: { method } }: Answer,
  { ip }: SignInFrom,
  result: 'success' | 'failure',
): AuditEvent {
  return {
    event: 'login.second_factor',
    result,
    actorKind: 'user',
    actorId: userId,
    ip,
    detail: { method },
  }
}
