import type { JWK } from 'jose'
import { failpoint } from '../../base/failpoint'
import {
  type KeyState,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  type StoredKey,
} from '../../crypto/keys'
import type { AuditEvent } from '../../oidc/audit-event'
import { appendAudit } from '../audit/audit'
import type { Transaction } from '../database/connection'
import { type Database, prisma } from '../database/database'
import { oneOf } from '../database/json'

/**
 * staged -> active -> retiring -> removed, or revoked at any time. A unique slot allows at most one
 * staged and one active key per algorithm, so concurrent server processes agree.
 */

const STATES: readonly KeyState[] = ['staged', 'active', 'retiring', 'revoked']

/** A key with its dates. */
export type KeyRecord = StoredKey & {
  createdAt: Date
  retiredAt: Date | null
  removedAt: Date | null
}

/** Who changed it: a user, or the schedule or the operator, where nobody is signed in. */
export type KeyMover = Pick<AuditEvent, 'actorKind' | 'actorId' | 'ip' | 'requestId'>
export const THE_SYSTEM: KeyMover = { actorKind: 'system', actorId: null }
const stagedSlot = (alg: SigningAlgorithm) => `staged ${alg}`

export function signingKeyStore(db: Database) {
  return {
    /** All that are not removed, the oldest first. */
    async list(): Promise<KeyRecord[]> {
      const rows = await db.signingKey.findMany({
        where: { removedAt: null },
        orderBy: { createdAt: 'asc' },
      })
      return rows.map(toKey)
    },

    /** Including removed keys; the newest first. */
    async history(most: number): Promise<KeyRecord[]> {
      const rows = await db.signingKey.findMany({ orderBy: { createdAt: 'desc' }, take: most })
      return rows.map(toKey)
    },

    /** Saves the first active key of its algorithm; false if another server process was first. */
    saveFirst: (key: StoredKey, now: Date) =>
      db.$transaction((tx) =>
        insert(tx, { ...key, state: 'active', activatesAt: now }, key.alg, now, THE_SYSTEM),
      ),

    /** Published from now on, signs from `activatesAt`; false if one is staged already. */
    stage: (key: StoredKey, now: Date, by: KeyMover) =>
      db.$transaction((tx) =>
        insert(tx, { ...key, state: 'staged' }, stagedSlot(key.alg), now, by),
      ),

    /** The staged key replaces the active one; false if another server process did it. */
    async promote(staged: StoredKey, now: Date, by: KeyMover): Promise<boolean> {
      const promoted = await db.$transaction((tx) => promote(tx, staged, now, by))
      failpoint('key:rotated')
      return promoted
    },

    /** No longer published; no token that it signed may still be valid. */
    async removeRetiredBefore(moment: Date, now: Date): Promise<void> {
      await db.signingKey.updateMany({
        where: { state: 'retiring', retiredAt: { lt: moment }, removedAt: null },
        data: { removedAt: now },
      })
    },

    /** At once, whatever it signed; false if the key does not exist. */
    revoke: (kid: string, now: Date, by: KeyMover) =>
      db.$transaction((tx) => revoke(tx, kid, now, by)),
  }
}

export type SigningKeyStore = ReturnType<typeof signingKeyStore>

async function promote(
  tx: Transaction,
  staged: StoredKey,
  now: Date,
  by: KeyMover,
): Promise<boolean> {
  if (!(await move(tx, staged, { activeSlot: null }))) return false
  failpoint('key:unslotted')
  const where = { activeSlot: staged.alg }
  const before = await prisma(tx).signingKey.findUnique({ where, select: { id: true } })
  await prisma(tx).signingKey.updateMany({
    where,
    data: { state: 'retiring', activeSlot: null, retiredAt: now },
  })
  failpoint('key:retired')
  await prisma(tx).signingKey.update({
    where: { id: staged.kid },
    data: { state: 'active', activeSlot: staged.alg, activatesAt: now },
  })
  failpoint('key:promoted')
  const detail = { alg: staged.alg, replaces: before?.id ?? null }
  await audit(tx, 'active', staged.kid, now, by, detail)
  return true
}

async function revoke(tx: Transaction, kid: string, now: Date, by: KeyMover): Promise<boolean> {
  const before = await prisma(tx).signingKey.findUnique({
    where: { id: kid },
    select: { state: true, alg: true },
  })
  const { count } = await prisma(tx).signingKey.updateMany({
    where: { id: kid, state: { not: 'revoked' } },
    data: { state: 'revoked', activeSlot: null, retiredAt: now },
  })
  if (count === 1) await audit(tx, 'revoked', kid, now, by, { before, after: REVOKED })
  return count === 1
}

async function move(
  tx: Transaction,
  staged: StoredKey,
  data: { activeSlot: null },
): Promise<boolean> {
  const { count } = await prisma(tx).signingKey.updateMany({
    where: { id: staged.kid, activeSlot: stagedSlot(staged.alg) },
    data,
  })
  return count === 1
}

async function insert(
  tx: Transaction,
  key: StoredKey,
  slot: string,
  now: Date,
  by: KeyMover,
): Promise<boolean> {
  const saved = await prisma(tx).$executeRaw`
    INSERT INTO "SigningKey"
      ("id", "alg", "state", "activeSlot", "publicJwk", "privateEncrypted", "createdAt", "activatesAt")
    VALUES (${key.kid}, ${key.alg}, ${key.state}, ${slot}, ${key.publicJwk}, ${key.privateSealed}, ${now}, ${key.activatesAt})
    ON CONFLICT DO NOTHING`
  failpoint('key:staged')
  if (saved === 1) await audit(tx, key.state, key.kid, now, by, { alg: key.alg })
  return saved === 1
}

const REVOKED = { state: 'revoked' } as const

async function audit(
  tx: Transaction,
  state: KeyState,
  kid: string,
  at: Date,
  by: KeyMover,
  detail: Record<string, unknown>,
): Promise<void> {
  const target = { targetKind: 'signing_key', targetId: kid } as const
  await appendAudit(tx, [
    { event: `key.${state}`, result: 'success', ...by, ...target, detail, at },
  ])
}

type Row = Awaited<ReturnType<Database['signingKey']['findMany']>>[number]

function toKey(row: Row): KeyRecord {
  return {
    kid: row.id,
    alg: oneOf(SIGNING_ALGORITHMS, row.alg),
    state: oneOf(STATES, row.state),
    publicJwk: row.publicJwk as JWK,
    privateSealed: row.privateEncrypted,
    activatesAt: row.activatesAt,
    createdAt: row.createdAt,
    retiredAt: row.retiredAt,
    removedAt: row.removedAt,
  }
}

export function keyIn<Key extends Pick<StoredKey, 'alg' | 'state'>>(
  keys: readonly Key[],
  alg: SigningAlgorithm,
  state: KeyState,
): Key | undefined {
  return keys.find((key) => key.state === state && key.alg === alg)
}
