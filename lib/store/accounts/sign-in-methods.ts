import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { foldedKey } from '../database/folded-key'

/** How a user can sign in: a password, a passkey, an identity at a provider. */

type Without = { passkey?: string; identity?: string }

/**
 * Whoever removes one locks the row of the user first: of two concurrent removals, the second sees
 * the first.
 */
export async function lockUserRow(tx: Transaction, userId: string): Promise<void> {
  await prisma(tx).user.updateMany({ where: { id: userId }, data: { version: { increment: 1 } } })
}

/** Before one is removed, asked in the same transaction. */
export async function hasWayIn(
  db: Reader,
  userId: string,
  { passkey, identity }: Without = {},
): Promise<boolean> {
  if ((await prisma(db).passwordCredential.count({ where: { userId } })) > 0) return true
  const passkeys = await prisma(db).passkeyCredential.count({
    where: { userId, ...(passkey !== undefined && { id: { not: passkey } }) },
  })
  const identities = await prisma(db).identity.count({
    where: { userId, ...(identity !== undefined && { id: { not: identity } }) },
  })
  return passkeys + identities > 0
}

/**
 * For an account whose address was never verified, when somebody verifies it: removes every way to
 * sign in that somebody else may have left there (attack M30), with their consents and what they
 * asked for. Returns the number of removed ways to sign in.
 */
export async function removeUnprovenWaysIn(
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
): Promise<number> {
  const user = { emailKey: foldedKey(email), emailVerified: false, disabledAt: null }
  const where = { userId, user }
  const removed = [
    await prisma(tx).identity.deleteMany({ where }),
    await prisma(tx).passkeyCredential.deleteMany({ where }),
    await prisma(tx).totpCredential.deleteMany({ where }),
  ]
  await prisma(tx).recoveryCode.deleteMany({ where })
  await prisma(tx).consent.deleteMany({ where })
  await prisma(tx).accessRequest.deleteMany({ where: { ...where, status: 'pending' } })
  return removed.reduce((sum, { count }) => sum + count, 0)
}

/** The first password: the database refuses a second. */
export async function createPassword(
  tx: Transaction,
  userId: string,
  hash: string,
  now: Date,
): Promise<void> {
  await prisma(tx).passwordCredential.create({ data: { userId, hash, changedAt: now } })
}

/**
 * Even if the user cannot sign in without it: for admins who help them. False if the identity does
 * not exist.
 */
export async function dropIdentity(tx: Transaction, userId: string, id: string): Promise<boolean> {
  return (await prisma(tx).identity.deleteMany({ where: { id, userId } })).count === 1
}
