import { z } from 'zod'
import type { PortalScope } from '../../access/portal-api'
import type { Op } from '../../context/op'
import { mistake } from '../../i18n/mistake'
import { findApiById } from '../../store/apis'
import { subjectExists } from '../../store/assignments'
import {
  countItems,
  DECISIONS,
  type Decides,
  listItemPage,
  listItems,
  OUTCOMES,
} from '../../store/review-items'
import type { Over } from '../../store/review-things'
import {
  findEvidence,
  findReview,
  listOpenReviews,
  listReviewPage,
  REVIEW_STATUSES,
  type Review,
} from '../../store/reviews'
import { findRoleById } from '../../store/roles'
import { apisOwnedBy } from '../authorize'
import { type Call, operation } from '../operation'
import { listed, listQuery, pageSchema } from '../page'
import { fieldProblem, invalidField, notFound, Problem, requireNone } from '../problem'
import { approverSchema } from '../requests/approver-schema'
import type { Actor } from '../requests/news'
import { cancelNow, closeNow, goOnClosing } from '../reviews/close'
import { decideItems } from '../reviews/decide'
import { evidenceCsv } from '../reviews/evidence'
import { decidesIn } from '../reviews/reviewers'
import { LEAST_MS, LONGEST_MS, MOST_ITEMS, startReview } from '../reviews/start'
import { itemSchema, itemsToWire, reviewSchema, reviewToWire } from '../reviews/wire'
import { dateOf, dateSchema, idSchema, nameSchema, patternSchema, textSchema } from '../schemas'
import { requireApplication } from './applications'
import { daysSchema } from './reports'
import { requireSpace } from './spaces'

/** Campaigns: each thing that gives access is kept, narrowed or removed. Silence removes. */

const TAG = 'Access reviews'
/** Everybody may be asked to decide. Starting needs what taking the access away needs. */
const SCOPE = 'permissions:request'
const MOST_LISTED = 100
const MOST_LOOKED_AT = 20
const MOST_DECISIONS = 200
const CLOSING_MS = 5_000

type AnyCall = Call<unknown, unknown, unknown>

function actorOf({ caller, incoming }: AnyCall): Actor {
  return {
    ...{ actorKind: caller.kind, actorId: caller.id },
    ...{ ip: incoming.ip, requestId: incoming.requestId },
  }
}

/** Admins and auditors see all reviews. */
function seesAll({ caller }: AnyCall): boolean {
  return caller.scopes.has('assignments:read')
}

function isStarter({ caller }: AnyCall, { startedBy }: Review): boolean {
  return startedBy === `${caller.kind}:${caller.id}`
}

/** Whoever started it, and admins. */
function mayManage(call: AnyCall, review: Review): boolean {
  return isStarter(call, review) || call.caller.scopes.has('assignments:write')
}

async function decidesNow(op: Op, { caller }: AnyCall, review: Review): Promise<Decides | null> {
  if (caller.kind !== 'user') return null
  const decides = await decidesIn(op, caller, review)
  return op.read(decides)
}

/** To everybody else, it does not exist. */
async function requireVisible(op: Op, call: AnyCall, id: string) {
  const review = await op.read((db) => findReview(db, id))
  if (!review) throw notFound('no_review', id)
  const mine = await decidesNow(op, call, review)
  if (isStarter(call, review) || seesAll(call)) return { review, mine }
  const theirs = mine && (await op.read((db) => countItems(db, { reviewId: id, mine })))
  if (!theirs) throw notFound('no_review', id)
  return { review, mine }
}

async function wireFor(op: Op, call: AnyCall, id: string) {
  const { review, mine } = await requireVisible(op, call, id)
  return reviewToWire(op, review, { mine, mayManage: mayManage(call, review) })
}

// ---------------------------------------------------------------- starting

const named = <const Type extends string>(type: Type, what: string) =>
  z.strictObject({ type: z.literal(type), id: idSchema.describe(what) })

