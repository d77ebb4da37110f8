import { parseEmail } from '../base/email'
import { cleanName, type NameProblem, nameProblem } from '../base/name'
import type { Op } from '../context/op'
import { newSecret } from '../crypto/secrets'
import { consumeLink } from '../store/links'
import { setOnce } from '../store/settings'
import { createUser } from '../store/users'
import { ownEvent } from './audit-event'
import { type StartedSession, startSession } from './new-session'
import { hashPassword, type PasswordProblem, passwordProblem, shortestAlone } from './passwords'

/** The first admin: one link, one use, one admin, and then never again (attack M29). */

const LINK_MS = 15 * 60 * 1000

export type SetUp = {
  token: string
  name: string
  email: string
  password: string
  ip: string | null
  userAgent: string
}

export type SetUpResult =
  | { ok: true; started: StartedSession }
  | { ok: false; problem: 'link' | 'email' | NameProblem | PasswordProblem }

/** Null if there is any user already. */
export async function newSetUpLink(op: Op): Promise<string | null> {
  if ((await op.settings.has('setup_completed')) || (await op.users.anyExists())) return null
  const token = newSecret('ghlk')
  const now = op.now()
  await op.links.save({
    tokenHash: op.hashSecret(token),
    purpose: 'setup',
    createdAt: now,
    expiresAt: new Date(now.getTime() + LINK_MS),
  })
  return `${op.origin}/setup?token=${token}`
}

export async function isSetUpLinkOpen(op: Op, token: string): Promise<boolean> {
  if (await op.settings.has('setup_completed')) return false
  return op.links.isOpen(op.hashSecret(token), 'setup', op.now())
}

export async function completeSetUp(op: Op, input: SetUp): Promise<SetUpResult> {
  const email = parseEmail(input.email)
  const name = cleanName(input.name)
  if (!(await isSetUpLinkOpen(op, input.token))) return { ok: false, problem: 'link' }
  if (!email) return { ok: false, problem: 'email' }
  const problem =
    nameProblem(name) ??
    (await passwordProblem(input.password, {
      own: [name, email],
      shortest: await shortestAlone(op),
    }))
  if (problem) return { ok: false, problem }
  const passwordHash = await hashPassword(input.password)
  const started = await createFirstAdmin(op, input, { name, email, passwordHash })
  return started ? { ok: true, started } : { ok: false, problem: 'link' }
}

/**
 * Null if another request was first, with this link or another: both are used up in one
 * transaction.
 */
async function createFirstAdmin(
  op: Op,
  { token, ip, userAgent }: SetUp,
  person: { name: string; email: string; passwordHash: string },
): Promise<StartedSession | null> {
  return op.write(async (tx, audit) => {
    const now = op.now()
    if (!(await consumeLink(tx, op.hashSecret(token), 'setup', now))) return null
    if (!(await setOnce(tx, 'setup_completed', now))) return null
    const admin = { ...person, emailVerified: true, adminRole: 'owner' } as const
    const userId = await createUser(tx, admin, now)
    audit(ownEvent('setup.completed', { user: { id: userId } }, { ip }))
    return startSession(op, tx, { userId, acr: 'pwd', amr: ['pwd'], ip, userAgent })
  })
}
