import type { JWK } from 'jose'
import {
  type KeyState,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  type StoredKey,
} from '../crypto/keys'
import type { Database } from './database'
import { oneOf } from './json'

const STATES: readonly KeyState[] = ['staged', 'active', 'retiring', 'revoked']

export function signingKeyStore(db: Database) {
  return {
    async list(): Promise<StoredKey[]> {
      const rows = await db.signingKey.findMany({
        where: { removedAt: null },
        orderBy: { createdAt: 'asc' },
      })
      return rows.map((row) => ({
        kid: row.id,
        alg: oneOf(SIGNING_ALGORITHMS, row.alg),
        state: oneOf(STATES, row.state),
        publicJwk: row.publicJwk as JWK,
        privateSealed: row.privateEncrypted,
      }))
    },

    /** Saves the first active key of its algorithm; false when another instance was faster. */
    async saveFirst(key: StoredKey, now: Date): Promise<boolean> {
      const saved = await db.$executeRaw`
        INSERT INTO "SigningKey"
          ("id", "alg", "state", "activeSlot", "publicJwk", "privateEncrypted", "createdAt", "activatesAt")
        VALUES (${key.kid}, ${key.alg}, 'active', ${key.alg}, ${key.publicJwk}, ${key.privateSealed}, ${now}, ${now})
        ON CONFLICT DO NOTHING`
      return saved === 1
    },
  }
}

export type SigningKeyStore = ReturnType<typeof signingKeyStore>

export function activeKey(keys: StoredKey[], alg: SigningAlgorithm): StoredKey | undefined {
  return keys.find((key) => key.state === 'active' && key.alg === alg)
}