const overSchema = z.discriminatedUnion('type', [
  named('role', 'ID of a role: who holds it'),
  named('space', 'ID or key of a space: who holds its roles'),
  named('api', 'ID or prefix of an API: who was granted its permissions'),
  named('application', 'ID of an application: its grants, roles and access keys'),
  named('user', 'ID or name of a user: their roles, their admin role, and what was approved'),
  z.strictObject({ type: z.literal('portal') }).describe('Access to the portal itself'),
  z
    .strictObject({ type: z.literal('unused'), days: daysSchema })
    .describe('Grants of applications and access keys that were not used, as in the report'),
])

const startSchema = z.strictObject({
  name: nameSchema,
  over: overSchema,
  reviewers: z.array(approverSchema).min(1).max(20),
  fallback: z
    .array(approverSchema)
    .max(20)
    .default([])
    .describe('Who decides where none of the reviewers can: users, groups or roles'),
  deadline: dateSchema.describe('From one day to 90 days from now'),
})

type Start = z.infer<typeof startSchema>

/** What it is over must exist and be seen by the caller. */
async function requireOver(op: Op, call: AnyCall, asked: Start['over']): Promise<Found> {
  const { caller } = call
  if (!('id' in asked)) return { over: asked, apiPrefix: null }
  const { type } = asked
  if (type === 'api') {
    const api = await op.read((db) => findApiById(db, asked.id))
    const owned = caller.ownOnly ? await apisOwnedBy(op, call.snapshot.policy, caller.id) : null
    if (!api || owned?.has(api.id) === false) throw unknownOver()
    return { over: { type, id: api.id }, apiPrefix: api.prefix }
  }
  if (type === 'application') {
    const { id } = await requireApplication(op, caller, asked.id)
    return { over: { type, id }, apiPrefix: null }
  }
  // Who holds what is not for everybody to know.
  if (!seesAll(call)) throw new Problem('forbidden', mistake('review_not_yours'))
  return { over: { type, id: await idOf(op, type, asked.id) }, apiPrefix: null }
}

type Found = { over: Over; apiPrefix: string | null }

async function idOf(op: Op, type: 'role' | 'space' | 'user', name: string): Promise<string> {
  if (type === 'space') return (await requireSpace(op, name)).id
  const id =
    type === 'user'
      ? await op.users.idOf(name)
      : (await op.read((db) => findRoleById(db, name)))?.id
  if (!id) throw unknownOver()
  return id
}

function unknownOver(): Problem {
  return invalidField('/over/id', mistake('review_over_unknown'))
}

const TAKING: readonly PortalScope[] = [
  'assignments:write',
  'applications:write',
  'roles:write',
  'users:write',
]

/** Whoever can take nothing away is told so before anything is looked at. */
async function requireMayTakeAny(op: Op, call: AnyCall, over: Start['over']): Promise<void> {
  const { caller, snapshot } = call
  if (TAKING.some((scope) => caller.scopes.has(scope))) return
  if (over.type === 'api' && caller.kind === 'user') {
    const api = await op.read((db) => findApiById(db, over.id))
    if (api && (await apisOwnedBy(op, snapshot.policy, caller.id)).has(api.id)) return
  }
  throw new Problem('forbidden', mistake('review_not_yours'))
}

async function requireReviewers(op: Op, { reviewers, fallback }: Start): Promise<void> {
  const errors = await Promise.all(
    Object.entries({ reviewers, fallback }).flatMap(([member, approvers]) =>
      approvers.map(async (one, at) => {
        if (!('id' in one)) {
          const reason = mistake('review_fallback')
          return member === 'fallback' ? [fieldProblem(`/fallback/${at}/type`, reason)] : []
        }
        const exists = await op.read(async (db) =>
          one.type === 'role'
            ? (await findRoleById(db, one.id)) !== null
            : subjectExists(db, one.type, one.id),
        )
        return exists ? [] : [fieldProblem(`/${member}/${at}/id`, mistake('approver_unknown'))]
      }),
    ),
  )
  requireNone(errors.flat())
}

