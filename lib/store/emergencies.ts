import { type AccessRequest, toRequest, WHOLE } from './access-requests'
import type { Reader, Transaction } from './connection'
import { prisma } from './database'

/** Access that was opened in an emergency, and its reviews. */

type Opener = Pick<AccessRequest, 'userId' | 'ruleId'>

/** Whether something that this user opened by this rule is still open. */
export async function isOpenNow(db: Reader, who: Opener, now: Date): Promise<boolean> {
  const { userId, ruleId } = who
  const open = { status: 'approved', approvedUntil: { gt: now }, reviewDeadline: { not: null } }
  return (await prisma(db).accessRequest.count({ where: { userId, ruleId, ...open }, take: 1 })) > 0
}

/** By any rule. */
export function countOpenedSince(
  db: Reader,
  userId: string,
  since: Date,
  most: number,
): Promise<number> {
  const where = { userId, createdAt: { gt: since }, reviewDeadline: { not: null } }
  return prisma(db).accessRequest.count({ where, take: most })
}

/** The oldest that nobody reviewed in time. */
export function findMissedReview(db: Reader, { userId, ruleId }: Opener, now: Date) {
  return prisma(db).accessRequest.findFirst({
    where: { userId, ruleId, reviewedAt: null, reviewDeadline: { lte: now } },
    orderBy: { reviewDeadline: 'asc' },
    select: { id: true, scope: true, reviewDeadline: true },
  })
}

/** Not null, as a range of the index: most requests were not opened in an emergency. */
const OPENED = { gt: new Date(0) }

/** Of others than this user, the most urgent first. */
export async function listToReview(
  db: Reader,
  notOf: string,
  most: number,
): Promise<AccessRequest[]> {
  const rows = await prisma(db).accessRequest.findMany({
    where: { reviewedAt: null, reviewDeadline: OPENED, userId: { not: notOf } },
    orderBy: { reviewDeadline: 'asc' },
    take: most,
    include: WHOLE,
  })
  return rows.map(toRequest)
}

/** IDs of those whose deadline has passed, and which nobody was told of. */
export async function listReviewsMissed(db: Reader, now: Date, most: number): Promise<string[]> {
  const rows = await prisma(db).accessRequest.findMany({
    where: { reviewedAt: null, reviewMissedAt: null, reviewDeadline: { lte: now } },
    orderBy: { reviewDeadline: 'asc' },
    take: most,
    select: { id: true },
  })
  return rows.map(({ id }) => id)
}

export type Reviewed = { reviewerId: string; justified: boolean; reviewReason: string }

/** True for the one call that reviewed it. */
export async function saveReview(
  tx: Transaction,
  id: string,
  review: Reviewed,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).accessRequest.updateMany({
    where: { id, reviewedAt: null, reviewDeadline: { not: null } },
    data: { ...review, reviewedAt: now, updatedAt: now },
  })
  return count === 1
}

/** True for the one call that found it missing. */
export async function saveReviewMissed(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const { count } = await prisma(tx).accessRequest.updateMany({
    where: { id, reviewedAt: null, reviewMissedAt: null, reviewDeadline: { lte: now } },
    data: { reviewMissedAt: now, updatedAt: now },
  })
  return count === 1
}
