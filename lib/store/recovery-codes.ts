import type { Database, Transaction } from './database'

/** Recovery codes: only their hashes, each spent by one conditional statement (attack M6). */

export function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  return db.recoveryCode.count({ where: { userId, usedAt: null } })
}

/** The old ones are gone, used or not. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  userId: string,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.recoveryCode.createMany({
    data: hashes.map((codeHash) => ({ codeHash, userId, createdAt: now })),
  })
}

/** True for exactly one caller. */
export async function spendRecoveryCode(
  tx: Transaction,
  userId: string,
  codeHash: string,
  now: Date,
): Promise<boolean> {
  const { count } = await tx.recoveryCode.updateMany({
    where: { codeHash, userId, usedAt: null },
    data: { usedAt: now },
  })
  return count === 1
}
