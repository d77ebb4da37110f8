import { removeDecisionsOf } from '../audit/stored-decisions'
import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'

/** Users who asked to delete their account, while it waits and when it is due. */

/** True for the one call that began it. */
export async function scheduleDeletion(
  tx: Transaction,
  id: string,
  deleteAfter: Date,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).user.updateMany({
    where: { id, deleteAfter: null },
    data: { deleteAfter, updatedAt: now, version: { increment: 1 } },
  })
  return count === 1
}

/** True for the one call that stopped it in time. */
export async function stopLeaving(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const { count } = await prisma(tx).user.updateMany({
    where: { id, deleteAfter: { gt: now } },
    data: { deleteAfter: null, updatedAt: now, version: { increment: 1 } },
  })
  return count === 1
}

export async function listDueToLeave(db: Reader, now: Date, most: number): Promise<string[]> {
  const rows = await prisma(db).user.findMany({
    where: { deleteAfter: { lte: now } },
    select: { id: true },
    orderBy: { deleteAfter: 'asc' },
    take: most,
  })
  return rows.map(({ id }) => id)
}

/**
 * Deletes the user with everything that depends on it; true for one of several server processes.
 */
export async function removeDue(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const { count } = await prisma(tx).user.deleteMany({ where: { id, deleteAfter: { lte: now } } })
  if (count === 1) await removeDecisionsOf(tx, id)
  return count === 1
}

/** Whether the account is about to be deleted. */
export async function isLeaving(db: Reader, id: string): Promise<boolean> {
  return (await prisma(db).user.count({ where: { id, deleteAfter: { not: null } } })) > 0
}
