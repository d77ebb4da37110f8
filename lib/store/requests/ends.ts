import type { Transaction } from '../database/connection'
import { prisma } from '../database/database'
import type { AccessRequest } from './access-requests'

/** Requests that end with the API that they were about, and requests that nobody needs any more. */

const AT_ONCE = 500

/** What somebody had opened alone, and the grants that it gave. */
export type EndedAlone = Pick<
  AccessRequest,
  'id' | 'userId' | 'applicationId' | 'scope' | 'decisionId' | 'resourceId' | 'ruleId'
> & { grants: string[] }

const ENDED = {
  id: true,
  userId: true,
  applicationId: true,
  scope: true,
  decisionId: true,
  resourceId: true,
  ruleId: true,
  reviewDeadline: true,
} as const

/**
 * Their APIs are being deleted: what is pending about them is settled with the next pass, and what
 * was given ends, so that an API that takes the name later finds nothing. A review that is missing
 * gives nobody a right back any more. Returns what had been opened in an emergency.
 */
export async function endRequestsOf(
  tx: Transaction,
  apiIds: readonly string[],
  now: Date,
): Promise<EndedAlone[]> {
  if (apiIds.length === 0) return []
  const theirs = { apiId: { in: [...apiIds] } }
  const over = { stageDeadline: now, expiresAt: now }
  await prisma(tx).accessRequest.updateMany({ where: { ...theirs, status: 'pending' }, data: over })
  const missing = { ...theirs, reviewedAt: null, reviewMissedAt: { not: null } }
  await prisma(tx).accessRequest.updateMany({ where: missing, data: { reviewedAt: now } })
  const inForce = { ...theirs, status: 'approved', approvedUntil: { gt: now } }
  const alone: EndedAlone[] = []
  for (let found = AT_ONCE; found === AT_ONCE; ) {
    const given = await prisma(tx).accessRequest.findMany({
      where: inForce,
      select: ENDED,
      take: AT_ONCE,
    })
    const grants = await endGiven(tx, given, now)
    for (const { reviewDeadline, ...request } of given)
      if (reviewDeadline !== null) alone.push({ ...request, grants: grants.get(request.id) ?? [] })
    found = given.length
  }
  return alone
}

/** Returns the IDs of the removed grants, by request. */
async function endGiven(
  tx: Transaction,
  given: readonly { id: string }[],
  now: Date,
): Promise<Map<string, string[]>> {
  const ids = given.map(({ id }) => id)
  await prisma(tx).accessRequest.updateMany({
    where: { id: { in: ids } },
    data: { approvedUntil: now },
  })
  const where = { requestId: { in: ids } }
  const grants = await prisma(tx).grant.findMany({ where, select: { id: true, requestId: true } })
  await prisma(tx).grant.deleteMany({ where })
  const byRequest = new Map<string, string[]>(ids.map((id) => [id, []]))
  for (const { id, requestId } of grants) byRequest.get(requestId ?? '')?.push(id)
  return byRequest
}

/**
 * Requests that were made before this time and are over. What still counts is not forgotten: it can
 * be taken back. Nor is a review that is missing, and one that found something wrong counts for its
 * own time.
 */
export async function removeOldRequests(tx: Transaction, before: Date): Promise<number> {
  const { count } = await prisma(tx).accessRequest.deleteMany({
    where: {
      createdAt: { lt: before },
      status: { not: 'pending' },
      AND: [
        { OR: [{ status: { not: 'approved' } }, { approvedUntil: { lt: before } }] },
        { OR: [{ reviewDeadline: null }, { justified: true }, { reviewedAt: { lt: before } }] },
      ],
    },
  })
  return count
}
