import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'

/** Recovery codes: only their hashes, each used up by one conditional statement (attack M6). */

export function countRecoveryCodes(db: Reader, userId: string): Promise<number> {
  return prisma(db).recoveryCode.count({ where: { userId, usedAt: null } })
}

/** The old ones are deleted, used or not. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  userId: string,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  await prisma(tx).recoveryCode.deleteMany({ where: { userId } })
  await prisma(tx).recoveryCode.createMany({
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
  const { count } = await prisma(tx).recoveryCode.updateMany({
    where: { codeHash, userId, usedAt: null },
    data: { usedAt: now },
  })
  return count === 1
}
