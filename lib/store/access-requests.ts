import { z } from 'zod'
import type { Lacking } from '../access/next-action'
import { askedAbout, type RequestTerms } from '../access/request-rules'
import { sha256 } from '../crypto/secrets'
import { calledIn } from './approvers'
import type { DatabaseKind, Reader, Transaction } from './connection'
import { type Prisma, prisma, type Queries, readPlain } from './database'
import { idsDue, type Look } from './due'
import { oneOf, stringList } from './json'
import { type Page, type PageAsk, pageOf } from './page'
import { emergencyIn, stagesIn } from './request-rules'
import { textIn } from './sql'

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
  lacks: Lacking[]
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

function termsIn(value: unknown): RequestTerms {
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

// ---------------------------------------------------------------- who is asked

type Asking = Pick<AccessRequest, 'apiId' | 'terms' | 'stage' | 'escalated'>

/**
 * The same for all requests that the same people decide about now, or review. Empty where that
 * depends on who asks.
 */
function askedKeyOf(request: Asking): string {
  const approvers = askedAbout(request)
  if (approvers.some(({ type }) => type === 'manager')) return ''
  return sha256(JSON.stringify([request.apiId, approvers]))
}

const ASKED = `
  SELECT "askedKey", MIN("id") AS "id" FROM "AccessRequest"
  WHERE "status" = 'pending' AND "askedKey" > ? GROUP BY "askedKey" ORDER BY "askedKey" LIMIT ?`

export type AskedTogether = Asking & { askedKey: string }

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
      ...{ status: 'pending', askedKey: { in: [...askedKeys] }, expiresAt: { gt: now } },
      ...{ userId: { not: userId }, votes: { none: { approverId: userId } } },
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

type Same = Pick<AccessRequest, 'userId' | 'applicationId' | 'scope' | 'resourceId' | 'lacks'>

/** Whether earlier requests gave it to each of those who lack it, and it still counts. */
export async function isGivenAlready(
  db: Reader,
  { userId, applicationId, scope, resourceId, lacks }: Same,
  now: Date,
): Promise<boolean> {
  const given = await prisma(db).accessRequest.findMany({
    where: {
      ...{ userId, applicationId, scope, resourceId },
      ...{ status: 'approved', approvedUntil: { gt: now } },
    },
    select: { id: true },
    take: MOST_GIVEN,
  })
  if (given.length === 0) return false
  const alive = { requestId: { in: given.map(({ id }) => id) }, validUntil: { gt: now } }
  for (const who of lacks) {
    const holder = who === 'user' ? { userId } : { applicationId }
    if ((await prisma(db).grant.count({ where: { ...alive, ...holder }, take: 1 })) === 0)
      return false
  }
  return true
}

const MOST_GIVEN = 100

// ---------------------------------------------------------------- writing

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
  request: AtStage & Asking,
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
export function listOverdue(look: Look): Promise<string[]> {
  return idsDue(look, OVERDUE, [look.now, look.now])
}

const OVERDUE = `SELECT "id" FROM "AccessRequest"
  WHERE "status" = 'pending' AND ("stageDeadline" <= ? OR "expiresAt" <= ?)
  ORDER BY "stageDeadline" LIMIT ?`

const AT_ONCE = 500

/** What somebody had opened alone, and the grants that it gave. */
export type EndedAlone = Pick<
  AccessRequest,
  'id' | 'userId' | 'applicationId' | 'scope' | 'decisionId' | 'resourceId' | 'ruleId'
> & { grants: string[] }

const ENDED = {
  ...{ id: true, userId: true, applicationId: true, scope: true, decisionId: true },
  ...{ resourceId: true, ruleId: true, reviewDeadline: true },
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
      ...{ createdAt: { lt: before }, status: { not: 'pending' } },
      AND: [
        { OR: [{ status: { not: 'approved' } }, { approvedUntil: { lt: before } }] },
        { OR: [{ reviewDeadline: null }, { justified: true }, { reviewedAt: { lt: before } }] },
      ],
    },
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

/** Counts up to `most`. */
export function countHeld(
  db: Reader,
  holder: { userId: string } | { applicationId: string },
  most: number,
): Promise<number> {
  return prisma(db).grant.count({ where: holder, take: most })
}

/** The permission belongs to another API meanwhile, or to none. */
export async function isGone(
  db: Reader,
  { apiId, scope }: Pick<AccessRequest, 'apiId' | 'scope'>,
): Promise<boolean> {
  return (await prisma(db).permissionItem.count({ where: { key: scope, apiId } })) === 0
}

/**
 * Holds the permission and the application until the end of the transaction: whoever deletes one of
 * them or the API waits, and then finds what was given. False if the permission belongs to another
 * API meanwhile, or if one of them is gone.
 */
export async function holdAsked(
  tx: Transaction,
  { apiId, scope: key, applicationId }: Pick<AccessRequest, 'apiId' | 'scope' | 'applicationId'>,
): Promise<boolean> {
  const { count } = await prisma(tx).permissionItem.updateMany({
    where: { key, apiId },
    data: { key },
  })
  if (count === 0 || applicationId === null) return count === 1
  const held = await prisma(tx)
    .$executeRaw`UPDATE "Application" SET "updatedAt" = "updatedAt" WHERE "id" = ${applicationId}`
  return held === 1
}

export type Agreed = {
  userId: string
  applicationId: string
  scope: string
  /** The token grant for which the application asked; null if there was none yet. */
  tokenGrantId: string | null
}

/**
 * The user asks for it in person, which is their consent. The refresh token that it was refused to
 * gets it as soon as it is given. Whatever the user takes back later stays taken back.
 */
export async function consentTo(tx: Transaction, agreed: Agreed, now: Date): Promise<void> {
  const { userId, applicationId, scope, tokenGrantId } = agreed
  const key = { userId, applicationId, scope }
  const whose = { userId, applicationId }
  const paused = await prisma(tx).consent.findFirst({
    where: { ...whose, pausedAt: { not: null } },
    select: { pausedAt: true },
  })
  const had = await prisma(tx).consent.findUnique({ where: { userId_applicationId_scope: key } })
  // What they allowed before stays, however the request ends.
  if (had?.granted !== true) {
    await prisma(tx).consent.upsert({
      where: { userId_applicationId_scope: key },
      create: { ...key, granted: true, decidedAt: now, pausedAt: paused?.pausedAt ?? null },
      update: { granted: true, decidedAt: now },
    })
  }
  if (tokenGrantId === null) return
  const open = { id: tokenGrantId, ...whose, offline: true, revokedAt: null }
  // Held before it is read: of two at once, the second adds to what the first has added.
  const { count } = await prisma(tx).tokenGrant.updateMany({
    where: open,
    data: { revokedAt: null },
  })
  if (count === 0) return
  const { scopes } = await prisma(tx).tokenGrant.findUniqueOrThrow({
    where: { id: tokenGrantId },
    select: { scopes: true },
  })
  const all = stringList(scopes)
  if (all.includes(scope)) return
  await prisma(tx).tokenGrant.update({
    where: { id: tokenGrantId },
    data: { scopes: [...all, scope] },
  })
}
