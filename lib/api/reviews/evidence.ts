import { createHash } from 'node:crypto'
import { type Cell, toCsv } from '../../base/csv'
import type { ReviewItem } from '../../store/reviews/items'
import type { Review } from '../../store/reviews/reviews'
import { iso } from '../http/schemas'

/**
 * Who decided what, when, and on which facts. It names people by ID, as the audit log does, so it
 * stays as it is when an account is deleted. The audit log has its digest.
 */

const EVIDENCE_FORMAT = 'gatehouse-access-review/1'

export function evidenceText(
  origin: string,
  review: Review,
  items: readonly ReviewItem[],
  closedAt: Date,
): string {
  const { id, name, over, reviewers, fallback, startedBy, itemCount, leftOut, closedBy } = review
  const document = {
    format: EVIDENCE_FORMAT,
    portal: origin,
    review: {
      id,
      name,
      over,
      reviewers,
      fallback,
      startedBy,
      startedAt: iso(review.createdAt),
      deadline: iso(review.deadline),
      closedBy,
      closedAt: iso(closedAt),
      itemCount,
      leftOut,
    },
    items: items.map(lineOf),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

export function digestOf(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex')
}

function lineOf(item: ReviewItem) {
  const { id, kind, subject, gives, terms, used, suggestion, reason, decision, outcome } = item
  return {
    id,
    kind,
    target: item.targetId,
    targetVersion: item.targetVersion,
    subjectType: subject.type,
    subject: subject.id,
    application: item.applicationId,
    api: item.apiId,
    portal: item.portal,
    sensitive: item.sensitive,
    gives,
    ...terms,
    since: iso(item.since),
    givenBy: item.givenBy,
    lastUsedAt: iso(item.lastUsedAt),
    useKnownSince: iso(item.useKnownSince),
    used,
    suggestion,
    reason,
    suggestedTo: item.narrowTo,
    decision,
    narrowedTo: item.decidedTo,
    until: iso(item.decidedUntil),
    comment: item.comment,
    decidedBy: item.decidedBy,
    decidedAt: iso(item.decidedAt),
    outcome,
    outcomeReason: item.outcomeReason,
    appliedAt: iso(item.appliedAt),
  }
}

type Document = { items: Record<string, unknown>[] }

/** The items of the evidence as a table. */
export function evidenceCsv(text: string): string {
  // Only `evidenceText` writes it.
  const { items } = JSON.parse(text) as Document
  const columns = Object.keys(items[0] ?? {})
  return toCsv(
    columns,
    items.map((item) => columns.map((column) => cellOf(item[column]))),
  )
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  return Array.isArray(value) ? value.join(' ') : typeof value === 'number' ? value : String(value)
}
