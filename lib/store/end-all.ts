import type { Transaction } from './database'

/**
 * Whatever may have been ended since a backup was made ends now, because nobody knows any more:
 * what people and applications hold from before is worth nothing (attack N23).
 */
export async function endEverything(tx: Transaction, now: Date): Promise<Ended> {
  const open = { revokedAt: null }
  const sessions = await tx.session.updateMany({
    where: { endedAt: null },
    data: { endedAt: now },
  })
  const grants = await tx.tokenGrant.updateMany({
    where: open,
    data: { revokedAt: now, revokedReason: 'restored' },
  })
  await tx.refreshFamily.updateMany({ where: open, data: { revokedAt: now } })
  await tx.authorizationCode.deleteMany({ where: { usedAt: null } })
  await tx.interaction.deleteMany()
  await tx.trustedDevice.deleteMany()
  await tx.oneTimeLink.updateMany({ where: { usedAt: null }, data: { usedAt: now } })
  // Revoked ids of machines' tokens are lost, so nothing that was signed before is believed.
  const keys = await tx.signingKey.updateMany({
    where: { state: { not: 'revoked' } },
    data: { state: 'revoked', activeSlot: null, retiredAt: now },
  })
  // Most of it has gone out meanwhile, and the links in it are dead.
  await tx.outboxMessage.updateMany({
    where: { deliveredAt: null, failedAt: null },
    data: { failedAt: now, lastError: 'restored from a backup' },
  })
  return { sessions: sessions.count, grants: grants.count, keys: keys.count }
}

export type Ended = { sessions: number; grants: number; keys: number }
