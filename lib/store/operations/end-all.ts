import type { Transaction } from '../database/connection'
import { prisma } from '../database/database'

/**
 * Ends everything that may have been ended since a backup was made: sessions, tokens and links from
 * before no longer work (attack N23).
 */
export async function endEverything(tx: Transaction, now: Date): Promise<EndedCounts> {
  const open = { revokedAt: null }
  const sessions = await prisma(tx).session.updateMany({
    where: { endedAt: null },
    data: { endedAt: now },
  })
  const grants = await prisma(tx).tokenGrant.updateMany({
    where: open,
    data: { revokedAt: now, revokedReason: 'restored' },
  })
  await prisma(tx).refreshFamily.updateMany({ where: open, data: { revokedAt: now } })
  await prisma(tx).authorizationCode.deleteMany({ where: { usedAt: null } })
  await prisma(tx).deviceAuthorization.deleteMany({ where: { usedAt: null } })
  await prisma(tx).interaction.deleteMany()
  await prisma(tx).trustedDevice.deleteMany()
  await prisma(tx).oneTimeLink.updateMany({ where: { usedAt: null }, data: { usedAt: now } })
  // Revoked IDs of machine tokens are lost, so all tokens that were signed before become invalid.
  const keys = await prisma(tx).signingKey.updateMany({
    where: { state: { not: 'revoked' } },
    data: { state: 'revoked', activeSlot: null, retiredAt: now },
  })
  // Most of it was sent meanwhile, and its links no longer work.
  await prisma(tx).outboxMessage.updateMany({
    where: { deliveredAt: null, failedAt: null },
    data: { failedAt: now, lastError: 'restored from a backup' },
  })
  return { sessions: sessions.count, grants: grants.count, keys: keys.count }
}

export type EndedCounts = { sessions: number; grants: number; keys: number }
