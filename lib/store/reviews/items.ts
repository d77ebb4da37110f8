import { DbNull } from '@prisma/client/runtime/client'
import { z } from 'zod'
import type { Transaction } from '../database/connection'
import { prisma, type Queries } from '../database/database'
import { oneOf, stringList, stringListOrNull } from '../database/json'
import { SUBJECT_TYPES, THING_KINDS, type Thing } from './things'

/** What a review looks at, what was decided about it, and what came of that. */

export const DECISIONS = ['keep', 'narrow', 'remove'] as const
export type Decision = (typeof DECISIONS)[number]

export const REASONS = ['unused', 'used', 'partly', 'recent', 'unknown'] as const
export const OUTCOMES = ['kept', 'narrowed', 'removed', 'changed', 'gone', 'refused'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Its use according to the log of decisions, and what follows from it. */
export type Facts = {
  lastUsedAt: Date | null
  /** Null: its use is not known. */
  useKnownSince: Date | null
  used: string[]
  suggestion: Decision | null
  reason: (typeof REASONS)[number]
  /** The suggested patterns. */
  narrowTo: string[]
}

export type NewItem = Thing &
  Facts & {
    id: string
    apiId: string | null
    portal: boolean
    sensitive: boolean
    managerId: string | null
    byFallback: boolean
  }

export type ReviewItem = NewItem & {
  reviewId: string
  decision: Decision | null
  decidedTo: string[] | null
  decidedUntil: Date | null
  comment: string | null
  decidedBy: string | null
  decidedAt: Date | null
  outcome: Outcome | null
  outcomeReason: string | null
  appliedAt: Date | null
}

type Row = NonNullable<Awaited<ReturnType<Queries['reviewItem']['findFirst']>>>

const terms = z.object({
  instance: z.string().nullable(),
  condition: z.string().nullable(),
  validFrom: z.string().nullable(),
  validUntil: z.string().nullable(),
  exchangeFrom: z.string().nullable(),
  requestId: z.string().nullable(),
})

export function toItem({ subjectType, subjectId, ...row }: Row): ReviewItem {
  return {
    ...row,
    kind: oneOf(THING_KINDS, row.kind),
    subject: { type: oneOf(SUBJECT_TYPES, subjectType), id: subjectId },
    terms: terms.parse(row.terms),
    used: stringList(row.used),
    suggestion: row.suggestion === null ? null : oneOf(DECISIONS, row.suggestion),
    reason: oneOf(REASONS, row.reason),
    narrowTo: stringList(row.narrowTo),
    decision: row.decision === null ? null : oneOf(DECISIONS, row.decision),
    decidedTo: stringListOrNull(row.decidedTo),
    outcome: row.outcome === null ? null : oneOf(OUTCOMES, row.outcome),
  }
}

const INSERTED_AT_ONCE = 200

export async function insertItems(
  tx: Transaction,
  reviewId: string,
  items: readonly NewItem[],
): Promise<void> {
  for (let at = 0; at < items.length; at += INSERTED_AT_ONCE) {
    const data = items.slice(at, at + INSERTED_AT_ONCE).map(({ subject, ...item }) => ({
      ...item,
      reviewId,
      subjectType: subject.type,
      subjectId: subject.id,
    }))
    await prisma(tx).reviewItem.createMany({ data })
  }
}

// ---------------------------------------------------------------- writing

export type ItemDecision = {
  decision: Decision
  decidedTo: string[] | null
  decidedUntil: Date | null
  comment: string | null
  decidedBy: string
  decidedAt: Date
}

/** Within a transaction that holds the open review. */
export async function decideItem(
  tx: Transaction,
  { id, reviewId }: Pick<ReviewItem, 'id' | 'reviewId'>,
  { decidedTo, ...decided }: ItemDecision,
): Promise<void> {
  const data = { ...decided, decidedTo: decidedTo ?? DbNull }
  await prisma(tx).reviewItem.updateMany({ where: { id, reviewId }, data })
}

/** Who decides about it from now on; not once it is decided. */
export async function placeItem(
  tx: Transaction,
  id: string,
  place: Pick<NewItem, 'managerId' | 'byFallback'>,
): Promise<void> {
  const { managerId, byFallback } = place
  await prisma(tx).reviewItem.updateMany({
    where: { id, decision: null, outcome: null },
    data: { managerId, byFallback },
  })
}

/** True for the one call that ended it. */
export async function endItem(
  tx: Transaction,
  id: string,
  { outcome, reason }: { outcome: Outcome; reason: string | null },
  appliedAt: Date,
): Promise<boolean> {
  const { count } = await prisma(tx).reviewItem.updateMany({
    where: { id, outcome: null },
    data: { outcome, outcomeReason: reason, appliedAt },
  })
  return count === 1
}
