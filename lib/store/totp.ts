import type { Database, Transaction } from './database'

/** Authenticator apps. A step of the clock is used once: one conditional statement (M6). */

export type StoredTotp = { id: string; secretEncrypted: string }

export function totpStore(db: Database) {
  return {
    async listConfirmed(userId: string): Promise<StoredTotp[]> {
      return db.totpCredential.findMany({
        where: { userId, confirmedAt: { not: null } },
        select: { id: true, secretEncrypted: true },
      })
    },

    async anyConfirmed(userId: string): Promise<boolean> {
      return (await db.totpCredential.count({ where: { userId, confirmedAt: { not: null } } })) > 0
    },
  }
}

export type TotpStore = ReturnType<typeof totpStore>

/** True for exactly one caller with this step, or a later one. */
export async function spendStep(
  tx: Transaction,
  id: string,
  step: number,
  now: Date,
): Promise<boolean> {
  const { count } = await tx.totpCredential.updateMany({
    where: { id, lastStep: { lt: step } },
    data: { lastStep: step, lastUsedAt: now },
  })
  return count === 1
}

type NewTotp = { id: string; userId: string; name: string; secretEncrypted: string }

export async function createTotp(tx: Transaction, totp: NewTotp, now: Date): Promise<void> {
  await tx.totpCredential.create({ data: { ...totp, createdAt: now } })
}

/** The first code proves that the app has the secret; it counts from then on. */
export async function confirmTotp(
  tx: Transaction,
  id: string,
  step: number,
  now: Date,
): Promise<boolean> {
  const { count } = await tx.totpCredential.updateMany({
    where: { id, confirmedAt: null },
    data: { confirmedAt: now, lastStep: step },
  })
  return count === 1
}
