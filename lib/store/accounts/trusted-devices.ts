import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'

/** Browsers that proved a second factor and are not asked for it again for a while. */

export type TrustedDevice = {
  id: string
  userAgent: string
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date
}

export async function trustDevice(
  tx: Transaction,
  device: { tokenHash: string; userId: string; userAgent: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  await prisma(tx).trustedDevice.create({ data: { ...device, createdAt: now, lastUsedAt: now } })
}

/** True if one of the tokens belongs to this user, is valid, and was made after `since`. */
export async function isTrusted(
  db: Reader,
  userId: string,
  tokenHashes: string[],
  { now, since }: { now: Date; since: Date },
): Promise<boolean> {
  if (tokenHashes.length === 0) return false
  const { count } = await prisma(db).trustedDevice.updateMany({
    where: {
      userId,
      tokenHash: { in: tokenHashes },
      expiresAt: { gt: now },
      createdAt: { gt: since },
    },
    data: { lastUsedAt: now },
  })
  return count > 0
}

export async function listTrustedDevicesOf(
  db: Reader,
  userId: string,
  now: Date,
): Promise<TrustedDevice[]> {
  const rows = await prisma(db).trustedDevice.findMany({
    where: { userId, expiresAt: { gt: now } },
    orderBy: [{ createdAt: 'desc' }, { tokenHash: 'asc' }],
  })
  return rows.map(({ tokenHash: id, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
    id,
    userAgent,
    createdAt,
    lastUsedAt,
    expiresAt,
  }))
}

/** True for the one call that removed it; a device of another user is not found. */
export async function distrustDevice(
  tx: Transaction,
  userId: string,
  tokenHash: string,
): Promise<boolean> {
  return (await prisma(tx).trustedDevice.deleteMany({ where: { userId, tokenHash } })).count === 1
}

export async function distrustAllOf(tx: Transaction, userId: string): Promise<void> {
  await prisma(tx).trustedDevice.deleteMany({ where: { userId } })
}
