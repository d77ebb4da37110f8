import { z } from 'zod'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { DECISIONS, OUTCOMES } from '../../store/reviews/items'
import { countItems, listItemPage, listItems } from '../../store/reviews/lists'
import {
  findEvidence,
  listOpenReviews,
  listReviewPage,
  REVIEW_STATUSES,
} from '../../store/reviews/reviews'
import { actorOf } from '../http/caller'
import { type Call, operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { notFound, Problem } from '../http/problem'
import { dateOf, dateSchema, idSchema, patternSchema, wordsSchema } from '../http/schemas'
import { seesAll } from '../requests/seen'
import { candidatesFor } from './candidates'
import { cancelNow, closeNow, goOnClosing } from './close'
import { decideItems } from './decide'
import { evidenceCsv } from './evidence'
import { decidesIn } from './reviewers'
import {
  decidesNow,
  isStarter,
  requireManager,
  requireVisible,
  SCOPE,
  theirsOf,
  wireFor,
  wireOf,
  wiresFor,
} from './visible'
import { itemSchema, itemsToWire, reviewSchema } from './wire'

/** Campaigns: each thing that gives access is kept, narrowed or removed. Silence removes. */

const MAX_LISTED = 100
const MAX_LOOKED_AT = 20
const MAX_DECISIONS = 200
const CLOSING_MS = 5_000

// ---------------------------------------------------------------- reading

export const listAccessReviews = operation({
  id: 'listAccessReviews',
  method: 'GET',
  path: '/reviews',
  summary: 'List reviews: those to decide, those that the caller started, or all for admins',
  scope: SCOPE,
  query: listQuery(['createdAt', 'deadline'], {
    view: z
      .enum(['decide', 'started', 'all'])
      .optional()
      .describe('Default: `decide` for a user, `all` for an application'),
    status: z.enum(REVIEW_STATUSES).optional(),
  }),
  answers: { 200: pageSchema(reviewSchema) },
  async handle(op, call) {
    const { caller, query } = call
    const { view = caller.kind === 'user' ? 'decide' : 'all', status, limit } = query
    if (view === 'decide') {
      const data = await toDecide(op, call)
      return { status: 200, body: { data, page: { next: null, previous: null, limit } } }
    }
    if (view === 'all' && !seesAll(call))
      throw new Problem('forbidden', errorMessage('scope_needed', { scope: 'assignments:read' }))
    const startedBy = view === 'all' ? undefined : `${caller.kind}:${caller.id}`
    const list = { name: 'reviews', filters: { status, startedBy }, list: listReviewPage }
    const { body } = await listed(op, query, list, ({ id }) => id)
    const data = await wiresFor(op, call, body.data)
    return { status: 200, body: { data, page: body.page } }
  },
})

/** Open reviews in which something is the caller's to decide. */
async function toDecide(op: Op, call: Call) {
  if (call.caller.kind !== 'user') throw new Problem('forbidden', errorMessage('person_needed'))
  const open = await op.read((db) => listOpenReviews(db, MAX_LISTED))
  const found = []
  for (const review of await candidatesFor(op, call.caller.id, open)) {
    const mine = await decidesNow(op, call, review)
    if (!mine || !(await op.read((db) => countItems(db, { reviewId: review.id, mine })))) continue
    const wire = await wireOf(op, call, { review, mine })
    if (wire.may.decide) found.push(wire)
  }
  return found
}

/**
 * Whether something waits for this user, for the navigation. Every page of the account asks, so
 * whoever has nothing to do with reviews costs little; of many reviews only the first count.
 */
export async function someReviewWaitsFor(op: Op, caller: Call['caller']): Promise<boolean> {
  const now = op.now()
  const open = await op.read((db) => listOpenReviews(db, MAX_LISTED))
  const waiting = open.filter(({ deadline }) => deadline > now)
  const theirs = await candidatesFor(op, caller.id, waiting)
  for (const review of theirs.slice(0, MAX_LOOKED_AT)) {
    const decides = await decidesIn(op, caller, review)
    const undecided = { reviewId: review.id, decided: false }
    const count = await op.read(async (db) =>
      countItems(db, { ...undecided, mine: await decides(db) }),
    )
    if (count > 0) return true
  }
  return false
}

export const getAccessReview = operation({
  id: 'getAccessReview',
  method: 'GET',
  path: '/reviews/{review}',
  summary: 'Read a review, with how far it is',
  scope: SCOPE,
  answers: { 200: reviewSchema },
  async handle(op, call) {
    return { status: 200, body: await wireFor(op, call, call.params.review) }
  },
})

export const listAccessReviewItems = operation({
  id: 'listAccessReviewItems',
  method: 'GET',
  path: '/reviews/{review}/items',
  summary: 'List the items of a review; reviewers see what they may decide about',
  scope: SCOPE,
  query: listQuery(['gives', 'since'], {
    view: z
      .enum(['mine', 'all'])
      .optional()
      .describe('Default: `all` for whoever started it and for admins, otherwise `mine`'),
    decided: z.enum(['true', 'false']).optional(),
    suggestion: z.enum(DECISIONS).optional(),
    outcome: z.enum(OUTCOMES).optional(),
  }),
  answers: { 200: pageSchema(itemSchema) },
  async handle(op, call) {
    const { review, mine } = await requireVisible(op, call, call.params.review)
    const maySeeAll = seesAll(call) || (await isStarter(op, call, review))
    const { view = maySeeAll ? 'all' : 'mine', decided, suggestion, outcome } = call.query
    if (view === 'all' && !maySeeAll)
      throw new Problem('forbidden', errorMessage('scope_needed', { scope: 'assignments:read' }))
    if (view === 'mine' && !mine) throw new Problem('forbidden', errorMessage('person_needed'))
    const filters = {
      ...(view === 'mine' && mine ? theirsOf(review, mine) : { reviewId: review.id }),
      suggestion,
      outcome,
      decided: decided === undefined ? undefined : decided === 'true',
    }
    const list = { name: 'review items', filters, list: listItemPage }
    const { body } = await listed(op, call.query, list, (item) => item)
    const ids = body.data.map(({ id }) => id)
    const theirs =
      mine && review.status === 'open'
        ? await op.read((db) => listItems(db, { reviewId: review.id, ids, mine }, ids.length))
        : []
    const data = await itemsToWire(op, body.data, new Set(theirs.map(({ id }) => id)))
    return { status: 200, body: { data, page: body.page } }
  },
})

// ---------------------------------------------------------------- deciding and closing

const decisionSchema = z.strictObject({
  item: idSchema,
  decision: z.enum(DECISIONS),
  comment: wordsSchema.nullable().default(null),
  narrowTo: z
    .array(patternSchema)
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe('To narrow a pattern: the permissions that stay'),
  until: dateSchema
    .nullable()
    .default(null)
    .describe('To narrow: an earlier end, after the deadline of the review'),
})

export const decideAccessReview = operation({
  id: 'decideAccessReview',
  method: 'POST',
  path: '/reviews/{review}/decisions',
  summary: 'Keep, narrow or remove items of a review; all of them or none',
  scope: SCOPE,
  body: z.strictObject({ decisions: z.array(decisionSchema).min(1).max(MAX_DECISIONS) }),
  example: {
    decisions: [
      { item: 'rvi_...', decision: 'keep', comment: 'Works in the branch' },
      { item: 'rvi_...', decision: 'narrow', narrowTo: ['orders:read'] },
    ],
  },
  answers: { 200: reviewSchema },
  async handle(op, call) {
    const { review } = await requireVisible(op, call, call.params.review)
    const said = call.body.decisions.map((one) => ({ ...one, until: dateOf(one.until) }))
    await decideItems(op, call.caller, review, said, actorOf(call))
    return { status: 200, body: await wireFor(op, call, review.id) }
  },
})

export const closeAccessReview = operation({
  id: 'closeAccessReview',
  method: 'POST',
  path: '/reviews/{review}/closure',
  summary: 'Close a review once everything is decided, and carry the decisions out',
  scope: SCOPE,
  body: z.strictObject({}),
  example: {},
  answers: { 200: reviewSchema },
  async handle(op, call) {
    const visible = await requireVisible(op, call, call.params.review)
    await requireManager(op, call, visible)
    const { review } = visible
    await closeNow(op, call.caller, review)
    const until = performance.now() + CLOSING_MS
    // The rest is done in the background.
    await goOnClosing(op, review.id, () => performance.now() < until)
    return { status: 200, body: await wireFor(op, call, review.id) }
  },
})

export const cancelAccessReview = operation({
  id: 'cancelAccessReview',
  method: 'POST',
  path: '/reviews/{review}/cancellation',
  summary: 'Cancel a review; nothing is changed by it',
  scope: SCOPE,
  body: z.strictObject({}),
  example: {},
  answers: { 200: reviewSchema },
  async handle(op, call) {
    const visible = await requireVisible(op, call, call.params.review)
    await requireManager(op, call, visible)
    const { review } = visible
    await cancelNow(op, call.caller, review, actorOf(call))
    return { status: 200, body: await wireFor(op, call, review.id) }
  },
})

// ---------------------------------------------------------------- evidence

const EVIDENCE = {
  json: { type: 'application/json', write: (text: string) => text },
  csv: { type: 'text/csv; charset=utf-8', write: evidenceCsv },
} as const

const getAccessReviewEvidence = operation({
  id: 'getAccessReviewEvidence',
  method: 'GET',
  path: '/reviews/{review}/evidence',
  summary:
    'Download what was decided by whom, when and on which facts; the audit log has the SHA-256 digest of the JSON',
  scope: SCOPE,
  mayConflict: true,
  query: z.strictObject({ format: z.enum(['json', 'csv']).optional() }),
  answers: { 200: z.unknown() },
  media: Object.values(EVIDENCE).map(({ type }) => type),
  async handle(op, call) {
    const { review } = await requireVisible(op, call, call.params.review)
    if (!seesAll(call) && !(await isStarter(op, call, review)))
      throw notFound('no_review', review.id)
    const text = await op.read((db) => findEvidence(db, review.id))
    if (text === null) throw new Problem('conflict', errorMessage('review_open'))
    const wantsCsv = call.incoming.headers.get('accept')?.startsWith('text/csv') ?? false
    const format = call.query.format ?? (wantsCsv ? 'csv' : 'json')
    const { type, write } = EVIDENCE[format]
    const name = `${review.id}.${format}`
    return { status: 200, file: { type, name, text: write(text) } }
  },
})

export const reviewRoutes = tagged('Access reviews', [
  listAccessReviews,
  getAccessReview,
  listAccessReviewItems,
  decideAccessReview,
  closeAccessReview,
  cancelAccessReview,
  getAccessReviewEvidence,
])
