import type { Reader } from '../database/connection'
import { prisma } from '../database/database'

/** Those of these reviews that are about one of these APIs. */
export async function listAboutApis(
  db: Reader,
  reviewIds: readonly string[],
  apis: Iterable<string>,
): Promise<string[]> {
  const rows = await prisma(db).reviewItem.groupBy({
    by: ['reviewId'],
    where: { reviewId: { in: [...reviewIds] }, apiId: { in: [...apis] } },
  })
  return rows.map(({ reviewId }) => reviewId)
}

/** Those of these reviews in which this person decides as somebody's manager. */
export async function listManaged(
  db: Reader,
  reviewIds: readonly string[],
  managerId: string,
): Promise<string[]> {
  const rows = await prisma(db).reviewItem.groupBy({
    by: ['reviewId'],
    where: { reviewId: { in: [...reviewIds] }, managerId },
  })
  return rows.map(({ reviewId }) => reviewId)
}
