import { z } from 'zod'
import type { Lacking } from '../access/next-action'
import type { RequestTerms } from '../access/request-rules'
import { calledIn } from './approvers'
import type { Reader, Transaction } from './connection'
import { type Prisma, prisma, type Queries } from './database'
import { oneOf, stringList } from './json'
import { type Page, type PageAsk, pageOf } from './page'
import { stagesIn } from './request-rules'

/** Requests for access, and the votes about them. */

export const REQUEST_STATUSES = [
  'pending',
  'approved',
  'denied',
  'expired',
  'cancelled',
  'failed',
] as const
export type RequestStatus = (typeof REQUEST_STATUSES)[number]

const NAMED = { id: true, name: true, email: true, username: true } as const
const WHOLE = {
  user: { select: NAMED },
  application: { select: { id: true, name: true } },
  votes: { include: { approver: { select: NAMED } }, orderBy: { at: 'asc' } },
} as const

type Stored = NonNullable<Awaited<ReturnType<Queries['accessRequest']['findFirst']>>>
type Found = NonNullable<Awaited<ReturnType<typeof findRow>>>

export type Vote = {
  stage: number
  approver: { id: string; name: string }
  approved: boolean
  reason: string | null
  until: Date | null
  at: Date
}

export type AccessRequest = Omit<Stored, 'status' | 'terms' | 'lacks'> & {
  status: RequestStatus
  terms: RequestTerms
  lacks: Lacking[]
  user: { id: string; name: string }
  application: { id: string; name: string } | null
  votes: Vote[]
}

const terms = z.object({
  name: z.string(),
  reasonRequired: z.boolean(),
  maxSeconds: z.number(),
  stages: z.unknown(),
})

function toRequest({ user, application, votes, ...row }: Found): AccessRequest {
  const kept = terms.parse(row.terms)
  return {
    ...row,
    status: oneOf(REQUEST_STATUSES, row.status),
    terms: { ...kept, stages: stagesIn(kept.stages) },
    lacks: stringList(row.lacks).map((one) => oneOf(['user', 'application'], one)),
    user: { id: user.id, name: calledIn(user.id, user) },
    application,
    votes: votes.map(({ stage, approver, approved, reason, until, at }) => ({
      ...{ stage, approved, reason, until, at },
      approver: { id: approver.id, name: calledIn(approver.id, approver) },
    })),
  }
}

function findRow(db: Reader, where: { id: string } | { pendingKey: string }) {
  return prisma(db).accessRequest.findUnique({ where, include: WHOLE })
}

export async function findAccessRequest(
  db: Reader,
  where: { id: string } | { pendingKey: string },
): Promise<AccessRequest | null> {
  const row = await findRow(db, where)
  return row && toRequest(row)
}

export type RequestFilters = {
  userId?: string | undefined
  status?: RequestStatus | undefined
  apiId?: string | undefined
}

export async function listRequestPage(
  db: Reader,
  { userId, status, apiId }: RequestFilters,
  ask: PageAsk<'createdAt'>,
): Promise<Page<AccessRequest>> {
  const filter: Prisma.AccessRequestWhereInput = {
    ...(userId !== undefined && { userId }),
    ...(status !== undefined && { status }),
    ...(apiId !== undefined && { apiId }),
  }
  const page = await pageOf(ask, {
    filter,
    sorts: { createdAt: 'date' },
    searched: ['scope'],
    find: (asked) => prisma(db).accessRequest.findMany({ ...asked, include: WHOLE }),
    count: (asked) => prisma(db).accessRequest.count(asked),
  })
  return { ...page, rows: page.rows.map(toRequest) }
}

/** Of others than this user, the oldest first. */
export async function listPending(
  db: Reader,
  notOf: string,
  now: Date,
  most: number,
): Promise<AccessRequest[]> {
  const rows = await prisma(db).accessRequest.findMany({
    where: { status: 'pending', userId: { not: notOf }, expiresAt: { gt: now } },
    orderBy: { stageDeadline: 'asc' },
    take: most,
    include: WHOLE,
  })
  return rows.map(toRequest)
}

/** What this user asked for before, the newest first. */
export function listAskedBefore(db: Reader, { id, userId }: AccessRequest, most: number) {
  return prisma(db).accessRequest.findMany({
    where: { userId, id: { not: id } },
    orderBy: { createdAt: 'desc' },
    take: most,
    select: { id: true, scope: true, status: true, createdAt: true, decidedAt: true },
  })
}

export function countPending(db: Reader, userId: string, most: number): Promise<number> {
  return prisma(db).accessRequest.count({ where: { userId, status: 'pending' }, take: most })
}

