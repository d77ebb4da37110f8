import { z } from 'zod'
import type { LackingParty } from '../../access/next-action'
import type { RequestTerms } from '../../access/policy'
import { askedAbout } from '../../access/request-rules'
import { sha256 } from '../../crypto/secrets'
import type { DatabaseKind, Reader } from '../database/connection'
import { type Prisma, prisma, type Queries, readPlain } from '../database/database'
import { oneOf, stringList } from '../database/json'
import { type Page, type PageAsk, pageOf } from '../database/page'
import { textIn } from '../database/sql'
import { calledIn } from './approvers'
import { emergencyIn, stagesIn } from './rules'

/** Requests for access with the votes about them, as they are read. */

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
export const WHOLE = {
  user: { select: NAMED },
  application: { select: { id: true, name: true } },
  reviewer: { select: NAMED },
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

export type AccessRequest = Omit<Stored, 'status' | 'terms' | 'lacks' | 'askedKey'> & {
  status: RequestStatus
  terms: RequestTerms
  lacks: LackingParty[]
  user: { id: string; name: string }
  application: { id: string; name: string } | null
  reviewer: { id: string; name: string } | null
  votes: Vote[]
}

const terms = z.object({
  name: z.string(),
  reasonRequired: z.boolean(),
  maxSeconds: z.number(),
  stages: z.unknown(),
  emergency: z.unknown(),
})

export function termsIn(value: unknown): RequestTerms {
  const kept = terms.parse(value)
  return { ...kept, stages: stagesIn(kept.stages), emergency: emergencyIn(kept.emergency) }
}

export function toRequest(found: Found): AccessRequest {
  const { user, application, reviewer, votes, askedKey: _, ...row } = found
  return {
    ...row,
    status: oneOf(REQUEST_STATUSES, row.status),
    terms: termsIn(row.terms),
    lacks: stringList(row.lacks).map((one) => oneOf(['user', 'application'], one)),
    user: { id: user.id, name: calledIn(user.id, user) },
    application,
    reviewer: reviewer && { id: reviewer.id, name: calledIn(reviewer.id, reviewer) },
    votes: votes.map(({ stage, approver, approved, reason, until, at }) => ({
      stage,
      approved,
      reason,
      until,
      at,
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

const MOST_OPEN = 100

/** Requests of a user that nobody has decided; counted up to a limit. */
export function countOpenRequests(db: Reader, userId: string): Promise<number> {
  return prisma(db).accessRequest.count({ where: { userId, status: 'pending' }, take: MOST_OPEN })
}

export const EMERGENCY_REVIEWS = ['open', 'overdue', 'done'] as const

type RequestFilters = {
  userId?: string | undefined
  status?: RequestStatus | undefined
  apiId?: string | undefined
  /** Still pending although nobody decided in the time of its step. */
  overdue?: boolean
  /** Only what was opened in an emergency. */
  review?: (typeof EMERGENCY_REVIEWS)[number] | undefined
}

/** Not null, as a range of the index: most requests were not opened in an emergency. */
export const OPENED = { gt: new Date(0) }

const OF_REVIEW = {
  open: { reviewedAt: null, reviewDeadline: OPENED },
  overdue: { reviewedAt: null, reviewDeadline: OPENED, reviewMissedAt: { not: null } },
  done: { reviewedAt: { not: null }, reviewDeadline: OPENED },
} as const

export async function listRequestPage(
  db: Reader,
  { userId, status, apiId, overdue, review }: RequestFilters,
  ask: PageAsk<'createdAt'>,
): Promise<Page<AccessRequest>> {
  const filter: Prisma.AccessRequestWhereInput = {
    ...(userId !== undefined && { userId }),
    ...(status !== undefined && { status }),
    ...(apiId !== undefined && { apiId }),
    // Whatever is not escalated ends with its step.
    ...(overdue && { AND: { status: 'pending', escalated: true } }),
    ...(review !== undefined && OF_REVIEW[review]),
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

// ---------------------------------------------------------------- who is asked

export type OpenRequest = Pick<AccessRequest, 'apiId' | 'terms' | 'stage' | 'escalated'>

/**
 * The same for all requests that the same people decide about now, or review. Empty where that
 * depends on who asks.
 */
export function askedKeyOf(request: OpenRequest): string {
  const approvers = askedAbout(request)
  if (approvers.some(({ type }) => type === 'manager')) return ''
  return sha256(JSON.stringify([request.apiId, approvers]))
}

const ASKED = `
  SELECT "askedKey", MIN("id") AS "id" FROM "AccessRequest"
  WHERE "status" = 'pending' AND "askedKey" > ? GROUP BY "askedKey" ORDER BY "askedKey" LIMIT ?`

/** The terms that what is pending was asked under, in the order of IDs. */
export async function listPendingTerms(
  db: Reader,
  after: string,
  most: number,
): Promise<{ id: string; terms: RequestTerms }[]> {
  const rows = await prisma(db).accessRequest.findMany({
    where: { status: 'pending', id: { gt: after } },
    orderBy: { id: 'asc' },
    select: { id: true, terms: true },
    take: most,
  })
  return rows.map(({ id, terms }) => ({ id, terms: termsIn(terms) }))
}

export type AskedTogether = OpenRequest & { askedKey: string }

/** Who is asked about what is pending: one for all that the same approvers decide about. */
export async function listAsked(
  db: Reader,
  kind: DatabaseKind,
  most: number,
): Promise<AskedTogether[]> {
  const found = await readPlain(db, kind, ASKED, ['', most])
  return listAskedIn(
    db,
    found.map(({ id }) => textIn(id)),
  )
}

export async function listAskedIn(db: Reader, ids: readonly string[]): Promise<AskedTogether[]> {
  if (ids.length === 0) return []
  const rows = await prisma(db).accessRequest.findMany({
    where: { id: { in: [...ids] } },
    select: { askedKey: true, apiId: true, terms: true, stage: true, escalated: true },
  })
  return rows.map((row) => ({ ...row, terms: termsIn(row.terms) }))
}

type Waiting = {
  /** Of these approvers; `['']`: where it depends on who asks. */
  askedKeys: readonly string[]
  /** Who has not voted, and did not ask. */
  userId: string
  now: Date
  skip?: number
  most: number
}

/** The most urgent first. */
export async function listWaiting(
  db: Reader,
  { askedKeys, userId, now, skip = 0, most }: Waiting,
): Promise<AccessRequest[]> {
  if (askedKeys.length === 0) return []
  const rows = await prisma(db).accessRequest.findMany({
    where: {
      status: 'pending',
      askedKey: { in: [...askedKeys] },
      expiresAt: { gt: now },
      userId: { not: userId },
      votes: { none: { approverId: userId } },
    },
    orderBy: [{ stageDeadline: 'asc' }, { id: 'asc' }],
    skip,
    take: most,
    include: WHOLE,
  })
  return rows.map(toRequest)
}

/** What this user asked for before, the newest first. */
export async function listAskedBefore(db: Reader, { id, userId }: AccessRequest, most: number) {
  const opened = { reviewDeadline: true, justified: true }
  const rows = await prisma(db).accessRequest.findMany({
    where: { userId, id: { not: id } },
    orderBy: { createdAt: 'desc' },
    take: most,
    select: { id: true, scope: true, status: true, createdAt: true, decidedAt: true, ...opened },
  })
  return rows.map((row) => ({ ...row, status: oneOf(REQUEST_STATUSES, row.status) }))
}

/** By the user in person, or by one client for them. */
type AskedBy = Pick<AccessRequest, 'userId' | 'madeBy'>

export function countPending(
  db: Reader,
  { userId, madeBy }: AskedBy,
  most: number,
): Promise<number> {
  const where = { userId, madeBy, status: 'pending' }
  return prisma(db).accessRequest.count({ where, take: most })
}

/** However they ended. */
export function countAskedSince(
  db: Reader,
  { userId, madeBy }: AskedBy,
  since: Date,
  most: number,
): Promise<number> {
  const where = { userId, madeBy, createdAt: { gt: since } }
  return prisma(db).accessRequest.count({ where, take: most })
}
