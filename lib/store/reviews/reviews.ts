import { z } from 'zod'
import type { Approver } from '../../access/policy'
import type { Reader, Transaction } from '../database/connection'
import { prisma, type Queries } from '../database/database'
import { type DueQuery, idsDue } from '../database/due'
import { oneOf } from '../database/json'
import { type Page, type PageAsk, pageOf } from '../database/page'
import type { ReviewScope } from './things'

/** Campaigns in which people look at access that was given. */

export const REVIEW_STATUSES = ['open', 'closing', 'closed', 'cancelled'] as const
type ReviewStatus = (typeof REVIEW_STATUSES)[number]

type Row = NonNullable<Awaited<ReturnType<Queries['review']['findFirst']>>>

export type Review = Omit<Row, 'over' | 'reviewers' | 'fallback' | 'status'> & {
  over: ReviewScope
  reviewers: Approver[]
  fallback: Approver[]
  status: ReviewStatus
}

const approvers = z.array(
  z.discriminatedUnion('type', [
    z.object({ type: z.enum(['role', 'group', 'user']), id: z.string() }),
    z.object({ type: z.literal('api_owners') }),
    z.object({ type: z.literal('manager'), attribute: z.string() }),
  ]),
)
const over = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['role', 'api', 'application', 'user', 'space']), id: z.string() }),
  z.object({ type: z.literal('portal') }),
  z.object({ type: z.literal('unused'), days: z.number() }),
])

export function toReview(row: Row): Review {
  return {
    ...row,
    over: over.parse(row.over),
    reviewers: approvers.parse(row.reviewers),
    fallback: approvers.parse(row.fallback),
    status: oneOf(REVIEW_STATUSES, row.status),
  }
}

export async function findReview(db: Reader, id: string): Promise<Review | null> {
  const row = await prisma(db).review.findUnique({ where: { id } })
  return row && toReview(row)
}

type ReviewFilters = { status?: ReviewStatus | undefined; startedBy?: string | undefined }

export async function listReviewPage(
  db: Reader,
  { status, startedBy }: ReviewFilters,
  ask: PageAsk<'createdAt' | 'deadline'>,
): Promise<Page<Review>> {
  const page = await pageOf(ask, {
    filter: {
      ...(status !== undefined && { status }),
      ...(startedBy !== undefined && { startedBy }),
    },
    sorts: { createdAt: 'date', deadline: 'date' },
    searched: ['name'],
    find: (asked) => prisma(db).review.findMany(asked),
    count: (asked) => prisma(db).review.count(asked),
  })
  return { ...page, rows: page.rows.map(toReview) }
}

/** The nearest deadline first. */
export async function listOpenReviews(db: Reader, most: number): Promise<Review[]> {
  const rows = await prisma(db).review.findMany({
    where: { status: 'open' },
    orderBy: { deadline: 'asc' },
    take: most,
  })
  return rows.map(toReview)
}

export function countOpenReviews(db: Reader, startedBy: string, most: number): Promise<number> {
  const where = { startedBy, status: { in: ['open', 'closing'] } }
  return prisma(db).review.count({ where, take: most })
}

export function countStartedSince(
  db: Reader,
  startedBy: string,
  since: Date,
  most: number,
): Promise<number> {
  return prisma(db).review.count({ where: { startedBy, createdAt: { gte: since } }, take: most })
}

// ---------------------------------------------------------------- writing

/** Until the end of the transaction, nobody else starts a review in this name. */
export async function holdStarter(
  tx: Transaction,
  { kind, id }: { kind: string; id: string },
): Promise<void> {
  const data = { version: { increment: 0 } }
  if (kind === 'user') await prisma(tx).user.updateMany({ where: { id }, data })
  else {
    const where = { OR: [{ id }, { accessKeys: { some: { id } } }] }
    await prisma(tx).application.updateMany({ where, data })
  }
}

export async function insertReview(tx: Transaction, review: Review): Promise<void> {
  const json = (value: unknown) => JSON.parse(JSON.stringify(value))
  const { over: covered, reviewers, fallback, ...row } = review
  const data = { over: json(covered), reviewers: json(reviewers), fallback: json(fallback) }
  await prisma(tx).review.create({ data: { ...row, ...data } })
}