// ---------------------------------------------------------------- writing

export type NewRequest = Omit<AccessRequest, 'user' | 'application' | 'votes' | 'updatedAt'>

/** Refused by the database while the same is pending: see `isUniqueViolation`. */
export async function insertAccessRequest(tx: Transaction, request: NewRequest): Promise<void> {
  const data = {
    ...request,
    terms: JSON.parse(JSON.stringify(request.terms)),
    updatedAt: request.createdAt,
  }
  await prisma(tx).accessRequest.create({ data })
}

type AtStage = { id: string; stage: number }

/**
 * Holds the request until the end of the transaction, so that votes are counted one after the
 * other. False if it is over or has moved on.
 */
export async function holdRequest(
  tx: Transaction,
  { id, stage }: AtStage,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).accessRequest.updateMany({
    where: { id, stage, status: 'pending', expiresAt: { gt: now } },
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

export function listVotes(tx: Transaction, { id: requestId, stage }: AtStage) {
  return prisma(tx).accessVote.findMany({ where: { requestId, stage } })
}

/** The ends that approvers asked for, in all stages. */
export async function listEnds(tx: Transaction, requestId: string): Promise<Date[]> {
  const rows = await prisma(tx).accessVote.findMany({
    where: { requestId, approved: true, until: { not: null } },
    select: { until: true },
  })
  return rows.flatMap(({ until }) => until ?? [])
}

/** True for the one call that ended it. */
export async function finishRequest(
  tx: Transaction,
  { id, stage }: AtStage,
  status: Exclude<RequestStatus, 'pending'>,
  now: Date,
  approvedUntil: Date | null = null,
): Promise<boolean> {
  const { count } = await prisma(tx).accessRequest.updateMany({
    where: { id, stage, status: 'pending' },
    data: { status, pendingKey: null, decidedAt: now, updatedAt: now, approvedUntil },
  })
  return count === 1
}

/** True for the one call that moved it on. */
export async function moveRequest(
  tx: Transaction,
  { id, stage, escalated }: AtStage & { escalated: boolean },
  to: { stage: number; escalated: boolean; stageDeadline: Date },
  now: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).accessRequest.updateMany({
    where: { id, stage, escalated, status: 'pending' },
    data: { ...to, updatedAt: now },
  })
  return count === 1
}

/** Pending requests whose stage or whose time is over. */
export async function listOverdue(db: Reader, now: Date, most: number): Promise<AccessRequest[]> {
  const rows = await prisma(db).accessRequest.findMany({
    where: {
      status: 'pending',
      OR: [{ stageDeadline: { lte: now } }, { expiresAt: { lte: now } }],
    },
    orderBy: { stageDeadline: 'asc' },
    take: most,
    include: WHOLE,
  })
  return rows.map(toRequest)
}

/** Requests that were decided before this time. */
export async function removeOldRequests(tx: Transaction, before: Date): Promise<number> {
  const { count } = await prisma(tx).accessRequest.deleteMany({
    where: { createdAt: { lt: before }, status: { not: 'pending' } },
  })
  return count
}

// ---------------------------------------------------------------- what an approval gives

export type GivenGrant = {
  id: string
  requestId: string
  pattern: string
  condition: string | null
  validUntil: Date
} & ({ userId: string } | { applicationId: string })

export async function insertGiven(
  tx: Transaction,
  grants: readonly GivenGrant[],
  now: Date,
): Promise<void> {
  const stamps = { effect: 'allow', createdAt: now, updatedAt: now }
  for (const grant of grants) await prisma(tx).grant.create({ data: { ...grant, ...stamps } })
}

const MOST_TOKEN_GRANTS = 200

/**
 * The user asked for it, which is their consent; refresh tokens of the application get it with
 * their next use.
 */
export async function consentTo(
  tx: Transaction,
  { userId, applicationId, scope }: { userId: string; applicationId: string; scope: string },
  now: Date,
): Promise<void> {
  const key = { userId, applicationId, scope }
  await prisma(tx).consent.upsert({
    where: { userId_applicationId_scope: key },
    create: { ...key, granted: true, decidedAt: now },
    update: { granted: true, decidedAt: now },
  })
  const open = await prisma(tx).tokenGrant.findMany({
    where: { userId, applicationId, offline: true, revokedAt: null, expiresAt: { gt: now } },
    select: { id: true, scopes: true },
    take: MOST_TOKEN_GRANTS,
  })
  for (const { id, scopes } of open) {
    const had = stringList(scopes)
    if (had.includes(scope)) continue
    await prisma(tx).tokenGrant.update({ where: { id }, data: { scopes: [...had, scope] } })
  }
}
