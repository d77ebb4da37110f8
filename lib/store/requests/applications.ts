import type { Transaction } from '../database/connection'
import { prisma } from '../database/database'

/** What becomes of access requests when the application that they came from goes. */

const ofApplication = (applicationId: string) => ({ applicationId })

/**
 * Requests outlive their application: what they gave to the user can be taken back, and what was
 * opened in an emergency is reviewed. What is pending about it is settled with the next pass.
 */
export async function detachRequests(
  tx: Transaction,
  applicationId: string,
  now: Date,
): Promise<void> {
  const theirs = ofApplication(applicationId)
  const over = { stageDeadline: now, expiresAt: now }
  await prisma(tx).accessRequest.updateMany({ where: { ...theirs, status: 'pending' }, data: over })
  await prisma(tx).accessRequest.updateMany({ where: theirs, data: { applicationId: null } })
}

type ApprovedRequests = Awaited<ReturnType<typeof listApproved>>

/** What approved requests gave to an application or to its users in it, and still counts. */
export async function listApproved(tx: Transaction, applicationId: string, now: Date) {
  const theirs = ofApplication(applicationId)
  const requests = await prisma(tx).accessRequest.findMany({
    where: { ...theirs, status: 'approved', approvedUntil: { gt: now } },
    select: { id: true },
  })
  const grants = await prisma(tx).grant.findMany({
    where: { ...theirs, requestId: { not: null }, validUntil: { gt: now } },
  })
  return { requests: requests.map(({ id }) => id), grants }
}

const AT_ONCE = 500

/** The application was made anew, with the same ID. */
export async function restoreApproved(
  tx: Transaction,
  applicationId: string,
  { requests, grants }: ApprovedRequests,
): Promise<void> {
  for (let at = 0; at < requests.length; at += AT_ONCE) {
    const id = { in: requests.slice(at, at + AT_ONCE) }
    await prisma(tx).accessRequest.updateMany({ where: { id }, data: { applicationId } })
  }
  if (grants.length > 0) await prisma(tx).grant.createMany({ data: grants })
}
