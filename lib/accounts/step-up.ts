import { newSecret } from '../crypto/secrets'
import type { Op } from '../op'
import { raiseSession, type Session } from '../store/sessions'
import type { StartedSession } from './new-session'
import { spendCode } from './totp'

/** From one factor to two within a session that is there already. */

const TRIES = 5
const WINDOW_MS = 15 * 60 * 1000

export type StepUpResult =
  | { ok: true; started: StartedSession }
  | { ok: false; problem: 'wrong' }
  | { ok: false; problem: 'slow_down'; retryAfterSeconds: number }

export async function stepUpWithCode(
  op: Op,
  session: Session,
  code: string,
  ip: string | null,
): Promise<StepUpResult> {
  const now = op.now()
  const key = `factor:${session.user.id}`
  const { count, resetsAt } = await op.counters.hit(key, now, WINDOW_MS)
  if (count > TRIES) {
    const retryAfterSeconds = Math.ceil((resetsAt.getTime() - now.getTime()) / 1000)
    return { ok: false, problem: 'slow_down', retryAfterSeconds }
  }
  const started = await raise(op, session, code, ip)
  if (!started) return refuse(op, session, ip)
  await op.counters.takeBack(key)
  return { ok: true, started }
}

/** The session stays what apps know it by; the secret in the cookie is a new one (M9). */
async function raise(
  op: Op,
  session: Session,
  code: string,
  ip: string | null,
): Promise<StartedSession | null> {
  const totps = await op.totps.listConfirmed(session.user.id)
  const secret = newSecret('ghss')
  return op.write(async (tx, audit) => {
    if (!(await spendCode(op, tx, totps, code.replaceAll(/\s/g, '')))) return null
    const amr = [...new Set([...session.amr, 'otp', 'mfa'])]
    const raised = { secretHash: op.hashSecret(secret), acr: 'mfa', amr }
    const expiresAt = await raiseSession(tx, session.id, raised)
    if (!expiresAt) return null
    audit(event(session, ip, 'success'))
    return { id: session.id, secret, expiresAt }
  })
}

function refuse(op: Op, session: Session, ip: string | null): StepUpResult {
  op.record(event(session, ip, 'failure'))
  return { ok: false, problem: 'wrong' }
}

function event({ user }: Session, ip: string | null, result: 'success' | 'failure') {
  return {
    event: 'login.second_factor',
    result,
    actorKind: 'user',
    actorId: user.id,
    ip,
    detail: { method: 'totp' },
  } as const
}
