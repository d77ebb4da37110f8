import type { Reader, Transaction } from './connection'
import { prisma } from './database'
import { foldedKey } from './folded-key'

/** How somebody can sign in at all: a password, a passkey, an account elsewhere. */

type Without = { passkey?: string; identity?: string }

/**
 * Whoever takes a way in away holds the user's row first: of two at the same moment, the second
 * sees that the first is gone.
 */
export async function holdUser(tx: Transaction, userId: string): Promise<void> {
  await prisma(tx).user.updateMany({ where: { id: userId }, data: { version: { increment: 1 } } })
}

/** When one is about to be taken away, asked in that transaction. */
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
 * Of an account whose address nobody had proven, to whoever has just proven it: what somebody else
 * may have left there to come back by (attack M30), and what they agreed to. Gives how many ways in
 * there were.
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
  return removed.reduce((sum, { count }) => sum + count, 0)
}

/** The first one: the database refuses a second. */
export async function createPassword(
  tx: Transaction,
  userId: string,
  hash: string,
  now: Date,
): Promise<void> {
  await prisma(tx).passwordCredential.create({ data: { userId, hash, changedAt: now } })
}

/** Whatever else they have: for those who help them. False where there is no such identity. */
export async function dropIdentity(tx: Transaction, userId: string, id: string): Promise<boolean> {
  return (await prisma(tx).identity.deleteMany({ where: { id, userId } })).count === 1
}
