import type { Op } from '../../context/op'
import { mistake } from '../../i18n/mistake'
import { countItems, type Decides } from '../../store/review-items'
import { findReview, type Review } from '../../store/reviews'
import type { Call } from '../operation'
import { notFound, Problem } from '../problem'
import type { Actor } from '../requests/news'
import { decidesIn } from './reviewers'
import { reviewToWire } from './wire'

/** Who sees a review, and who may close or cancel it. */

export const TAG = 'Access reviews'
/** Everybody may be asked to decide. Starting needs what taking the access away needs. */
export const SCOPE = 'permissions:request'

export type AnyCall = Call<unknown, unknown, unknown>

export function actorOf({ caller, incoming }: AnyCall): Actor {
  return {
    ...{ actorKind: caller.kind, actorId: caller.id },
    ...{ ip: incoming.ip, requestId: incoming.requestId },
  }
}

/** Admins and auditors see all reviews. */
export function seesAll({ caller }: AnyCall): boolean {
  return caller.scopes.has('assignments:read')
}

export function isStarter({ caller }: AnyCall, { startedBy }: Review): boolean {
  return startedBy === `${caller.kind}:${caller.id}`
}

/** Whoever started it, and admins. */
export function mayManage(call: AnyCall, review: Review): boolean {
  return isStarter(call, review) || call.caller.scopes.has('assignments:write')
}

export async function decidesNow(
  op: Op,
  { caller }: AnyCall,
  review: Review,
): Promise<Decides | null> {
  if (caller.kind !== 'user') return null
  const decides = await decidesIn(op, caller, review)
  return op.read(decides)
}

/** To everybody else, it does not exist. */
export async function requireVisible(op: Op, call: AnyCall, id: string) {
  const review = await op.read((db) => findReview(db, id))
  if (!review) throw notFound('no_review', id)
  const mine = await decidesNow(op, call, review)
  if (isStarter(call, review) || seesAll(call)) return { review, mine }
  const theirs = mine && (await op.read((db) => countItems(db, { reviewId: id, mine })))
  if (!theirs) throw notFound('no_review', id)
  return { review, mine }
}

export async function wireFor(op: Op, call: AnyCall, id: string) {
  const { review, mine } = await requireVisible(op, call, id)
  return reviewToWire(op, review, { mine, mayManage: mayManage(call, review) })
}

export function requireManager(call: AnyCall, review: Review): void {
  if (mayManage(call, review)) return
  throw new Problem('forbidden', mistake('review_starter'))
}