function requireDeadline(op: Op, deadline: Date): void {
  const length = deadline.getTime() - op.now().getTime()
  // A minute for the way here.
  if (length >= LEAST_MS - 60_000 && length <= LONGEST_MS + 60_000) return
  throw invalidField('/deadline', mistake('review_deadline'))
}

export const startAccessReview = operation({
  id: 'startAccessReview',
  method: 'POST',
  path: '/reviews',
  tag: TAG,
  summary: `Start a review of access, of at most ${MOST_ITEMS} items that the caller could take away`,
  scope: SCOPE,
  mayBeMissing: true,
  body: startSchema,
  example: {
    name: 'Clerks, autumn',
    over: { type: 'role', id: 'rol_...' },
    reviewers: [{ type: 'manager', attribute: 'manager' }],
    fallback: [{ type: 'group', id: 'grp_...' }],
    deadline: '2027-01-31T00:00:00Z',
  },
  answers: { 201: reviewSchema },
  async handle(op, call) {
    const { name, reviewers, fallback } = call.body
    const deadline = new Date(call.body.deadline)
    requireDeadline(op, deadline)
    await requireMayTakeAny(op, call, call.body.over)
    const found = await requireOver(op, call, call.body.over)
    await requireReviewers(op, call.body)
    const asked = { ...found, name, reviewers, fallback, deadline }
    const id = await startReview(op, call.caller, asked, actorOf(call))
    return { status: 201, body: await wireFor(op, call, id) }
  },
})

// ---------------------------------------------------------------- reading

