import { parseEmail } from '../base/email'
import { cleanName, type NameProblem, nameProblem } from '../base/name'
import type { Op, Transaction } from '../context/op'
import { newSecret } from '../crypto/secrets'
import { consumeLink } from '../store/accounts/links'
import { createPasskey } from '../store/accounts/passkeys'
import { markConfirmed } from '../store/accounts/sessions'
import { createUser } from '../store/accounts/users'
import { setOnce } from '../store/delivery/settings'
import { ownEvent } from './audit-event'
import { type FirstProof, firstProofFrom, provenBy, type WayIn } from './first-way-in'
import { type StartedSession, startSession } from './new-session'
import { keeperOf } from './own-passkeys'
import { type PasswordProblem, shortestAlone } from './passwords'

/** The first admin: one link, one use, one admin, and then never again (attack M29). */

const LINK_MS = 15 * 60 * 1000

type SetUp = WayIn & {
  token: string
  name: string
  email: string
  ip: string | null
  userAgent: string
}

type SetUpResult =
  | { ok: true; started: StartedSession }
  | { ok: false; problem: 'link' | 'email' | 'passkey' | NameProblem | PasswordProblem }

const withOwner = new WeakSet<object>()

/** True until there is a first user; asked of the database only until then. */
export async function awaitsOwner(op: Op): Promise<boolean> {
  if (withOwner.has(op.settings)) return false
  const isSetUp = (await op.settings.has('setup_completed')) || (await op.users.anyExists())
  if (isSetUp) withOwner.add(op.settings)
  return !isSetUp
}

/** Null if there is any user already. */
export async function newSetUpLink(op: Op): Promise<string | null> {
  if (!(await awaitsOwner(op))) return null
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
  const problem = nameProblem(name)
  if (problem) return { ok: false, problem }
  const owner = { own: [name, email], shortest: await shortestAlone(op) }
  const proof = await firstProofFrom(op, input, owner)
  if ('problem' in proof) return { ok: false, problem: proof.problem }
  const started = await createFirstAdmin(op, input, { name, email }, proof)
  return started ? { ok: true, started } : { ok: false, problem: 'link' }
}

/**
 * Null if another request was first, with this link or another: both are used up in one
 * transaction.
 */
async function createFirstAdmin(
  op: Op,
  { token, ip, userAgent }: SetUp,
  person: { name: string; email: string },
  proof: FirstProof,
): Promise<StartedSession | null> {
  return op
    .write(async (tx, audit) => {
      const now = op.now()
      if (!(await consumeLink(tx, op.hashSecret(token), 'setup', now))) return null
      if (!(await setOnce(tx, 'setup_completed', now))) return null
      const userId = await createOwner(op, tx, person, proof)
      if (userId === null) throw new ChallengeSpent()
      audit(ownEvent('setup.completed', { user: { id: userId } }, { ip }))
      const started = await startSession(op, tx, { userId, ...provenBy(proof), ip, userAgent })
      // Whoever has just chosen how to sign in need not prove it again to add a second factor.
      await markConfirmed(tx, started.id, now, false)
      return started
    })
    .catch(nullIfSpent)
}

/** Takes back the whole transaction. */
class ChallengeSpent extends Error {}

function nullIfSpent(error: unknown): null {
  if (error instanceof ChallengeSpent) return null
  throw error
}

/** Null if the answer of the authenticator was used before. */
async function createOwner(
  op: Op,
  tx: Transaction,
  person: { name: string; email: string },
  proof: FirstProof,
): Promise<string | null> {
  const now = op.now()
  const owner = { ...person, emailVerified: true, adminRole: 'owner' } as const
  if (proof.method === 'password') {
    return createUser(tx, { ...owner, passwordHash: proof.passwordHash }, now)
  }
  const { use, ...key } = proof.key
  if (!(await use(tx))) return null
  const userId = await createUser(tx, { ...owner, id: proof.userId, passwordHash: null }, now)
  await createPasskey(tx, { ...key, userId, name: keeperOf(key) }, now)
  return userId
}
