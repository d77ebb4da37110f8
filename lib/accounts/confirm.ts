import type { Op, Transaction } from '../context/op'
import { countTry, type SlowDown, takeBackTry, tries } from '../limits/tries'
import type { UpstreamProvider } from '../settings/providers'
import { touchIdentity } from '../store/accounts/identities'
import { markConfirmed, type Session } from '../store/accounts/sessions'
import { findPasswordHash } from '../store/accounts/users'
import { isFresh, saysWhen } from '../upstream/freshness'
import type { UpstreamPerson } from '../upstream/person'
import { type Origin, ownEvent } from './audit-event'
import { tryFactor } from './factor-tries'
import { listIdentities } from './identities'
import { findPasskeyProof } from './passkeys'
import { verifyPassword } from './passwords'
import { spendCode } from './totp'

/** "Confirm it's you": asked before sensitive changes, then not again for a while. */

export function isConfirmed(
  { confirmedAt }: Pick<Session, 'confirmedAt'>,
  now: Date,
  minutes: number,
): boolean {
  return confirmedAt !== null && now.getTime() - confirmedAt.getTime() < minutes * 60_000
}

/** The same for a second factor or a passkey: asked before sensitive access is given. */
export function hasJustUsedFactor(
  { factorAt }: Pick<Session, 'factorAt'>,
  now: Date,
  minutes: number,
): boolean {
  return isConfirmed({ confirmedAt: factorAt }, now, minutes)
}

/**
 * Whoever has just signed in has just said who they are. A mail alone does not say it: somebody who
 * reads a mailbox must not add a passkey, or change who can sign in.
 */
export function hasJustSignedIn(
  { provenAt, amr }: Pick<Session, 'provenAt' | 'amr'>,
  now: Date,
  minutes: number,
): boolean {
  if (amr.includes('mail') && !amr.includes('mfa')) return false
  return isConfirmed({ confirmedAt: provenAt }, now, minutes)
}

type Proven = Pick<Session, 'factorAt' | 'factorsProvenAt'>

/** Enough to change one's factors: a factor was just used or added, or a recovery code was used. */
export function hasProvenFactors(
  { factorAt, factorsProvenAt }: Proven,
  now: Date,
  minutes: number,
): boolean {
  return [factorAt, factorsProvenAt].some((at) => isConfirmed({ confirmedAt: at }, now, minutes))
}

export type WaysToConfirm = {
  password: boolean
  app: boolean
  passkey: boolean
  /**
   * For users without a password: providers where they can sign in again and that report when they
   * did.
   */
  providers: UpstreamProvider[]
  /** Providers that the user signs in with and that do not report when. */
  silent: UpstreamProvider[]
}

export function hasWayToConfirm({ password, app, passkey, providers }: WaysToConfirm): boolean {
  return password || app || passkey || providers.length > 0
}

export async function waysToConfirm(op: Op, session: Session): Promise<WaysToConfirm> {
  const password = (await op.read((db) => findPasswordHash(db, session.user.id))) !== null
  const identities = password ? [] : await listIdentities(op, session)
  const providers = [...new Set(identities.flatMap(({ provider }) => provider ?? []))]
  return {
    password,
    app: await op.totps.anyConfirmed(session.user.id),
    passkey: await op.passkeys.any(session.user.id),
    providers: providers.filter(saysWhen),
    silent: providers.filter((provider) => !saysWhen(provider)),
  }
}

type ConfirmationResult = { ok: true } | { ok: false; problem: 'wrong' } | SlowDown

export async function confirmWithPassword(
  op: Op,
  session: Session,
  password: string,
  origin: Origin,
): Promise<ConfirmationResult> {
  const slowDown = await countTry(op, tries.password, session.user.id)
  if (slowDown) return slowDown
  const hash = await op.read((db) => findPasswordHash(db, session.user.id))
  const matches = await verifyPassword(hash, password)
  if (!matches || !(await confirm(op, session, origin, 'password', async () => true))) {
    return refuse(op, session, origin, 'password')
  }
  await takeBackTry(op, tries.password, session.user.id)
  return { ok: true }
}

export async function confirmWithCode(
  op: Op,
  session: Session,
  code: string,
  origin: Origin,
): Promise<ConfirmationResult> {
  const totps = await op.totps.listConfirmed(session.user.id)
  const spend = (tx: Transaction) => spendCode(op, tx, totps, code.replaceAll(/\s/g, ''))
  return confirmWithFactor(op, session, origin, { method: 'totp', spend })
}

export async function confirmWithPasskey(
  op: Op,
  session: Session,
  response: string,
  origin: Origin,
): Promise<ConfirmationResult> {
  const proof = await findPasskeyProof(op, { for: 'confirm', userId: session.user.id }, response)
  const spend = async (tx: Transaction) => (await proof?.spend(tx)) === true
  return confirmWithFactor(op, session, origin, { method: 'passkey', spend })
}

type Factor = { method: 'totp' | 'passkey'; spend(tx: Transaction): Promise<boolean> }

async function confirmWithFactor(
  op: Op,
  session: Session,
  origin: Origin,
  { method, spend }: Factor,
): Promise<ConfirmationResult> {
  const attempt = await tryFactor(op, session.user.id, method, origin)
  if (!attempt.ok) return attempt
  if (!(await confirm(op, session, origin, method, spend))) {
    await attempt.wrong()
    return refuse(op, session, origin, method)
  }
  await attempt.right()
  return { ok: true }
}

type ConfirmedThere = { ok: true } | { ok: false; problem: 'not_you' | 'not_fresh' }

/** By signing in at the provider again: with the user's own account there, just now. */
export async function confirmWithUpstream(
  op: Op,
  session: Session,
  { person, since }: { person: UpstreamPerson; since: Date },
  origin: Origin,
): Promise<ConfirmedThere> {
  const fresh = isFresh(person, since)
  const use = (tx: Transaction) => touchIdentity(tx, person, session.user.id, person, op.now())
  if (fresh && (await confirm(op, session, origin, 'upstream', use))) return { ok: true }
  refuse(op, session, origin, 'upstream')
  return { ok: false, problem: fresh ? 'not_you' : 'not_fresh' }
}

type Method = 'password' | 'totp' | 'passkey' | 'upstream'

function confirm(
  op: Op,
  session: Session,
  origin: Origin,
  method: Method,
  proves: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  return op.write(async (tx, audit) => {
    if (!(await proves(tx))) return false
    const byFactor = method === 'totp' || method === 'passkey'
    if (!(await markConfirmed(tx, session.id, op.now(), byFactor))) return false
    audit(ownEvent('account.confirmed', session, origin, { detail: { method } }))
    return true
  })
}

function refuse(op: Op, session: Session, origin: Origin, method: Method): ConfirmationResult {
  op.record(
    ownEvent('account.confirmed', session, origin, { result: 'failure', detail: { method } }),
  )
  return { ok: false, problem: 'wrong' }
}
