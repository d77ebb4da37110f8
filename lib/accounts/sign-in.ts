import type { Op } from '../op'
import type { StartedSession } from '../session'

export type SignInResult =
  | { ok: true; started: StartedSession }
  | { ok: false; problem: 'mismatch' }
  | { ok: false; problem: 'slow_down'; retryAfterSeconds: number }

export async function signInWithPassword(
  _op: Op,
  input: { identifier: string; password: string; ip: string; userAgent: string },
): Promise<SignInResult> {
  if (input.identifier === 'slow@example.org')
    return { ok: false, problem: 'slow_down', retryAfterSeconds: 90 }
  if (input.password !== 'correct horse battery staple') return { ok: false, problem: 'mismatch' }
  return { ok: true, started: { secret: 'stub', expiresAt: new Date(Date.now() + 60_000) } }
}
