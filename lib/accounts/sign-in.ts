import type { Op } from '../op'
import { foldedKey, type User } from '../store/users'
import { type StartedSession, startSession } from './new-session'
import { verifyPassword } from './passwords'

const WINDOW_MS = 15 * 60 * 1000
const TRIES_PER_ACCOUNT = 10
const TRIES_PER_ADDRESS = 100

export type SignIn = { identifier: string; password: string; ip: string; userAgent: string }

export type SignInResult =
  | { ok: true; started: StartedSession }
  | { ok: false; problem: 'mismatch' }
  | { ok: false; problem: 'slow_down'; retryAfterSeconds: number }

/** Unknown, wrong and disabled look the same and take the same time (M1). */
export async function signInWithPassword(op: Op, input: SignIn): Promise<SignInResult> {
  const wait = await secondsToWait(op, input)
  if (wait > 0) return { ok: false, problem: 'slow_down', retryAfterSeconds: wait }
  const found = await op.users.findWithPassword(foldedKey(input.identifier))
  const matches = await verifyPassword(found?.hash ?? null, input.password)
  if (!found || !matches || !found.user.enabled) return refuse(op, input)
  return begin(op, input, found.user)
}

/** Counted before the password is looked at, so that parallel guesses count too. */
async function secondsToWait(op: Op, { identifier, ip }: SignIn): Promise<number> {
  const now = op.now()
  const limits = [
    { key: `login:account:${op.hashSecret(foldedKey(identifier))}`, most: TRIES_PER_ACCOUNT },
    { key: `login:address:${ip}`, most: TRIES_PER_ADDRESS },
  ]
  const waits = await Promise.all(
    limits.map(async ({ key, most }) => {
      const { count, resetsAt } = await op.counters.hit(key, now, WINDOW_MS)
      return count > most ? Math.ceil((resetsAt.getTime() - now.getTime()) / 1000) : 0
    }),
  )
  return Math.max(...waits)
}

function refuse(op: Op, { ip }: SignIn): SignInResult {
  op.meter.login('mismatch')
  op.record({
    event: 'login.failed',
    result: 'failure',
    actorKind: 'user',
    actorId: null,
    ip,
    detail: { method: 'password' },
  })
  return { ok: false, problem: 'mismatch' }
}

async function begin(op: Op, { identifier, ip, userAgent }: SignIn, user: User) {
  const started = await op.write(async (tx, audit) => {
    audit({
      event: 'login.succeeded',
      result: 'success',
      actorKind: 'user',
      actorId: user.id,
      ip,
      detail: { method: 'password' },
    })
    return startSession(op, tx, { userId: user.id, acr: 'pwd', amr: ['pwd'], ip, userAgent })
  })
  await op.counters.clear(`login:account:${op.hashSecret(foldedKey(identifier))}`)
  op.meter.login('success')
  return { ok: true, started } as const
}
