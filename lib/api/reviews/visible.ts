import type { Privilege } from '../../access/authority'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { applicationIdsOf } from '../../store/applications/applications'
import { countItems, type ItemFilters, type ReviewerPowers } from '../../store/reviews/lists'
import { findReview, type Review } from '../../store/reviews/reviews'
import { apisOwnedBy, missingOf } from '../authority/authorize'
import type { Caller } from '../http/caller'
import type { Call } from '../http/operation'
import { Problem, requireFound } from '../http/problem'
import { seesAll } from '../requests/seen'
import { TAKING } from './authority'
import { aboveRank, concernsOf, decidesIn } from './reviewers'
import { type ReviewWire, reviewToWire } from './wire'

/** Who sees a review, and who may close or cancel it. */

/** Everybody may be asked to decide. Starting needs what taking the access away needs. */
export const SCOPE = 'permissions:request'

function started({ caller }: Call, { startedBy }: Review): boolean {
  return startedBy === `${caller.kind}:${caller.id}`
}

/** Whoever started it, as long as all of it is still within their reach. */
export async function isStarter(op: Op, call: Call, review: Review): Promise<boolean> {
  return started(call, review) && reachesAll(op, call.caller, review)
}

async function reachesAll(op: Op, caller: Caller, review: Review): Promise<boolean> {
  if (!caller.ownOnly && TAKING.some((scope) => caller.scopes.has(scope)))
    return (await aboveRank(op, caller, review)).length === 0
  if (caller.kind !== 'user') return false
  // For an API owner, an application may do only what its token says.
  if (caller.through !== null && !caller.scopes.has('applications:write')) return false
  const reviewId = review.id
  const apis = [...(await apisOwnedBy(op, (await op.latestSnapshot()).policy, caller.id))]
  const applications = caller.ownOnly ? await op.read((db) => applicationIdsOf(db, caller.id)) : []
  const beyond = { applications, apis }
  return (await op.read((db) => countItems(db, { reviewId, beyond }))) === 0
}

/**
 * Whoever started it, and admins. To cancel it is to keep all of it: nobody does that with what
 * concerns themself or is above their rank, but an owner, who could give it all again.
 */
export async function mayManage(
  op: Op,
  call: Call,
  { review, mine }: VisibleReview,
): Promise<boolean> {
  if (await isStarter(op, call, review)) return true
  const { caller } = call
  if (!caller.scopes.has('assignments:write')) return false
  const own: Privilege[] = [{ gives: 'own_access' }]
  if (caller.kind !== 'client' && (await missingOf(op, caller, own)).length === 0) return true
  const about = mine ?? (await concernsOf(op, caller, review))
  return (await op.read((db) => countItems(db, { reviewId: review.id, about }))) === 0
}

type VisibleReview = { review: Review; mine: ReviewerPowers | null }

export async function decidesNow(
  op: Op,
  { caller }: Call,
  review: Review,
): Promise<ReviewerPowers | null> {
  if (caller.kind !== 'user') return null
  const decides = await decidesIn(op, caller, review)
  return op.read(decides)
}

/** To everybody else, it does not exist. */
export async function requireVisible(op: Op, call: Call, id: string): Promise<VisibleReview> {
  return requireFound(await ifVisible(op, call, id), 'no_review', id)
}

async function ifVisible(op: Op, call: Call, id: string): Promise<VisibleReview | null> {
  const review = await op.read((db) => findReview(db, id))
  if (!review) return null
  const mine = await decidesNow(op, call, review)
  if (seesAll(call) || (await isStarter(op, call, review))) return { review, mine }
  const theirs = mine && (await op.read((db) => countItems(db, theirsOf(review, mine))))
  return theirs ? { review, mine } : null
}

/** What a reviewer sees: what they may decide, and once nobody decides any more, what they decided. */
export function theirsOf({ id: reviewId, status }: Review, mine: ReviewerPowers): ItemFilters {
  return status === 'open' ? { reviewId, mine } : { reviewId, decidedBy: mine.own.user }
}

export async function wireFor(op: Op, call: Call, id: string): Promise<ReviewWire> {
  return wireOf(op, call, await requireVisible(op, call, id))
}

/** Those of them that the caller sees. */
export async function wiresFor(op: Op, call: Call, ids: readonly string[]): Promise<ReviewWire[]> {
  const wires: ReviewWire[] = []
  for (const id of ids) {
    const visible = await ifVisible(op, call, id)
    if (visible) wires.push(await wireOf(op, call, visible))
  }
  return wires
}

export async function wireOf(op: Op, call: Call, visible: VisibleReview): Promise<ReviewWire> {
  const { review, mine } = visible
  return reviewToWire(op, review, { mine, mayManage: await mayManage(op, call, visible) })
}

export async function requireManager(op: Op, call: Call, visible: VisibleReview): Promise<void> {
  if (await mayManage(op, call, visible)) return
  throw new Problem('forbidden', errorMessage('review_starter'))
}
