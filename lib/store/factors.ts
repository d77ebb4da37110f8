import type { Database } from './database'

/** An authenticator app is asked for at every sign-in with the password; a passkey stands alone. */
export async function hasFactor(db: Database, userId: string): Promise<boolean> {
  return (await db.totpCredential.count({ where: { userId, confirmedAt: { not: null } } })) > 0
}
