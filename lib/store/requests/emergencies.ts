import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { type DueQuery, idsDue } from '../database/due'
import {
  type AccessRequest,
  type AskedTogether,
  listAskedIn,
  OPENED,
  toRequest,
  WHOLE,
} from './access-requests'

/** Access that was opened in an emergency, and its reviews. */

type ByRule = Pick<AccessRequest, 'userId' | 'ruleId'>
type InApi = Pick<AccessRequest, 'userId' | 'apiId'>

/** Whether something that this user opened by this rule, or by any, is still open. */
export async function isOpenNow(
  db: Reader,
  { userId, ruleId }: Pick<ByRule, 'userId'> & Partial<ByRule>,
  now: Date,
): Promise<boolean> {
  const open = { status: 'approved', approvedUntil: { gt: now }, reviewDeadline: { not: null } }
  const where = { userId, ...(ruleId !== undefined && { ruleId }), ...open }
  return (await prisma(db).accessRequest.count({ where, take: 1 })) > 0
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

/** The oldest that nobody reviewed in time, by any rule of the API: one that is gone, too. */
export function findMissedReview(db: Reader, { userId, apiId }: InApi, now: Date) {
  return prisma(db).accessRequest.findFirst({
    where: { userId, apiId, reviewedAt: null, reviewDeadline: { lte: now } },
    orderBy: { reviewDeadline: 'asc' },
    select: { id: true, scope: true, reviewDeadline: true },
  })
}

/** The latest that was found not justified since then. */
export function findUnjustified(db: Reader, { userId, apiId }: InApi, since: Date) {
  return prisma(db).accessRequest.findFirst({
    where: { userId, apiId, justified: false, reviewedAt: { gt: since } },
    orderBy: { reviewedAt: 'desc' },
    select: { id: true, scope: true, reviewedAt: true },
  })
}

const TO_REVIEW = { reviewedAt: null, reviewDeadline: OPENED }

/** Who is asked for reviews: one for all that the same people review. */
export async function listReviewing(db: Reader, most: number): Promise<AskedTogether[]> {
  const found = await prisma(db).accessRequest.groupBy({
    by: ['askedKey'],
    where: TO_REVIEW,
    _min: { id: true },
    orderBy: { askedKey: 'asc' },
    take: most,
  })
  return listAskedIn(
    db,
    found.flatMap(({ _min }) => _min.id ?? []),
  )
}

type ToReview = {
  /** Of these reviewers; null: of all. `['']`: where it depends on who opened it. */
  askedKeys: readonly string[] | null
  /** Who did not open it. */
  userId: string
  skip?: number
  most: number
}

/** The most urgent first. */
export async function listToReview(
  db: Reader,
  { askedKeys, userId, skip = 0, most }: ToReview,
): Promise<AccessRequest[]> {
  if (askedKeys?.length === 0) return []
  const ofThem = askedKeys && { askedKey: { in: [...askedKeys] } }
  const rows = await prisma(db).accessRequest.findMany({
    where: { ...TO_REVIEW, ...ofThem, userId: { not: userId } },
    orderBy: [{ reviewDeadline: 'asc' }, { id: 'asc' }],
    skip,
    take: most,
    include: WHOLE,
  })
  return rows.map(toRequest)
}

/** IDs of those whose deadline has passed, and which nobody was told of. */
export function listReviewsMissed(look: DueQuery): Promise<string[]> {
  return idsDue(look, MISSED, [look.now])
}

const MISSED = `SELECT "id" FROM "AccessRequest"
  WHERE "reviewedAt" IS NULL AND "reviewMissedAt" IS NULL AND "reviewDeadline" <= ?
  ORDER BY "reviewDeadline" LIMIT ?`

const toRemind = (now: Date) => ({ reviewRemindAt: { lte: now }, reviewedAt: null })

/** IDs of those whose reviewers are to be reminded now, before the deadline. */
export function listToRemind(look: DueQuery): Promise<string[]> {
  return idsDue(look, TO_REMIND, [look.now, look.now])
}

const TO_REMIND = `SELECT "id" FROM "AccessRequest"
  WHERE "reviewRemindAt" <= ? AND "reviewedAt" IS NULL AND "reviewDeadline" > ?
  ORDER BY "reviewRemindAt" LIMIT ?`

/** True for the one call that may remind of it. */
export async function takeReminder(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const { count } = await prisma(tx).accessRequest.updateMany({
    where: { id, ...toRemind(now) },
    data: { reviewRemindAt: null },
  })
  return count === 1
}

type EmergencyReview = { reviewerId: string; justified: boolean; reviewReason: string }

/** True for the one call that reviewed it. `corrects`: also what was found not justified. */
export async function saveReview(
  tx: Transaction,
  id: string,
  review: EmergencyReview,
  now: Date,
  { corrects = false } = {},
): Promise<boolean> {
  const open = [{ reviewedAt: null }, ...(corrects ? [{ justified: false }] : [])]
  const { count } = await prisma(tx).accessRequest.updateMany({
    where: { id, OR: open, reviewDeadline: { not: null } },
    data: { ...review, reviewedAt: now, reviewRemindAt: null, updatedAt: now },
  })
  return count === 1
}

type Missed = {
  /** Nobody needs the review any more: it is closed. */
  apiIsGone: boolean
}

/** True for the one call that found it missing. */
export async function saveReviewMissed(
  tx: Transaction,
  id: string,
  now: Date,
  { apiIsGone }: Missed,
): Promise<boolean> {
  const { count } = await prisma(tx).accessRequest.updateMany({
    where: { id, reviewedAt: null, reviewMissedAt: null, reviewDeadline: { lte: now } },
    data: {
      reviewMissedAt: now,
      reviewRemindAt: null,
      updatedAt: now,
      ...(apiIsGone && { reviewedAt: now }),
    },
  })
  return count === 1
}
