import type { Transaction } from './database'

/** How somebody can sign in at all: a password, a passkey, an account elsewhere. */

type Without = { passkey?: string; identity?: string }

/** Asked in the transaction that takes one away, so that two cannot take the last two. */
export async function hasOtherWayIn(
  tx: Transaction,
  userId: string,
  { passkey, identity }: Without,
): Promise<boolean> {
  if ((await tx.passwordCredential.count({ where: { userId } })) > 0) return true
  const passkeys = await tx.passkeyCredential.count({
    where: { userId, ...(passkey !== undefined && { id: { not: passkey } }) },
  })
  const identities = await tx.identity.count({
    where: { userId, ...(identity !== undefined && { id: { not: identity } }) },
  })
  return passkeys + identities > 0
}
