import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { membersOf } from '../database/json'

/** Changes that an agent asked for and its user confirms: single use, for a few minutes. */

export type PendingChange = {
  id: string
  userId: string
  applicationId: string
  applicationName: string
  tool: string
  arguments: Record<string, unknown>
  createdAt: Date
  expiresAt: Date
  /** Null as long as the user has not answered. */
  confirmed: boolean | null
  policyVersion: number | null
}

const WITH_NAME = { application: { select: { name: true } } } as const

type Found = NonNullable<Awaited<ReturnType<typeof findRow>>>

function findRow(
  db: Reader,
  where: { id: string } | { digest: string },
  userId: string,
  now: Date,
) {
  return prisma(db).pendingChange.findFirst({
    where: { ...where, userId, usedAt: null, expiresAt: { gt: now } },
    orderBy: { createdAt: 'desc' },
    include: WITH_NAME,
  })
}

/** Null if it was used, has expired or belongs to somebody else. */
export async function findPendingChange(
  db: Reader,
  where: { id: string } | { digest: string },
  userId: string,
  now: Date,
): Promise<PendingChange | null> {
  const row = await findRow(db, where, userId, now)
  return row && toChange(row)
}

function toChange({ application, ...row }: Found): PendingChange {
  return { ...row, applicationName: application.name, arguments: membersOf(row.arguments) }
}

/** Those that the user has not answered yet, newest first. Their number is limited. */
export async function listUnanswered(
  db: Reader,
  userId: string,
  now: Date,
): Promise<PendingChange[]> {
  const rows = await prisma(db).pendingChange.findMany({
    where: { userId, answeredAt: null, usedAt: null, expiresAt: { gt: now } },
    orderBy: { createdAt: 'desc' },
    include: WITH_NAME,
  })
  return rows.map(toChange)
}

/** How many the user has not answered yet. */
export function countUnanswered(db: Reader, userId: string, now: Date): Promise<number> {
  return prisma(db).pendingChange.count({
    where: { userId, answeredAt: null, expiresAt: { gt: now } },
  })
}

type New = Pick<
  PendingChange,
  'id' | 'userId' | 'applicationId' | 'tool' | 'createdAt' | 'expiresAt'
> & { digest: string; arguments: Readonly<Record<string, unknown>> }

export async function insertPendingChange(tx: Transaction, change: New): Promise<void> {
  const data = { ...change, arguments: JSON.parse(JSON.stringify(change.arguments)) }
  await prisma(tx).pendingChange.create({ data })
}

type Answer = { confirmed: boolean; policyVersion: number }

/** True for the one answer that counts. */
export async function answerPendingChange(
  tx: Transaction,
  id: string,
  userId: string,
  { confirmed, policyVersion }: Answer,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).pendingChange.updateMany({
    where: { id, userId, answeredAt: null, usedAt: null, expiresAt: { gt: now } },
    data: { answeredAt: now, confirmed, policyVersion },
  })
  return count === 1
}

/** True for exactly one caller, who may make the change. */
export async function consumePendingChange(
  tx: Transaction,
  id: string,
  policyVersion: number,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).pendingChange.updateMany({
    where: { id, confirmed: true, policyVersion, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  })
  return count === 1
}

/** It was confirmed for a policy that is no longer the present one. */
export async function forgetPendingChange(tx: Transaction, id: string, now: Date): Promise<void> {
  await prisma(tx).pendingChange.updateMany({
    where: { id, usedAt: null },
    data: { usedAt: now },
  })
}
