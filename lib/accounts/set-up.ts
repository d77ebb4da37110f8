import type { Op } from '../op'
import type { StartedSession } from '../session'

export type SetUpResult =
  | { ok: true; started: StartedSession }
  | {
      ok: false
      problem: 'link' | 'email' | 'password_short' | 'password_long' | 'password_common'
    }

export async function isSetUpLinkOpen(_op: Op, token: string): Promise<boolean> {
  return token === 'open'
}

export async function completeSetUp(
  _op: Op,
  input: {
    token: string
    name: string
    email: string
    password: string
    ip: string
    userAgent: string
  },
): Promise<SetUpResult> {
  if (input.token !== 'open') return { ok: false, problem: 'link' }
  if (!input.email.includes('@')) return { ok: false, problem: 'email' }
  if (input.password.length < 15) return { ok: false, problem: 'password_short' }
  return { ok: true, started: { secret: 'stub', expiresAt: new Date(Date.now() + 60_000) } }
}
