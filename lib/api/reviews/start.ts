import { patternCovers } from '../../access/pattern'
import type { Policy } from '../../access/policy'
import { isPortalScope, PORTAL_SCOPE_NAMES } from '../../access/portal-api'
import { oneAtATime } from '../../base/one-at-a-time'
import { DAY_MS } from '../../base/time'
import type { Op, Reader } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import type { Actor } from '../../oidc/audit-event'
import { namesOf } from '../../store/database/names'
import { insertItems, type NewItem } from '../../store/reviews/items'
import {
  countOpenReviews,
  countStartedSince,
  holdStarter,
  insertReview,
  type Review,
} from '../../store/reviews/reviews'
import {
  askedFor,
  countThings,
  giversFromLog,
  listThings,
  type ReviewScope,
  sourcesOf,
  type Thing,
  type ThingSource,
} from '../../store/reviews/things'
import type { Caller } from '../http/caller'
import { invalidField, Problem } from '../http/problem'
import { mayTake } from './authority'
import { factsAbout, openUseLog, type UseLog } from './facts'
import { reviewEvent, tellReviewers } from './news'
import { everyReviewer, type FindPlace, placing } from './reviewers'
import { roleIsSensitive } from './roles'

/** A review is a snapshot: what gives access now, its use, and somebody who can decide about each. */

export const MAX_ITEMS = 2_000
const MAX_OPEN = 20
/** Each of them sends mails. Whoever manages all access may start more. */
const MAX_A_DAY = 50
const BATCH = 200
/** Also what is not the caller's to take away, or was used. */
const MAX_SCANNED = 50_000
export const MIN_MS = DAY_MS
export const MAX_MS = 90 * DAY_MS
const DEFAULT_DAYS = 90

export type NewReview = Pick<Review, 'name' | 'over' | 'reviewers' | 'fallback' | 'deadline'> & {
  apiPrefix: string | null
}

const oneOfStarter = oneAtATime()

export function startReview(
  op: Op,
  caller: Caller,
  asked: NewReview,
  actor: Actor,
): Promise<string> {
  return oneOfStarter(nameOf(caller), () => start(op, caller, asked, actor))
}

function nameOf({ kind, id }: Caller): string {
  return `${kind}:${id}`
}

async function start(op: Op, caller: Caller, asked: NewReview, actor: Actor): Promise<string> {
  await op.read((db) => requireFewReviews(db, caller, op.now()))
  // Before it is read: what is written again meanwhile is the same grant.
  const createdAt = op.now()
  const { items, notTheirs, notKnown } = await snapshotOf(op, caller, asked)
  if (items.length === 0) throw nothingToReview(notTheirs, notKnown)
  const leftOut = notTheirs + notKnown
  const { apiPrefix: _, ...fields } = asked
  const review: Review = {
    ...fields,
    id: newId('rvw'),
    startedBy: nameOf(caller),
    status: 'open',
    itemCount: items.length,
    leftOut,
    createdAt,
    remindAt: remindAt(createdAt, asked.deadline),
    closedBy: null,
    closedAt: null,
    digest: null,
  }
  const reviewers = await everyReviewer(op, review, waitingIn(items))
  await op.write(async (tx, audit) => {
    await holdStarter(tx, caller)
    await requireFewReviews(tx, caller, createdAt)
    await insertReview(tx, review)
    await insertItems(tx, review.id, items)
    const { over, deadline } = review
    const counts = { items: items.length, left_out: leftOut }
    const detail = { over, deadline: deadline.toISOString(), ...counts }
    audit(reviewEvent('review.started', review, actor, detail))
    await tellReviewers(op, tx, await reviewers(tx), review, 'asked')
  })
  return review.id
}

/** Whoever starts one is held: of two starts at once, the second sees the first. */
async function requireFewReviews(db: Reader, caller: Caller, now: Date): Promise<void> {
  const startedBy = nameOf(caller)
  if ((await countOpenReviews(db, startedBy, MAX_OPEN)) >= MAX_OPEN)
    throw new Problem('conflict', errorMessage('reviews_most', { maximum: String(MAX_OPEN) }))
  if (caller.scopes.has('assignments:write')) return
  const yesterday = new Date(now.getTime() - DAY_MS)
  if ((await countStartedSince(db, startedBy, yesterday, MAX_A_DAY)) >= MAX_A_DAY)
    throw new Problem('conflict', errorMessage('reviews_a_day', { maximum: String(MAX_A_DAY) }))
}

function waitingIn(items: readonly NewItem[]) {
  return {
    managers: [...new Set(items.flatMap(({ managerId }) => managerId ?? []))],
    apis: [...new Set(items.flatMap(({ apiId }) => apiId ?? []))],
    fallback: items.some(({ byFallback }) => byFallback),
  }
}

function nothingToReview(notTheirs: number, notKnown: number): Problem {
  if (notTheirs > 0) return new Problem('forbidden', errorMessage('review_not_yours'))
  return invalidField('/over', errorMessage(notKnown > 0 ? 'review_use_unknown' : 'review_empty'))
}

/** Two days before the end, or after three quarters of a short time. */
function remindAt(from: Date, deadline: Date): Date {
  const length = deadline.getTime() - from.getTime()
  return new Date(deadline.getTime() - Math.min(2 * DAY_MS, length / 4))
}

