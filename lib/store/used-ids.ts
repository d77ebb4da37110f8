import type { AssertionStore, RevokedTokenStore } from '../oidc/provider'
import type { Reader } from './connection'
import { type Database, prisma, sqlOf } from './database'

/** Ids of tokens and assertions that are used up, until they would have expired anyway. */

export function revokedTokenStore(db: Database): RevokedTokenStore {
  const sql = sqlOf(db)
  return {
    /** Twice at the same instant is once: Prisma's upsert would fail the second one. */
    async add(jti, expiresAt) {
      await sql.run(
        'INSERT INTO "RevokedToken" ("jti", "expiresAt") VALUES (?, ?) ON CONFLICT DO NOTHING',
        [jti, expiresAt],
      )
    },
    /** Asked for every token that comes back; what any instance has committed counts at once. */
    async has(jti) {
      return (await sql.all('SELECT 1 FROM "RevokedToken" WHERE "jti" = ?', [jti])).length > 0
    },
  }
}

export function assertionStore(db: Database): AssertionStore {
  return { consume: (clientId, jti, expiresAt) => spendId(db, clientId, jti, expiresAt) }
}

/** True for exactly one caller with this id. `owner` is a client, or what of ours made the id. */
export async function spendId(
  db: Reader,
  owner: string,
  id: string,
  expiresAt: Date,
): Promise<boolean> {
  const inserted = await prisma(db).$executeRaw`
    INSERT INTO "UsedAssertion" ("clientId", "jti", "expiresAt")
    VALUES (${owner}, ${id}, ${expiresAt}) ON CONFLICT DO NOTHING`
  return inserted === 1
}
