import type { Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { type DueQuery, idsDue } from '../database/due'
import {
  type AccessRequest,
  askedKeyOf,
  type OpenRequest,
  type RequestStatus,
  type Vote,
} from './access-requests'

/** The steps of a request for access: it is made, voted on, moved on, and over. */

export type NewRequest = Omit<
  AccessRequest,
  'user' | 'application' | 'reviewer' | 'votes' | 'updatedAt'
>

/** Of two requests of one user at once, the second sees the first. False if they are disabled. */
export async function holdAsker(tx: Transaction, id: string): Promise<boolean> {
  const enabled = { disabledAt: null }
  const { count } = await prisma(tx).user.updateMany({ where: { id, ...enabled }, data: enabled })
  return count === 1
}

/** Refused by the database while the same is pending. */
export async function insertAccessRequest(tx: Transaction, request: NewRequest): Promise<void> {
  const data = {
    ...request,
    terms: JSON.parse(JSON.stringify(request.terms)),
    askedKey: askedKeyOf(request),
    updatedAt: request.createdAt,
  }
  await prisma(tx).accessRequest.create({ data })
}

type AtStage = { id: string; stage: number }

/**
 * Holds the request until the end of the transaction, so that votes are counted one after the
 * other. False if it is over or has moved on, or if others are to be asked instead.
 */
export async function holdRequest(
  tx: Transaction,
  { id, stage }: AtStage,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).accessRequest.updateMany({
    where: { id, stage, status: 'pending', expiresAt: { gt: now }, stageDeadline: { gt: now } },
    data: { updatedAt: now },
  })
  return count === 1
}

export async function insertVote(
  tx: Transaction,
  vote: AtStage & Omit<Vote, 'approver' | 'stage'> & { approverId: string },
): Promise<void> {
  const { id: requestId, ...data } = vote
  await prisma(tx).accessVote.create({ data: { requestId, ...data } })
}

/** In all stages. */
export function listVotes(tx: Transaction, requestId: string) {
  return prisma(tx).accessVote.findMany({ where: { requestId } })
}

/** The ends that approvers asked for, in all stages. */
export async function listEnds(tx: Transaction, requestId: string): Promise<Date[]> {
  const rows = await prisma(tx).accessVote.findMany({
    where: { requestId, approved: true, until: { not: null } },
    select: { until: true },
  })
  return rows.flatMap(({ until }) => until ?? [])
}

type Ending = AtStage &
  Pick<AccessRequest, 'userId' | 'applicationId' | 'scope' | 'madeBy' | 'createdAt'>

/** True for the one call that ended it. What is not given is not consented to either. */
export async function finishRequest(
  tx: Transaction,
  request: Ending,
  status: Exclude<RequestStatus, 'pending'>,
  now: Date,
  approvedUntil: Date | null = null,
): Promise<boolean> {
  const { id, stage } = request
  const { count } = await prisma(tx).accessRequest.updateMany({
    where: { id, stage, status: 'pending' },
    data: { status, pendingKey: null, decidedAt: now, updatedAt: now, approvedUntil },
  })
  if (count === 1 && status !== 'approved') await takeConsentBack(tx, request)
  return count === 1
}

/** The consent that asking was, and no other: that one is as old as the request. */
async function takeConsentBack(tx: Transaction, request: Ending): Promise<void> {
  const { userId, applicationId, scope, madeBy, createdAt: decidedAt } = request
  if (applicationId === null || madeBy !== null) return
  await prisma(tx).consent.deleteMany({ where: { userId, applicationId, scope, decidedAt } })
}

/** True for the one call that moved it on. */
export async function moveRequest(
  tx: Transaction,
  request: AtStage & OpenRequest,
  to: { stage: number; escalated: boolean; stageDeadline: Date; approvedUntil?: Date | null },
  now: Date,
): Promise<boolean> {
  const { id, stage, escalated } = request
  const askedKey = askedKeyOf({ ...request, ...to })
  const { count } = await prisma(tx).accessRequest.updateMany({
    where: { id, stage, escalated, status: 'pending' },
    data: { ...to, askedKey, updatedAt: now },
  })
  return count === 1
}

/** IDs of pending requests whose stage or whose time is over. */
export function listOverdue(look: DueQuery): Promise<string[]> {
  return idsDue(look, OVERDUE, [look.now, look.now])
}

const OVERDUE = `SELECT "id" FROM "AccessRequest"
  WHERE "status" = 'pending' AND ("stageDeadline" <= ? OR "expiresAt" <= ?)
  ORDER BY "stageDeadline" LIMIT ?`
