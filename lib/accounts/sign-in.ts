import type { Locale } from '../i18n'
import type { Op } from '../op'
import { foldedKey, type User } from '../store/users'
import { type StartedSession, startSession } from './new-session'
import { verifyPassword } from './passwords'

const WINDOW_MS = 15 * 60 * 1000
const TRIES_PER_ACCOUNT = 10
const TRIES_PER_ADDRESS = 100

export type SignIn = {
  identifier: string
  password: string
  ip: string | null
  userAgent: string
  locale?: Locale
}

export type SignInResult =
  | { ok: true; started: StartedSession }
  | { ok: false; problem: 'mismatch' }
  | { ok: false; problem: 'slow_down'; retryAfterSeconds: number }

/** Unknown, wrong and disabled look the same and take the same time (M1). */
export async function signInWithPassword(op: Op, input: SignIn): Promise<SignInResult> {
  const wait = await secondsToWait(op, input)
  if (wait > 0) op.meter.login('slow_down')
  if (wait > 0) return { ok: false, problem: 'slow_down', retryAfterSeconds: wait }
  const found = await op.users.findWithPassword(input.identifier)
  const matches = await verifyPassword(found?.hash ?? null, input.password)
  if (!found || !matches || !found.user.enabled) return refuse(op, input)
  return begin(op, input, found.user)
}

/**
 * Counted before the password is looked at, so that parallel guesses count too; a sign-in that
 * succeeds is taken back. The address first: one that is over its limit leaves no further trace.
 */
async function secondsToWait(op: Op, input: SignIn): Promise<number> {
  const now = op.now()
  for (const { key, most } of limitsOf(op, input)) {
    const { count, resetsAt } = await op.counters.hit(key, now, WINDOW_MS)
    if (count > most) return Math.ceil((resetsAt.getTime() - now.getTime()) / 1000)
  }
  return 0
}

/** An address that nobody vouches for is shared by strangers and limits nobody. */
function limitsOf(op: Op, { identifier, ip }: SignIn): { key: string; most: number }[] {
  const account = {
    key: `login:account:${op.hashSecret(foldedKey(identifier))}`,
    most: TRIES_PER_ACCOUNT,
  }
  if (ip === null) return [account]
  return [{ key: `login:address:${op.limits.networkOf(ip)}`, most: TRIES_PER_ADDRESS }, account]
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

async function begin(op: Op, input: SignIn, user: User) {
  const { ip, userAgent, locale = 'en' } = input
  const started = await op.write(async (tx, audit) => {
    audit({
      event: 'login.succeeded',
      result: 'success',
      actorKind: 'user',
      actorId: user.id,
      ip,
      detail: { method: 'password' },
    })
    return startSession(op, tx, {
      userId: user.id,
      acr: 'pwd',
      amr: ['pwd'],
      ip,
      userAgent,
      locale,
    })
  })
  for (const { key } of limitsOf(op, input)) await op.counters.takeBack(key)
  op.meter.login('success')
  return { ok: true, started } as const
}
