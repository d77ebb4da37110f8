import type { Reader } from '../database/connection'
import { prisma } from '../database/database'
import { membersOf } from '../database/json'
import { toReview } from './reviews'

/** Whom open reviews name as reviewers, and what they decide about; see lib/access/deciders.ts. */

export async function listReviewersOfOpen(db: Reader) {
  const rows = await prisma(db).review.findMany({ where: { status: 'open' } })
  return rows.map(toReview).map(({ id, reviewers, fallback }) => ({ id, reviewers, fallback }))
}

/** Each kind of thing that these reviews can take away, once. */
export async function listTakenBy(db: Reader, reviewIds: readonly string[]) {
  const rows = await prisma(db).reviewItem.groupBy({
    by: ['kind', 'subjectType'],
    where: { reviewId: { in: [...reviewIds] } },
  })
  return rows.map(({ kind, subjectType }) => ({ kind, subjectType }))
}

/** The attributes of the users under review, by review and user. */
export async function listUsersUnderReview(db: Reader, reviewIds: readonly string[]) {
  const items = await prisma(db).reviewItem.findMany({
    where: { reviewId: { in: [...reviewIds] }, subjectType: 'user' },
    distinct: ['reviewId', 'subjectId'],
    select: { reviewId: true, subjectId: true },
  })
  const users = await prisma(db).user.findMany({
    where: { id: { in: [...new Set(items.map(({ subjectId }) => subjectId))] } },
    select: { id: true, attributes: true },
  })
  const attributes = new Map(users.map((user) => [user.id, membersOf(user.attributes)]))
  return items.map(({ reviewId, subjectId: userId }) => ({
    reviewId,
    userId,
    attributes: attributes.get(userId) ?? {},
  }))
}
