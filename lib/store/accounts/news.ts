import type { DatabaseKind, Reader, Transaction } from '../database/connection'
import { prisma, readPlain } from '../database/database'

/** What happened to an account without its user: decided requests, reviews, new devices. */

export type Since = { userId: string; sessionId: string; since: Date; now: Date }

const MOST_LISTED = 20
/** The page counts no further. */
const MOST_NEWS = 10

const WHERE = {
  AccessRequest: `"userId" = ? AND "status" IN ('approved', 'denied', 'expired', 'failed')
    AND ("decidedAt" > ? AND "emergency" = false OR "approvedUntil" > ? AND "approvedUntil" <= ?)`,
  ReviewItem: `"subjectId" = ? AND "outcome" IN ('removed', 'narrowed') AND "appliedAt" > ?`,
  Session: `"userId" = ? AND "newDevice" = true AND "createdAt" > ? AND "id" <> ?`,
}

const COUNT = `SELECT ${Object.entries(WHERE)
  .map(([table, where]) => {
    const some = `SELECT 1 FROM "${table}" WHERE ${where} LIMIT ${MOST_NEWS}`
    return `(SELECT count(*) FROM (${some}) AS "of${table}")`
  })
  .join(' + ')} AS "count"`

/** One statement over indexes that begin with the user. */
export async function countNews(
  db: Reader,
  kind: DatabaseKind,
  { userId, sessionId, since, now }: Since,
): Promise<number> {
  const ofRequests = [userId, since, since, now]
  const values = [...ofRequests, userId, since, userId, since, sessionId]
  const [row] = await readPlain(db, kind, COUNT, values)
  return Math.min(MOST_NEWS, Number(row?.count ?? 0))
}

export function listDecidedRequests(db: Reader, { userId, since, now }: Since) {
  return prisma(db).accessRequest.findMany({
    where: {
      userId,
      status: { in: ['approved', 'denied', 'expired', 'failed'] },
      OR: [
        { decidedAt: { gt: since }, emergency: false },
        { approvedUntil: { gt: since, lte: now } },
      ],
    },
    select: { id: true, scope: true, status: true, decidedAt: true, approvedUntil: true },
    orderBy: { createdAt: 'desc' },
    take: MOST_LISTED,
  })
}

export function listTakenByReviews(db: Reader, { userId, since }: Since) {
  return prisma(db).reviewItem.findMany({
    where: {
      subjectId: userId,
      outcome: { in: ['removed', 'narrowed'] },
      appliedAt: { gt: since },
    },
    select: { id: true, outcome: true, appliedAt: true, review: { select: { name: true } } },
    orderBy: { id: 'desc' },
    take: MOST_LISTED,
  })
}

export function listNewDevices(db: Reader, { userId, sessionId, since }: Since) {
  return prisma(db).session.findMany({
    where: { userId, newDevice: true, createdAt: { gt: since }, id: { not: sessionId } },
    select: { id: true, userAgent: true, createdAt: true },
    orderBy: { createdAt: 'desc' },
    take: MOST_LISTED,
  })
}

/** Never back in time: an older page does not make unread what a newer one showed. */
export async function markNewsRead(tx: Transaction, id: string, at: Date): Promise<void> {
  await prisma(tx).user.updateMany({
    where: { id, OR: [{ newsReadAt: null }, { newsReadAt: { lt: at } }] },
    data: { newsReadAt: at },
  })
}
