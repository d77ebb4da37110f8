import { failpoint } from '../failpoint'
import type { NewRefreshToken, NewTokenGrant, RefreshTokenStore } from '../oidc/provider'
import type { Database, Transaction } from './database'

/** A family is a path: each token has at most one successor. */

export async function createFamily(
  tx: Transaction,
  grant: NewTokenGrant,
  { familyExpiresAt, ...refresh }: NewRefreshToken & { familyExpiresAt: Date },
): Promise<void> {
  await tx.refreshFamily.create({
    data: {
      id: refresh.familyId,
      tokenGrantId: grant.id,
      createdAt: refresh.createdAt,
      expiresAt: familyExpiresAt,
    },
  })
  await tx.refreshToken.create({ data: { ...refresh, generation: 1 } })
}

export function refreshTokenStore(db: Database): RefreshTokenStore {
  return {
    async find(tokenHash) {
      const row = await db.refreshToken.findUnique({
        where: { tokenHash },
        include: { family: true },
      })
      if (!row) return null
      const { family, ...token } = row
      return {
        ...token,
        familyExpiresAt: family.expiresAt,
        familyRevoked: family.revokedAt !== null,
        tokenGrantId: family.tokenGrantId,
      }
    },

    async rotate(old, successor, successorEncrypted, now) {
      const rotated = await db.$transaction(async (tx) => {
        const { count } = await tx.refreshToken.updateMany({
          where: {
            tokenHash: old.tokenHash,
            usedAt: null,
            expiresAt: { gt: now },
            family: { revokedAt: null, expiresAt: { gt: now } },
          },
          data: { usedAt: now, successorEncrypted },
        })
        if (count !== 1) return false
        failpoint('refresh:spent')
        await tx.refreshToken.create({ data: { ...successor, generation: old.generation + 1 } })
        failpoint('refresh:succeeded')
        return true
      })
      failpoint('refresh:rotated')
      return rotated
    },
  }
}
