import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'

/** Filters of the audit log that a user has saved. */

const VIEW_FIELDS = { id: true, name: true, query: true, createdAt: true } as const

export type AuditView = { id: string; name: string; query: string; createdAt: Date }

export function auditViewsOf(db: Reader, userId: string): Promise<AuditView[]> {
  return prisma(db).auditView.findMany({
    where: { userId },
    select: VIEW_FIELDS,
    orderBy: { name: 'asc' },
  })
}

export function countAuditViews(tx: Transaction, userId: string): Promise<number> {
  return prisma(tx).auditView.count({ where: { userId } })
}

export async function insertAuditView(
  tx: Transaction,
  userId: string,
  view: AuditView,
): Promise<void> {
  await prisma(tx).auditView.create({ data: { ...view, userId } })
}

/** False if it does not exist, or belongs to another user. */
export async function removeAuditView(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<boolean> {
  return (await prisma(tx).auditView.deleteMany({ where: { id, userId } })).count === 1
}
