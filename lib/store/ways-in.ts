import type { Database, Transaction } from './database'

/** How somebody can sign in at all: a password, a passkey, an account elsewhere. */

type Without = { passkey?: string; identity?: string }

/** When one is about to be taken away, asked in that transaction, so that two cannot take two. */
export async function hasWayIn(
  db: Database | Transaction,
  userId: string,
  { passkey, identity }: Without = {},
): Promise<boolean> {
  if ((await db.passwordCredential.count({ where: { userId } })) > 0) return true
  const passkeys = await db.passkeyCredential.count({
    where: { userId, ...(passkey !== undefined && { id: { not: passkey } }) },
  })
  const identities = await db.identity.count({
    where: { userId, ...(identity !== undefined && { id: { not: identity } }) },
  })
  return passkeys + identities > 0
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
