import type { Database } from './database'

/** An authenticator app or a passkey: anything that stands beside the password. */
export async function hasFactor(db: Database, userId: string): Promise<boolean> {
  const apps = await db.totpCredential.count({ where: { userId, confirmedAt: { not: null } } })
  return apps > 0 || (await db.passkeyCredential.count({ where: { userId } })) > 0
}
