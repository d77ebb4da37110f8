import type { AssertionStore, RevokedTokenStore } from '../oidc/provider'
import type { Database } from './database'

/** Ids of tokens and assertions that are used up, until they would have expired anyway. */

export function revokedTokenStore(db: Database): RevokedTokenStore {
  return {
    async add(jti, expiresAt) {
      await db.revokedToken.upsert({ where: { jti }, create: { jti, expiresAt }, update: {} })
    },
    async has(jti) {
      return (await db.revokedToken.count({ where: { jti } })) === 1
    },
  }
}

export function assertionStore(db: Database): AssertionStore {
  return {
    async consume(clientId, jti, expiresAt) {
      const inserted = await db.$executeRaw`
        INSERT INTO "UsedAssertion" ("clientId", "jti", "expiresAt")
        VALUES (${clientId}, ${jti}, ${expiresAt}) ON CONFLICT DO NOTHING`
      return inserted === 1
    },
  }
}
