import type { Transaction } from './connection'
import { prisma } from './database'

/**
 * Whatever may have been ended since a backup was made ends now, because nobody knows any more:
 * what people and applications hold from before is worth nothing (attack N23).
 */
export async function endEverything(tx: Transaction, now: Date): Promise<Ended> {
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
  await prisma(tx).interaction.deleteMany()
  await prisma(tx).trustedDevice.deleteMany()
  await prisma(tx).oneTimeLink.updateMany({ where: { usedAt: null }, data: { usedAt: now } })
  // Revoked ids of machines' tokens are lost, so nothing that was signed before is believed.
  const keys = await prisma(tx).signingKey.updateMany({
    where: { state: { not: 'revoked' } },
    data: { state: 'revoked', activeSlot: null, retiredAt: now },
  })
  // Most of it has gone out meanwhile, and the links in it are dead.
  await prisma(tx).outboxMessage.updateMany({
    where: { deliveredAt: null, failedAt: null },
    data: { failedAt: now, lastError: 'restored from a backup' },
  })
  return { sessions: sessions.count, grants: grants.count, keys: keys.count }
}

export type Ended = { sessions: number; grants: number; keys: number }
