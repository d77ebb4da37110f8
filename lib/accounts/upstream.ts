import type { Op } from '../context/op'
import { newId } from '../crypto/secrets'
import { orderMail } from '../delivery/mail/order'
import type { Locale } from '../i18n'
import { mailRequestWait } from '../limits/mail-requests'
import { findIdentityUser, insertIdentity, touchIdentity } from '../store/accounts/identities'
import { findByIdentifier, insertUser } from '../store/accounts/users'
import { isUniqueViolation } from '../store/database/unique'
import type { UpstreamPerson } from '../upstream/person'
import { ownEvent } from './audit-event'
import { completeFirstFactor, type FirstFactorResult } from './first-factor'
import type { SignInFrom } from './new-session'

/**
 * Sign-in through a provider. An account is found by issuer and subject only: an e-mail address,
 * verified or not, never leads into an account (attack M30).
 */

type Visit = SignInFrom & {
  person: UpstreamPerson
  locale: Locale
  returnTo: string
  /** When they proved who they are, as the provider reports. */
  provenAt: Date | null
}

/** `unknown` also covers a disabled account (attack M1). */
export type UpstreamProblem = 'unknown' | 'address_taken' | 'slow_down'

type UpstreamResult = FirstFactorResult | { ok: false; problem: UpstreamProblem }

type Known = { userId: string; enabled: boolean }
type Facts = {
  known: Known | null
  addressTaken: boolean
  vouchedFor: boolean
  registration: 'open' | 'closed'
}
type Step =
  | { do: 'sign in'; userId: string }
  | { do: 'create' }
  | { do: 'refuse'; problem: UpstreamProblem }

/** Only a user whose address the provider has verified learns that it is taken. */
export function nextStep({ known, addressTaken, vouchedFor, registration }: Facts): Step {
  if (known) {
    return known.enabled
      ? { do: 'sign in', userId: known.userId }
      : { do: 'refuse', problem: 'unknown' }
  }
  if (addressTaken) return { do: 'refuse', problem: vouchedFor ? 'address_taken' : 'unknown' }
  return registration === 'open' ? { do: 'create' } : { do: 'refuse', problem: 'unknown' }
}

export async function signInWithUpstream(op: Op, visit: Visit): Promise<UpstreamResult> {
  if (await mustWait(op, visit)) return { ok: false, problem: 'slow_down' }
  try {
    return await decideAndAct(op, visit)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // Two first visits at the same time: the other one created the account, or took the address.
    return decideAndAct(op, visit)
  }
}

/** Counted whether or not somebody has the address, because it is not verified. */
async function mustWait(op: Op, { person, ip }: Visit): Promise<boolean> {
  if (person.email === null || person.emailVerified) return false
  if ((await op.settings.current()).security.registration === 'closed') return false
  if (await op.read((db) => findIdentityUser(db, person))) return false
  return (await mailRequestWait(op, 'register', { name: person.email, ip })) > 0
}

/**
 * The address is checked first: an account and its identity are created together, so whoever sees
 * the account of a concurrent first visit also sees its identity.
 */
async function decideAndAct(op: Op, visit: Visit): Promise<UpstreamResult> {
  const { email, emailVerified } = visit.person
  const owner = email === null ? null : await op.read((db) => findByIdentifier(db, email))
  const known = await op.read((db) => findIdentityUser(db, visit.person))
  const { registration } = (await op.settings.current()).security
  const facts = { known, addressTaken: owner !== null, vouchedFor: emailVerified, registration }
  const step = nextStep(facts)
  switch (step.do) {
    case 'refuse':
      return { ok: false, problem: step.problem }
    case 'create':
      return enter(op, visit, await create(op, visit))
    case 'sign in': {
      const { person } = visit
      const known = await op.write((tx) => touchIdentity(tx, person, step.userId, person, op.now()))
      return known ? enter(op, visit, step.userId) : { ok: false, problem: 'unknown' }
    }
  }
}

/** A provider is one factor: a user with a second factor is asked for it. */
async function enter(op: Op, visit: Visit, userId: string): Promise<UpstreamResult> {
  const { person, returnTo: _, provenAt, ...from } = visit
  const detail = { issuer: person.issuer }
  const proof = { method: 'upstream', acr: 'pwd', amr: ['fed'], detail, provenAt } as const
  return (
    (await completeFirstFactor(op, { id: userId }, proof, from)) ?? {
      ok: false,
      problem: 'unknown',
    }
  )
}

function create(op: Op, { person, locale, returnTo, ip }: Visit): Promise<string> {
  const userId = newId('usr')
  const now = op.now()
  return op.changePolicy(
    async (tx, audit) => {
      await insertUser(tx, userId, newUserFields(person), now)
      const row = { id: newId('idn'), userId, now, lastUsedAt: now }
      await insertIdentity(tx, person, row, person)
      if (person.email !== null && !person.emailVerified) {
        await orderMail(op, tx, { letter: 'verify', userId, locale, returnTo })
      }
      audit(
        ownEvent(
          'user.registered',
          { user: { id: userId } },
          { ip },
          { detail: { method: 'upstream', issuer: person.issuer } },
        ),
      )
      return userId
    },
    [{ kind: 'user', id: userId }],
  )
}

function newUserFields({ name, email, emailVerified, profile }: UpstreamPerson) {
  const nothing = { username: null, adminRole: null, locale: null, disabledAt: null }
  return { name, email, emailVerified, profile, attributes: {}, ...nothing }
}
