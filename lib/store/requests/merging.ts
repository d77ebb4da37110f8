import { DbNull } from '@prisma/client/runtime/client'
import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { type AccessRequest, askedKeyOf, termsIn, toRequest, WHOLE } from './access-requests'

/** What two accounts of one person asked for and decided, when one is merged into the other. */

export type Pair = { kept: string; gone: string }

export async function hasOpenEmergency(
  db: Reader,
  { kept, gone }: Pair,
  now: Date,
): Promise<boolean> {
  const open = { status: 'approved', approvedUntil: { gt: now }, reviewDeadline: { not: null } }
  const where = { userId: { in: [kept, gone] }, ...open }
  return (await prisma(db).accessRequest.count({ where, take: 1 })) > 0
}

const votedBy = (approverId: string) => ({ votes: { some: { approverId } } })
const approvedBy = (approverId: string) => ({ votes: { some: { approverId, approved: true } } })

export type Entangled = {
  /** Waiting, and asked for by the account that goes, decided by the other, or voted on by both. */
  waiting: AccessRequest[]
  /** In force, and approved by the other account. */
  approved: AccessRequest[]
  /** Opened in an emergency, and found justified by the other account. */
  reviewed: string[]
}

/** What one person would have decided for themself, or twice. */
export async function listEntangled(
  db: Reader,
  { kept, gone }: Pair,
  now: Date,
): Promise<Entangled> {
  const { accessRequest } = prisma(db)
  const [byKept, byGone] = [{ userId: kept }, { userId: gone }]
  const theirs = [byGone, { ...byKept, ...votedBy(gone) }]
  const waiting = await accessRequest.findMany({
    where: { status: 'pending', OR: [...theirs, { AND: [votedBy(kept), votedBy(gone)] }] },
    include: WHOLE,
    orderBy: { id: 'asc' },
  })
  const crossed = [
    { ...byKept, ...approvedBy(gone) },
    { ...byGone, ...approvedBy(kept) },
  ]
  const approved = await accessRequest.findMany({
    where: { status: 'approved', approvedUntil: { gt: now }, OR: crossed },
    include: WHOLE,
    orderBy: { id: 'asc' },
  })
  const reviews = [
    { ...byKept, reviewerId: gone },
    { ...byGone, reviewerId: kept },
  ]
  const reviewed = await accessRequest.findMany({
    where: { justified: true, OR: reviews },
    select: { id: true },
    orderBy: { id: 'asc' },
  })
  return {
    waiting: waiting.map(toRequest),
    approved: approved.map(toRequest),
    reviewed: reviewed.map(({ id }) => id),
  }
}

/** Somebody else reviews it again: it is as overdue as it was. */
export async function reopenReviews(
  tx: Transaction,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  const open = { reviewedAt: null, reviewerId: null, justified: null, reviewReason: null }
  await prisma(tx).accessRequest.updateMany({
    where: { id: { in: [...ids] } },
    data: { ...open, updatedAt: now },
  })
}

/** What was asked for, decided and reviewed; of two votes of one person in a stage, one stays. */
export async function moveRequests(tx: Transaction, { kept, gone }: Pair): Promise<void> {
  const { accessRequest, accessVote } = prisma(tx)
  await accessRequest.updateMany({ where: { userId: gone }, data: { userId: kept } })
  await accessRequest.updateMany({ where: { reviewerId: gone }, data: { reviewerId: kept } })
  await prisma(tx).$executeRaw`
    DELETE FROM "AccessVote" WHERE "approverId" = ${gone} AND EXISTS (
      SELECT 1 FROM "AccessVote" o WHERE o."requestId" = "AccessVote"."requestId"
        AND o."stage" = "AccessVote"."stage" AND o."approverId" = ${kept})`
  await accessVote.updateMany({ where: { approverId: gone }, data: { approverId: kept } })
}

// ---------------------------------------------------------------- named in person

/** The same value with the other ID wherever somebody is named. */
export function renamed(value: unknown, { kept, gone }: Pair) {
  return JSON.parse(JSON.stringify(value), (key, one) =>
    key === 'id' && one === gone ? kept : one,
  )
}

export function isNamedIn(value: unknown, id: string): boolean {
  return JSON.stringify(value).includes(`"id":${JSON.stringify(id)}`)
}

export async function listRulesNaming(db: Reader, id: string) {
  const rules = await prisma(db).requestRule.findMany({
    select: { id: true, name: true, version: true, stages: true, emergency: true },
    orderBy: { id: 'asc' },
  })
  return rules.filter(({ stages, emergency }) => isNamedIn([stages, emergency], id))
}

/** Rules and what waits under them name the account that stays. */
export async function renameApprovers(tx: Transaction, pair: Pair, now: Date): Promise<void> {
  for (const { id, stages, emergency } of await listRulesNaming(tx, pair.gone)) {
    const data = {
      stages: renamed(stages, pair),
      emergency: emergency === null ? DbNull : renamed(emergency, pair),
    }
    await prisma(tx).requestRule.update({
      where: { id },
      data: { ...data, updatedAt: now, version: { increment: 1 } },
    })
  }
  for (const id of await waitingFor(tx, pair.gone)) {
    const asked = { apiId: true, terms: true, stage: true, escalated: true } as const
    const row = await prisma(tx).accessRequest.findUniqueOrThrow({ where: { id }, select: asked })
    const terms = renamed(row.terms, pair)
    const askedKey = askedKeyOf({ ...row, terms: termsIn(terms) })
    await prisma(tx).accessRequest.update({ where: { id }, data: { terms, askedKey } })
  }
}

/** What waits for a decision or a review, and may name them. */
async function waitingFor(db: Reader, id: string): Promise<string[]> {
  const rows = await prisma(db).$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "AccessRequest"
    WHERE ("status" = 'pending' OR ("reviewedAt" IS NULL AND "reviewDeadline" IS NOT NULL))
      AND CAST("terms" AS TEXT) LIKE ${`%${id}%`}`
  return rows.map((row) => row.id)
}
