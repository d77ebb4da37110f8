import { z } from 'zod'
import { DAY_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { namesOf } from '../../store/database/names'
import { findApiById } from '../../store/permissions/apis'
import { findSpace } from '../../store/permissions/spaces'
import { DECISIONS, OUTCOMES, REASONS, type ReviewItem } from '../../store/reviews/items'
import {
  countByEnd,
  countItems,
  type DecisionCount,
  type ReviewerPowers,
} from '../../store/reviews/lists'
import { REVIEW_STATUSES, type Review } from '../../store/reviews/reviews'
import { SUBJECT_TYPES, THING_KINDS } from '../../store/reviews/things'
import { wireOf } from '../http/wire'
import { approverWire } from '../requests/approver-schema'
import { canHaveEnd, canHavePatterns } from './decide'

/** A review and its items as their readers see them. Names are those of today. */

const actorWire = z.object({
  type: z.enum(['user', 'client', 'system']),
  id: z.string(),
  name: z.string(),
})

const overWire = z.object({
  type: z.enum(['role', 'api', 'application', 'user', 'space', 'portal', 'unused']),
  id: z.string().nullable(),
  name: z.string().nullable(),
  days: z.number().nullable(),
})

export const reviewSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z
    .enum(REVIEW_STATUSES)
    .describe('`closing`: nobody decides any more, and the decisions are carried out'),
  over: overWire,
  reviewers: z.array(approverWire),
  fallback: z.array(approverWire),
  startedBy: actorWire,
  createdAt: z.string(),
  deadline: z.string().describe('What is not decided by then is removed'),
  closedBy: actorWire.nullable().describe('Null: the deadline, or it is open'),
  closedAt: z.string().nullable(),
  digest: z.string().nullable().describe('SHA-256 of the evidence, as in the audit log'),
  counts: z.object({
    items: z.number(),
    undecided: z.number(),
    keep: z.number(),
    narrow: z.number(),
    remove: z.number(),
    outcomes: z.partialRecord(z.enum(OUTCOMES), z.number()),
    mine: z.number().describe('What the caller may decide about'),
    mineUndecided: z.number(),
  }),
  leftOut: z
    .number()
    .describe(
      'What is no part of this: the starter could not take it away, or, in a review of what was not used, its use is not known',
    ),
  may: z.object({ decide: z.boolean(), close: z.boolean(), cancel: z.boolean() }),
})
export type ReviewWire = z.infer<typeof reviewSchema>

export const itemSchema = z.object({
  id: z.string(),
  kind: z.enum(THING_KINDS),
  subject: z.object({ type: z.enum(SUBJECT_TYPES), id: z.string(), name: z.string() }),
  application: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .describe('The application, also of an access key'),
  gives: z.object({
    type: z.enum(['role', 'permission', 'admin_role']),
    id: z.string().describe('ID of the role, the permission or pattern, or the admin role'),
    name: z.string(),
  }),
  target: z.string().describe('ID of the assignment or the grant; of an admin role, the user'),
  instance: z.string().nullable(),
  condition: z.string().nullable(),
  exchangeFrom: z.string().nullable(),
  request: z.string().nullable().describe('The access request that gave it'),
  portal: z.boolean().describe('Access to the portal itself'),
  sensitive: z
    .boolean()
    .describe('To keep it, a second factor or a passkey must have been used in the last minutes'),
  since: z.string(),
  validFrom: z.string().nullable(),
  endsAt: z.string().nullable(),
  givenBy: actorWire.nullable().describe('Null: not known'),
  lastUsedAt: z.string().nullable(),
  useKnownSince: z.string().nullable().describe('Null: its use is not known'),
  used: z.array(z.string()).describe('The permissions that were used since then'),
  unusedDays: z.number().nullable().describe('Whole days without use; null if it was used'),
  suggestion: z.enum(DECISIONS).nullable(),
  reason: z.enum(REASONS),
  narrowTo: z.array(z.string()).describe('The suggested permissions'),
  decision: z.enum(DECISIONS).nullable(),
  decidedTo: z.array(z.string()).nullable(),
  decidedUntil: z.string().nullable(),
  comment: z.string().nullable(),
  decidedBy: z.object({ id: z.string(), name: z.string() }).nullable(),
  decidedAt: z.string().nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  outcomeReason: z
    .string()
    .nullable()
    .describe('`silence`, `authority`, `last_owner` or another code'),
  appliedAt: z.string().nullable(),
  may: z.object({
    decide: z.boolean(),
    narrowEnd: z.boolean().describe('An earlier end can be set'),
    narrowPatterns: z.boolean().describe('Fewer permissions can be chosen'),
  }),
})
export type ReviewItemWire = z.infer<typeof itemSchema>

type Names = ReadonlyMap<string, string>

function actorIn(text: string, names: Names): z.infer<typeof actorWire> {
  const at = text.indexOf(':')
  const [kind, id] = [text.slice(0, at), text.slice(at + 1)]
  const type = kind === 'user' || kind === 'client' ? kind : 'system'
  return { type, id, name: names.get(id) ?? id }
}

/** IDs contain their kind, so it does no harm to look among both. */
function idsIn(actors: readonly (string | null)[]): { users: string[]; applications: string[] } {
  const ids = actors.flatMap((text) => (text === null ? [] : text.slice(text.indexOf(':') + 1)))
  return { users: ids, applications: ids }
}

