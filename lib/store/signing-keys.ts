import type { JWK } from 'jose'
import {
  type KeyState,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  type StoredKey,
} from '../crypto/keys'
import { appendAudit } from './audit'
import type { Database, Transaction } from './database'
import { oneOf } from './json'

/**
 * staged -> active -> retiring -> removed, or revoked at any time. A unique slot holds at most one
 * staged and one active key for each algorithm, so instances that act together end as one.
 */

const STATES: readonly KeyState[] = ['staged', 'active', 'retiring', 'revoked']
const stagedSlot = (alg: SigningAlgorithm) => `staged ${alg}`

export function signingKeyStore(db: Database) {
  return {
    /** All that were not removed, oldest first. */
    async list(): Promise<StoredKey[]> {
      const rows = await db.signingKey.findMany({
        where: { removedAt: null },
        orderBy: { createdAt: 'asc' },
      })
      return rows.map(toKey)
    },

    /** Saves the first active key of its algorithm; false when another instance was faster. */
    saveFirst: (key: StoredKey, now: Date) =>
      db.$transaction((tx) => insert(tx, key, 'active', key.alg, now, now)),

    /** Published from now on, to sign from `activatesAt`; false when one is staged already. */
    stage: (key: StoredKey, now: Date, activatesAt: Date) =>
      db.$transaction((tx) => insert(tx, key, 'staged', stagedSlot(key.alg), now, activatesAt)),

    /** The staged key takes over from the active one; false when another instance did it. */
    async promote(staged: StoredKey, now: Date): Promise<boolean> {
      return db.$transaction(async (tx) => {
        if (!(await move(tx, staged, { activeSlot: null }))) return false
        await tx.signingKey.updateMany({
          where: { activeSlot: staged.alg },
          data: { state: 'retiring', activeSlot: null, retiredAt: now },
        })
        await tx.signingKey.update({
          where: { id: staged.kid },
          data: { state: 'active', activeSlot: staged.alg, activatesAt: now },
        })
        await audit(tx, 'active', staged.kid, now)
        return true
      })
    },

    /** No longer published; nothing that it signed may still be alive. */
    async removeRetiredBefore(moment: Date, now: Date): Promise<void> {
      await db.signingKey.updateMany({
        where: { state: 'retiring', retiredAt: { lt: moment }, removedAt: null },
        data: { removedAt: now },
      })
    },

    /** At once, whatever it signed; false when there is no such key. */
    async revoke(kid: string, now: Date): Promise<boolean> {
      return db.$transaction(async (tx) => {
        const { count } = await tx.signingKey.updateMany({
          where: { id: kid, state: { not: 'revoked' } },
          data: { state: 'revoked', activeSlot: null, retiredAt: now },
        })
        if (count === 1) await audit(tx, 'revoked', kid, now)
        return count === 1
      })
    },
  }
}

export type SigningKeyStore = ReturnType<typeof signingKeyStore>

async function move(
  tx: Transaction,
  staged: StoredKey,
  data: { activeSlot: null },
): Promise<boolean> {
  const { count } = await tx.signingKey.updateMany({
    where: { id: staged.kid, activeSlot: stagedSlot(staged.alg) },
    data,
  })
  return count === 1
}

async function insert(
  tx: Transaction,
  key: StoredKey,
  state: KeyState,
  slot: string,
  now: Date,
  activatesAt: Date,
): Promise<boolean> {
  const saved = await tx.$executeRaw`
    INSERT INTO "SigningKey"
      ("id", "alg", "state", "activeSlot", "publicJwk", "privateEncrypted", "createdAt", "activatesAt")
    VALUES (${key.kid}, ${key.alg}, ${state}, ${slot}, ${key.publicJwk}, ${key.privateSealed}, ${now}, ${activatesAt})
    ON CONFLICT DO NOTHING`
  if (saved === 1) await audit(tx, state, key.kid, now)
  return saved === 1
}

/** By the schedule or by the operator's command: nobody is signed in there. */
async function audit(tx: Transaction, state: KeyState, kid: string, at: Date): Promise<void> {
  const by = {
    actorKind: 'system',
    actorId: null,
    targetKind: 'signing_key',
    targetId: kid,
  } as const
  await appendAudit(tx, [{ event: `key.${state}`, result: 'success', ...by, detail: {}, at }])
}

type Row = Awaited<ReturnType<Database['signingKey']['findMany']>>[number]

function toKey(row: Row): StoredKey {
  return {
    kid: row.id,
    alg: oneOf(SIGNING_ALGORITHMS, row.alg),
    state: oneOf(STATES, row.state),
    publicJwk: row.publicJwk as JWK,
    privateSealed: row.privateEncrypted,
    activatesAt: row.activatesAt,
  }
}

export function keyIn(
  keys: StoredKey[],
  alg: SigningAlgorithm,
  state: KeyState,
): StoredKey | undefined {
  return keys.find((key) => key.state === state && key.alg === alg)
}
