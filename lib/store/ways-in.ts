import type { Database, Transaction } from './database'

/** Whether anybody could sign in to an account at all: a password, a passkey, another provider. */
export async function hasWayIn(db: Database | Transaction, userId: string): Promise<boolean> {
  const where = { userId }
  if ((await db.passwordCredential.count({ where })) > 0) return true
  if ((await db.passkeyCredential.count({ where })) > 0) return true
  return (await db.identity.count({ where })) > 0
}

/** The first one: the database refuses a second. */
export async function createPassword(
  tx: Transaction,
  userId: string,
  hash: string,
  now: Date,
): Promise<void> {
  await tx.passwordCredential.create({ data: { userId, hash, changedAt: now } })
}
