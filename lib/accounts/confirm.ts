import type { Op } from '../op'
import type { Transaction } from '../store/database'
import { touchIdentity } from '../store/identities'
import { markConfirmed, type Session } from '../store/sessions'
import { findPasswordHash } from '../store/users'
import type { UpstreamPerson } from '../upstream/person'
import type { UpstreamProvider } from '../upstream/providers'
import { type Origin, ownEvent } from './audit-event'
import { listIdentities } from './identities'
import { findPasskeyProof } from './passkeys'
import { verifyPassword } from './passwords'
import { spendCode } from './totp'
import { countTry, type SlowDown, takeBackTry, tries } from './tries'

/** "Confirm it's you": asked before what could lock somebody out, then not again for a while. */

export function isConfirmed({ confirmedAt }: Session, now: Date, minutes: number): boolean {
  return confirmedAt !== null && now.getTime() - confirmedAt.getTime() < minutes * 60_000
}

export type WaysToConfirm = {
  password: boolean
  app: boolean
  passkey: boolean
  providers: UpstreamProvider[]
}

export async function waysToConfirm(op: Op, session: Session): Promise<WaysToConfirm> {
  const identities = await listIdentities(op, session)
  const providers = identities.flatMap(({ provider }) => provider ?? [])
  return {
    password: (await op.read((db) => findPasswordHash(db, session.user.id))) !== null,
    app: await op.totps.anyConfirmed(session.user.id),
    passkey: await op.passkeys.any(session.user.id),
    providers: [...new Set(providers)],
  }
}

export type Confirmed = { ok: true } | { ok: false; problem: 'wrong' } | SlowDown

export async function confirmWithPassword(
  op: Op,
  session: Session,
  password: string,
  origin: Origin,
): Promise<Confirmed> {
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
): Promise<Confirmed> {
  const totps = await op.totps.listConfirmed(session.user.id)
  const spend = (tx: Transaction) => spendCode(op, tx, totps, code.replaceAll(/\s/g, ''))
  return confirmWithFactor(op, session, origin, { method: 'totp', spend })
}

export async function confirmWithPasskey(
  op: Op,
  session: Session,
  response: string,
  origin: Origin,
): Promise<Confirmed> {
  const proof = await findPasskeyProof(op, { for: 'confirm', userId: session.user.id }, response)
  const spend = async (tx: Transaction) => (await proof?.spend(tx)) === true
  return confirmWithFactor(op, session, origin, { method: 'passkey', spend })
}

type Factor = { method: Method; spend(tx: Transaction): Promise<boolean> }

async function confirmWithFactor(
  op: Op,
  session: Session,
  origin: Origin,
  { method, spend }: Factor,
): Promise<Confirmed> {
  const slowDown = await countTry(op, tries.factor, session.user.id)
  if (slowDown) return slowDown
  if (!(await confirm(op, session, origin, method, spend))) {
    return refuse(op, session, origin, method)
  }
  await takeBackTry(op, tries.factor, session.user.id)
  return { ok: true }
}

const CLOCKS_DIFFER_MS = 60_000

/** By signing in at the provider again: it has to be their own account there, and just now. */
export async function confirmWithUpstream(
  op: Op,
  session: Session,
  { person, since }: { person: UpstreamPerson; since: Date },
  origin: Origin,
): Promise<Confirmed> {
  const { authTime } = person
  const isOld = authTime !== null && since.getTime() - authTime.getTime() > CLOCKS_DIFFER_MS
  const use = (tx: Transaction) => touchIdentity(tx, person, session.user.id, person, op.now())
  if (isOld || !(await confirm(op, session, origin, 'upstream', use))) {
    return refuse(op, session, origin, 'upstream')
  }
  return { ok: true }
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
    if (!(await markConfirmed(tx, session.id, op.now()))) return false
    audit(ownEvent('account.confirmed', session, origin, { detail: { method } }))
    return true
  })
}

function refuse(op: Op, session: Session, origin: Origin, method: Method): Confirmed {
  op.record(
    ownEvent('account.confirmed', session, origin, { result: 'failure', detail: { method } }),
  )
  return { ok: false, problem: 'wrong' }
}
