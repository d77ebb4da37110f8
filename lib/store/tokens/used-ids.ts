import type { AssertionStore, RevokedTokenStore } from '../../oidc/stores'
import type { Reader } from '../database/connection'
import { type Database, prisma, sqlOf } from '../database/database'

/**
 * IDs of tokens and assertions that are used up or revoked, until they would have expired anyway.
 */

export function revokedTokenStore(db: Database): RevokedTokenStore {
  const sql = sqlOf(db)
  return {
    /**
     * Adding an ID twice at the same time is allowed: Prisma's upsert would fail for the second
     * one.
     */
    async add(jti, expiresAt) {
      await sql.run(
        'INSERT INTO "RevokedToken" ("jti", "expiresAt") VALUES (?, ?) ON CONFLICT DO NOTHING',
        [jti, expiresAt],
      )
    },
    /** Asked for every token that is presented; a commit of any server process counts at once. */
    async has(jti) {
      return (await sql.first('SELECT 1 FROM "RevokedToken" WHERE "jti" = ?', [jti])) !== undefined
    },
  }
}

export function assertionStore(db: Database): AssertionStore {
  return { consume: (clientId, jti, expiresAt) => spendId(db, clientId, jti, expiresAt) }
}

/**
 * True for exactly one caller with this ID. `owner` is a client, or the part of the portal that
 * made the ID.
 */
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