/** Held until the end of the transaction. False if decisions are no longer taken. */
export async function holdOpen(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const open = { status: 'open' }
  const where = { id, ...open, deadline: { gt: now } }
  return (await prisma(tx).review.updateMany({ where, data: open })).count === 1
}

/** True for the one call that began to close it. From then on nobody decides. */
export async function beginClosing(
  tx: Transaction,
  id: string,
  closedBy: string | null,
): Promise<boolean> {
  const where = { id, status: 'open' }
  return (
    (await prisma(tx).review.updateMany({ where, data: { status: 'closing', closedBy } })).count ===
    1
  )
}

/** True for the one call that cancelled it. */
export async function cancelReview(
  tx: Transaction,
  id: string,
  closedBy: string,
  now: Date,
): Promise<boolean> {
  const data = { status: 'cancelled', closedBy, closedAt: now }
  return (await prisma(tx).review.updateMany({ where: { id, status: 'open' }, data })).count === 1
}

/** True for the one call that finished it. */
export async function finishClosing(
  tx: Transaction,
  { id, text, digest }: { id: string; text: string; digest: string },
  closedAt: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).review.updateMany({
    where: { id, status: 'closing' },
    data: { status: 'closed', closedAt, digest },
  })
  if (count === 0) return false
  await prisma(tx).reviewEvidence.create({ data: { reviewId: id, text } })
  return true
}

export async function findEvidence(db: Reader, reviewId: string): Promise<string | null> {
  return (await prisma(db).reviewEvidence.findUnique({ where: { reviewId } }))?.text ?? null
}

type Seal = { seq: bigint; review: string; at: Date }

/** The entry of the audit log that names this digest. */
export async function findSeal(db: Reader, digest: string): Promise<Seal | null> {
  for (let after = 0n; ; ) {
    const rows = await prisma(db).auditEntry.findMany({
      where: { event: 'review.closed', seq: { gt: after } },
      orderBy: { seq: 'asc' },
      take: SEALS_AT_ONCE,
      select: { seq: true, at: true, targetId: true, detail: true },
    })
    for (const { seq, at, targetId, detail } of rows)
      if (Object(detail).digest === digest) return { seq, at, review: targetId ?? '' }
    const last = rows.at(-1)
    if (!last || rows.length < SEALS_AT_ONCE) return null
    after = last.seq
  }
}

const SEALS_AT_ONCE = 500

// ---------------------------------------------------------------- scheduled work

export function listOverdueReviews(look: DueQuery): Promise<string[]> {
  return idsDue(look, OVERDUE, [look.now])
}

const OVERDUE = `SELECT "id" FROM "Review"
  WHERE "status" = 'closing' OR ("status" = 'open' AND "deadline" <= ?)
  ORDER BY "deadline" LIMIT ?`

export function listToRemind(look: DueQuery): Promise<string[]> {
  return idsDue(look, TO_REMIND, [look.now, look.now])
}

const TO_REMIND = `SELECT "id" FROM "Review"
  WHERE "status" = 'open' AND "remindAt" <= ? AND "deadline" > ? ORDER BY "remindAt" LIMIT ?`

/** True for the one call that reminds. */
export async function takeReminder(tx: Transaction, id: string): Promise<boolean> {
  const where = { id, status: 'open', remindAt: { not: null } }
  return (await prisma(tx).review.updateMany({ where, data: { remindAt: null } })).count === 1
}

/** Reviews that ended before this time, at most `most`, with their items and evidence. */
export async function removeOldReviews(
  tx: Transaction,
  before: Date,
  most: number,
): Promise<number> {
  const rows = await prisma(tx).review.findMany({
    where: {
      status: { in: ['closed', 'cancelled'] },
      createdAt: { lt: before },
      closedAt: { lt: before },
    },
    take: most,
    select: { id: true },
  })
  const where = { id: { in: rows.map(({ id }) => id) } }
  return (await prisma(tx).review.deleteMany({ where })).count
}