// ---------------------------------------------------------------- a review

type ReviewViewer = { mine: ReviewerPowers | null; mayManage: boolean }

export async function reviewToWire(
  op: Op,
  review: Review,
  { mine, mayManage }: ReviewViewer,
): Promise<ReviewWire> {
  const { id, status, startedBy, closedBy } = review
  const names = await op.read((db) => namesOf(db, idsIn([startedBy, closedBy])))
  const isOpen = status === 'open' && review.deadline > op.now()
  const counted = await op.read((db) => countByEnd(db, id))
  const count = (decided?: false) =>
    mine ? op.read((db) => countItems(db, { reviewId: id, mine, decided })) : 0
  const theirs = { mine: await count(), mineUndecided: await count(false) }
  return wireOf(reviewSchema, review, {
    over: await overToWire(op, review),
    startedBy: actorIn(startedBy, names),
    closedBy: closedBy === null ? null : actorIn(closedBy, names),
    counts: { ...sum(counted), ...theirs },
    may: {
      decide: isOpen && theirs.mine > 0,
      close: mayManage && status === 'open' && sum(counted).undecided === 0,
      cancel: mayManage && status === 'open',
    },
  })
}

function sum(counted: readonly DecisionCount[]) {
  const of = (wanted: DecisionCount['decision']) =>
    counted.filter(({ decision }) => decision === wanted).reduce((all, { count }) => all + count, 0)
  const outcomes: ReviewWire['counts']['outcomes'] = {}
  for (const { outcome, count } of counted)
    if (outcome !== null) outcomes[outcome] = (outcomes[outcome] ?? 0) + count
  const parts = {
    undecided: of(null),
    keep: of('keep'),
    narrow: of('narrow'),
    remove: of('remove'),
  }
  const items = counted.reduce((all, { count }) => all + count, 0)
  return { items, ...parts, outcomes }
}

async function overToWire(op: Op, { over }: Review): Promise<ReviewWire['over']> {
  const nothing = { id: null, name: null, days: null }
  if (over.type === 'unused') return { ...nothing, type: over.type, days: over.days }
  if (over.type === 'portal') return { ...nothing, type: over.type }
  const { type, id } = over
  return { ...nothing, type, id, name: await nameOf(op, type, id) }
}

function nameOf(op: Op, type: string, id: string): Promise<string> {
  return op.read(async (db) => {
    if (type === 'api') return (await findApiById(db, id))?.name ?? id
    if (type === 'space') return (await findSpace(db, id))?.name ?? id
    const ids = [id]
    const names = await namesOf(db, { users: ids, applications: ids, roles: ids })
    return names.get(id) ?? id
  })
}

// ---------------------------------------------------------------- items

export async function itemsToWire(
  op: Op,
  items: readonly ReviewItem[],
  mine: ReadonlySet<string>,
): Promise<ReviewItemWire[]> {
  const ids = items.map(({ subject }) => subject.id)
  const actors = idsIn(items.map(({ givenBy }) => givenBy))
  const deciders = items.flatMap(({ decidedBy }) => decidedBy ?? [])
  const names = await op.readReplica((db) =>
    namesOf(db, {
      users: [...ids, ...actors.users, ...deciders],
      groups: ids,
      applications: [...ids, ...actors.applications, ...applicationsIn(items)],
      accessKeys: ids,
      roles: [...ids, ...items.map(({ gives }) => gives)],
    }),
  )
  return items.map((item) => itemToWire(item, names, mine.has(item.id), op.now()))
}

function applicationsIn(items: readonly ReviewItem[]): string[] {
  return items.flatMap(({ applicationId }) => applicationId ?? [])
}

const GIVES = { assignment: 'role', grant: 'permission', admin_role: 'admin_role' } as const

function itemToWire(item: ReviewItem, names: Names, isMine: boolean, now: Date): ReviewItemWire {
  const { kind, subject, applicationId, gives, terms, givenBy, decidedBy } = item
  const named = (one: string) => ({ id: one, name: names.get(one) ?? one })
  const { instance, condition, exchangeFrom, validFrom, requestId: request } = terms
  return wireOf(itemSchema, item, {
    subject: { type: subject.type, ...named(subject.id) },
    application: applicationId === null ? null : named(applicationId),
    gives: { type: GIVES[kind], ...named(gives) },
    target: item.targetId,
    instance,
    condition,
    exchangeFrom,
    request,
    validFrom,
    givenBy: givenBy === null ? null : actorIn(givenBy, names),
    unusedDays: unusedDays(item, now),
    decidedBy: decidedBy === null ? null : named(decidedBy),
    may: {
      decide: isMine,
      narrowEnd: isMine && canHaveEnd(item),
      narrowPatterns: isMine && canHavePatterns(item),
    },
  })
}

/** As far as is known: since it was given, or since the log begins. */
function unusedDays({ lastUsedAt, useKnownSince, since }: ReviewItem, now: Date): number | null {
  if (lastUsedAt !== null || useKnownSince === null) return null
  const from = Math.max(useKnownSince.getTime(), since.getTime())
  return Math.max(0, Math.floor((now.getTime() - from) / DAY_MS))
}