// ---------------------------------------------------------------- what it looks at

/** In parts, so that memory has a limit; refused as soon as there are too many. */
async function snapshotOf(op: Op, caller: Caller, review: NewReview) {
  const { over, apiPrefix } = review
  const ownerId = caller.ownOnly ? caller.id : null
  const sources = await op.read((db) => sourcesOf(db, over, { apiPrefix, ownerId }))
  await requireFew(op, caller, over, sources)
  const { policy } = await op.latestSnapshot()
  const log = openUseLog(op, over.type === 'unused' ? over.days : DEFAULT_DAYS)
  const making = { caller, policy, over, log, place: placing(op, review) }
  const found = { items: [] as NewItem[], notTheirs: 0, notKnown: 0 }
  const requests = new Set<string>()
  let scanned = 0
  for (const source of sources) {
    for (let after = '', count = BATCH; count === BATCH; scanned += count) {
      const things = await op.read((db) => listThings(db, source, after, op.now(), BATCH))
      count = things.length
      after = things.at(-1)?.targetId ?? ''
      const asked = await op.read((db) => askedFor(db, things))
      const part = await itemsOf(op, making, requestsOnce(asked, requests))
      found.items.push(...part.items)
      found.notTheirs += part.notTheirs
      found.notKnown += part.notKnown
      if (found.items.length > MAX_ITEMS || scanned > MAX_SCANNED) throw tooMany()
    }
  }
  return found
}

/** One item for each access request: it is taken back as a whole. */
function requestsOnce(things: readonly Thing[], seen: Set<string>): Thing[] {
  return things.filter(({ terms: { requestId } }) => {
    if (requestId === null) return true
    const isNew = !seen.has(requestId)
    seen.add(requestId)
    return isNew
  })
}

/** Counted before anything is looked at, where nearly all of it is the caller's to take away. */
async function requireFew(
  op: Op,
  { ownOnly }: Caller,
  { type }: ReviewScope,
  sources: readonly ThingSource[],
): Promise<void> {
  if (ownOnly || type === 'unused') return
  let count = 0
  for (const source of sources)
    count += await op.read((db) => countThings(db, source, op.now(), MAX_ITEMS + 1))
  if (count > MAX_ITEMS) throw tooMany()
}

function tooMany(): Problem {
  return invalidField('/over', errorMessage('review_too_large', { maximum: String(MAX_ITEMS) }))
}

type Making = { caller: Caller; policy: Policy; over: ReviewScope; log: UseLog; place: FindPlace }

async function itemsOf(
  op: Op,
  { caller, policy, over, log, place }: Making,
  things: readonly Thing[],
): Promise<{ items: NewItem[]; notTheirs: number; notKnown: number }> {
  const theirs: (Thing & ReturnType<typeof aboutApi>)[] = []
  for (const thing of things) {
    const placed = { ...thing, ...aboutApi(policy, thing) }
    if (await mayTake(op, caller, placed)) theirs.push(placed)
  }
  const seen = await factsAbout(op, policy, theirs, log)
  const assigned = theirs.filter(({ kind }) => kind === 'assignment').map((one) => one.targetId)
  const givers = await op.readReplica((db) => giversFromLog(db, assigned))
  const items: NewItem[] = []
  let notKnown = 0
  for (const thing of theirs) {
    const facts = seen(thing)
    if (over.type === 'unused' && facts.reason !== 'unused') {
      if (facts.reason === 'unknown') notKnown += 1
      continue
    }
    const where = await place(thing)
    if (!where) throw await withoutReviewer(op, thing)
    const givenBy = thing.givenBy ?? givers.get(thing.targetId) ?? null
    items.push({ ...thing, ...facts, ...where, givenBy, id: newId('rvi') })
  }
  return { items, notTheirs: things.length - theirs.length, notKnown }
}

/** Which API it gives access to, if it is one; whether that is the portal itself. */
function aboutApi(policy: Policy, { kind, gives }: Thing) {
  if (kind === 'assignment')
    return { apiId: null, portal: false, sensitive: roleIsSensitive(policy, gives) }
  const portal =
    kind === 'admin_role' || PORTAL_SCOPE_NAMES.some((one) => patternCovers(gives, one))
  const covered = [...policy.items.values()].filter(
    ({ scope }) => !isPortalScope(scope) && patternCovers(gives, scope),
  )
  const byPrefix = [...policy.apisByAudience.values()].find(({ prefix }) => gives === `${prefix}:*`)
  const apiId = portal ? null : (covered[0]?.api.id ?? byPrefix?.id ?? null)
  return { apiId, portal, sensitive: portal || covered.some(({ sensitive }) => sensitive) }
}

async function withoutReviewer(op: Op, { subject, gives }: Thing): Promise<Problem> {
  const { type, id } = subject
  const names = await op.read((db) =>
    namesOf(db, {
      users: type === 'user' ? [id] : [],
      groups: type === 'group' ? [id] : [],
      applications: type === 'application' ? [id] : [],
      accessKeys: type === 'access_key' ? [id] : [],
      roles: [gives, ...(type === 'role' ? [id] : [])],
    }),
  )
  const values = { name: names.get(id) ?? id, what: names.get(gives) ?? gives }
  return invalidField('/reviewers', errorMessage('review_without_reviewer', values))
}
