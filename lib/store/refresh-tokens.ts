import { failpoint } from '../base/failpoint'
import type {
  NewRefreshToken,
  NewTokenGrant,
  RefreshTokenStore,
  Repeat,
  StoredRefreshToken,
} from '../oidc/provider'
import type { Transaction } from './connection'
import { type Database, prisma, sqlOf } from './database'
import { insert, type Row, type Sql, textIn, textOrNull, timeIn, timeOrNull } from './sql'

/** A refresh family is a chain: each token has at most one successor. */

export async function createFamily(
  tx: Sql,
  grant: NewTokenGrant,
  { familyExpiresAt, ...refresh }: NewRefreshToken & { familyExpiresAt: Date },
): Promise<void> {
  await insert(tx, 'RefreshFamily', {
    id: refresh.familyId,
    tokenGrantId: grant.id,
    createdAt: refresh.createdAt,
    expiresAt: familyExpiresAt,
  })
  await createToken(tx, refresh, 1)
}

async function createToken(tx: Sql, token: NewRefreshToken, generation: number): Promise<void> {
  const { tokenHash, familyId, createdAt, expiresAt } = token
  await insert(tx, 'RefreshToken', { tokenHash, familyId, generation, createdAt, expiresAt })
}

const FIND = `
  SELECT t."tokenHash", t."familyId", t."generation", t."expiresAt", t."usedAt",
    t."successorEncrypted", f."tokenGrantId", f."expiresAt" AS "familyExpiresAt",
    f."revokedAt" AS "familyRevokedAt"
  FROM "RefreshToken" t JOIN "RefreshFamily" f ON f."id" = t."familyId" WHERE t."tokenHash" = ?`

/** Exactly one caller changes the row. */
const SPEND = `
  UPDATE "RefreshToken" SET "usedAt" = ?, "successorEncrypted" = ?, "usedFrom" = ?
  WHERE "tokenHash" = ? AND "usedAt" IS NULL AND "expiresAt" > ? AND EXISTS (
    SELECT 1 FROM "RefreshFamily" f
    WHERE f."id" = "RefreshToken"."familyId" AND f."revokedAt" IS NULL AND f."expiresAt" > ?)`

export function refreshTokenStore(db: Database): Omit<RefreshTokenStore, 'replay'> {
  const sql = sqlOf(db)
  return {
    async find(tokenHash) {
      const [row] = await sql.all(FIND, [tokenHash])
      return row ? toToken(row) : null
    },

    async rotate(old, { successor, successorEncrypted, usedFrom, usedAt }) {
      const spend = [usedAt, successorEncrypted, usedFrom, old.tokenHash, usedAt, usedAt]
      const rotated = await sql.transaction(async (tx) => {
        if ((await tx.run(SPEND, spend)) !== 1) return false
        failpoint('refresh:spent')
        await createToken(tx, successor, old.generation + 1)
        failpoint('refresh:succeeded')
        return true
      })
      failpoint('refresh:rotated')
      return rotated
    },
  }
}

/**
 * The caller holds a lock on the token grant, so that repeats of one refresh family are counted one
 * after the other.
 */
export async function countRepeat(
  tx: Transaction,
  { tokenHash, familyId }: Pick<StoredRefreshToken, 'tokenHash' | 'familyId'>,
  near: number,
): Promise<Repeat> {
  const { generation, repeats, usedFrom } = await prisma(tx).refreshToken.update({
    where: { tokenHash },
    data: { repeats: { increment: 1 } },
    select: { generation: true, repeats: true, usedFrom: true },
  })
  const around = { gte: generation - near, lte: generation + near }
  const rows = await prisma(tx).refreshToken.findMany({
    where: { familyId, generation: around, repeats: { gt: 0 } },
    select: { generation: true },
  })
  return { generation, times: repeats, usedFrom, repeatedNear: rows.map((row) => row.generation) }
}

function toToken(row: Row): StoredRefreshToken {
  return {
    tokenHash: textIn(row.tokenHash),
    familyId: textIn(row.familyId),
    familyExpiresAt: timeIn(row.familyExpiresAt),
    familyRevoked: row.familyRevokedAt !== null,
    tokenGrantId: textIn(row.tokenGrantId),
    generation: Number(row.generation),
    expiresAt: timeIn(row.expiresAt),
    usedAt: timeOrNull(row.usedAt),
    successorEncrypted: textOrNull(row.successorEncrypted),
  }
}