export const listAccessReviews = operation({
  id: 'listAccessReviews',
  method: 'GET',
  path: '/reviews',
  tag: TAG,
  summary: 'List reviews: those to decide, those that the caller started, or all for admins',
  scope: SCOPE,
  query: listQuery(['createdAt'], {
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
      throw new Problem('forbidden', mistake('scope_needed', { scope: 'assignments:read' }))
    const startedBy = view === 'all' ? undefined : `${caller.kind}:${caller.id}`
    const list = { name: 'reviews', filters: { status, startedBy }, list: listReviewPage }
    const { body } = await listed(op, query, list, ({ id }) => id)
    const data = []
    for (const id of body.data) data.push(await wireFor(op, call, id))
    return { status: 200, body: { data, page: body.page } }
  },
})

/** Open reviews in which something is the caller's to decide. */
async function toDecide(op: Op, call: AnyCall) {
  if (call.caller.kind !== 'user') throw new Problem('forbidden', mistake('person_needed'))
  const open = await op.read((db) => listOpenReviews(db, MOST_LISTED))
  const found = []
  for (const review of open) {
    const mine = await decidesNow(op, call, review)
    const wire = await reviewToWire(op, review, { mine, mayManage: mayManage(call, review) })
    if (wire.may.decide) found.push(wire)
  }
  return found
}

/** Whether something waits for this user, for the navigation: of many reviews only the first count. */
export async function someReviewWaitsFor(op: Op, caller: AnyCall['caller']): Promise<boolean> {
  for (const review of await op.read((db) => listOpenReviews(db, MOST_LOOKED_AT))) {
    const decides = await decidesIn(op, caller, review)
    const undecided = { reviewId: review.id, decided: false }
    const count = await op.read(async (db) =>
      countItems(db, { ...undecided, mine: await decides(db) }),
    )
    if (count > 0 && review.deadline > op.now()) return true
  }
  return false
}

export const getAccessReview = operation({
  id: 'getAccessReview',
  method: 'GET',
  path: '/reviews/{review}',
  tag: TAG,
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
  tag: TAG,
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
    const maySeeAll = isStarter(call, review) || seesAll(call)
    const { view = maySeeAll ? 'all' : 'mine', decided, suggestion, outcome } = call.query
    if (view === 'all' && !maySeeAll)
      throw new Problem('forbidden', mistake('scope_needed', { scope: 'assignments:read' }))
    if (view === 'mine' && !mine) throw new Problem('forbidden', mistake('person_needed'))
    const filters = {
      ...{ reviewId: review.id, suggestion, outcome },
      decided: decided === undefined ? undefined : decided === 'true',
      mine: view === 'mine' && mine ? mine : undefined,
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
  comment: textSchema.trim().min(1).nullable().default(null),
  narrowTo: z
    .array(patternSchema)
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe('To narrow a pattern: the permissions that stay'),
  until: dateSchema.nullable().default(null).describe('To narrow: an earlier end'),
})

export const decideAccessReview = operation({
  id: 'decideAccessReview',
  method: 'POST',
  path: '/reviews/{review}/decisions',
  tag: TAG,
  summary: 'Keep, narrow or remove items of a review; all of them or none',
  scope: SCOPE,
  body: z.strictObject({ decisions: z.array(decisionSchema).min(1).max(MOST_DECISIONS) }),
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

function requireManager(call: AnyCall, review: Review): void {
  if (mayManage(call, review)) return
  throw new Problem('forbidden', mistake('review_starter'))
}

export const closeAccessReview = operation({
  id: 'closeAccessReview',
  method: 'POST',
  path: '/reviews/{review}/closure',
  tag: TAG,
  summary: 'Close a review once everything is decided, and carry the decisions out',
  scope: SCOPE,
  body: z.strictObject({}),
  example: {},
  answers: { 200: reviewSchema },
  async handle(op, call) {
    const { review } = await requireVisible(op, call, call.params.review)
    requireManager(call, review)
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
  tag: TAG,
  summary: 'Cancel a review; nothing is changed by it',
  scope: SCOPE,
  body: z.strictObject({}),
  example: {},
  answers: { 200: reviewSchema },
  async handle(op, call) {
    const { review } = await requireVisible(op, call, call.params.review)
    requireManager(call, review)
    await cancelNow(op, call.caller, review, actorOf(call))
    return { status: 200, body: await wireFor(op, call, review.id) }
  },
})

// ---------------------------------------------------------------- evidence

const EVIDENCE = {
  json: { type: 'application/json', write: (text: string) => text },
  csv: { type: 'text/csv; charset=utf-8', write: evidenceCsv },
} as const

export const getAccessReviewEvidence = operation({
  id: 'getAccessReviewEvidence',
  method: 'GET',
  path: '/reviews/{review}/evidence',
  tag: TAG,
  summary:
    'Download what was decided by whom, when and on which facts; the audit log has the SHA-256 digest of the JSON',
  scope: SCOPE,
  mayConflict: true,
  query: z.strictObject({ format: z.enum(['json', 'csv']).optional() }),
  answers: { 200: z.unknown() },
  media: Object.values(EVIDENCE).map(({ type }) => type),
  async handle(op, call) {
    const { review } = await requireVisible(op, call, call.params.review)
    if (!isStarter(call, review) && !seesAll(call)) throw notFound('no_review', review.id)
    const text = await op.read((db) => findEvidence(db, review.id))
    if (text === null) throw new Problem('conflict', mistake('review_open'))
    const wantsCsv = call.incoming.headers.get('accept')?.startsWith('text/csv') ?? false
    const format = call.query.format ?? (wantsCsv ? 'csv' : 'json')
    const { type, write } = EVIDENCE[format]
    const name = `${review.id}.${format}`
    return { status: 200, file: { type, name, text: write(text) } }
  },
})

export const reviewRoutes = [
  startAccessReview,
  listAccessReviews,
  getAccessReview,
  listAccessReviewItems,
  decideAccessReview,
  closeAccessReview,
  cancelAccessReview,
  getAccessReviewEvidence,
]
