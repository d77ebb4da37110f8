import { failpoint } from '../../base/failpoint'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import type { Actor } from '../../oidc/audit-event'
import { endItem, type ReviewItem } from '../../store/reviews/items'
import { countByEnd, countItems, listItems, listUnended } from '../../store/reviews/lists'
import {
  beginClosing,
  cancelReview,
  findReview,
  finishClosing,
  type Review,
} from '../../store/reviews/reviews'
import { callerNow } from '../authority/grantor'
import type { Caller } from '../http/caller'
import { isProblem, Problem } from '../http/problem'
import { mayTake } from './authority'
import { reviewOver } from './decide'
import { digestOf, evidenceText } from './evidence'
import { actorNamed, reviewEvent } from './news'
import { MAX_ITEMS } from './start'
import { carryOut, changeSince, type End, touchedBy } from './take'

/**
 * The end of a review. Nobody decides any more once it is closing. Then each item is carried out in a
 * transaction of its own, together with its outcome, so a crash in between loses and doubles
 * nothing: whoever comes next goes on with what has no outcome. Silence removes.
 */

const AT_ONCE = 50

/** By a person, once everything is decided. */
export async function closeNow(op: Op, caller: Caller, review: Review): Promise<void> {
  const left = await op.read((db) => countItems(db, { reviewId: review.id, decided: false }))
  if (left > 0 && review.status === 'open' && review.deadline > op.now())
    throw new Problem('conflict', errorMessage('review_undecided', { count: String(left) }))
  const closedBy = `${caller.kind}:${caller.id}`
  const began = await op.write((tx) => beginClosing(tx, review.id, closedBy))
  if (!began) throw reviewOver()
}

export async function cancelNow(
  op: Op,
  caller: Caller,
  review: Review,
  actor: Actor,
): Promise<void> {
  await op.write(async (tx, audit) => {
    const by = `${caller.kind}:${caller.id}`
    if (!(await cancelReview(tx, review.id, by, op.now()))) throw reviewOver()
    audit(reviewEvent('review.cancelled', review, actor, {}))
  })
}

/** Goes on where another left off; true if it is closed now. */
export async function goOnClosing(op: Op, id: string, mayGoOn: () => boolean): Promise<boolean> {
  const review = await op.read((db) => findReview(db, id))
  if (review?.status !== 'closing') return review?.status === 'closed'
  const actor = actorNamed(review.closedBy)
  const starterId = await ownIdOf(op, review)
  for (;;) {
    const items = await op.read((db) => listUnended(db, id, starterId, AT_ONCE))
    if (items.length === 0) break
    await keep(op, review, items.filter(isKept))
    // Whoever started it answers for it: they must still be allowed to take these things away.
    const starter = await callerNow(op, review.startedBy)
    for (const item of items.filter((one) => !isKept(one))) {
      if (!mayGoOn()) return false
      await endOne(op, review, item, starter, actor)
    }
  }
  await finish(op, review, actor)
  return true
}

/** Of an access key, its application. */
async function ownIdOf(op: Op, { startedBy }: Review): Promise<string> {
  const starter = await callerNow(op, startedBy)
  return starter?.through?.application.id ?? startedBy.slice(startedBy.indexOf(':') + 1)
}

function isKept({ decision }: ReviewItem): boolean {
  return decision === 'keep'
}

/** The evidence vouches only for what is still as it was reviewed. */
async function keep(op: Op, review: Review, items: readonly ReviewItem[]): Promise<void> {
  if (items.length === 0) return
  await op.write(async (tx) => {
    for (const item of items) {
      const end = (await changeSince(tx, review, item, op.now())) ?? KEPT
      await endItem(tx, item.id, end, op.now())
    }
  })
}

const KEPT: End = { outcome: 'kept', reason: null }

async function endOne(
  op: Op,
  review: Review,
  item: ReviewItem,
  starter: Caller | null,
  actor: Actor,
): Promise<void> {
  if (!starter || !(await mayTake(op, starter, item)))
    return note(op, item, { outcome: 'refused', reason: 'authority' })
  try {
    await op.changePolicy(async (tx, audit) => {
      const end = await carryOut(op, tx, audit, { review, item, actor })
      // Another process has done it: all of this is undone.
      if (!(await endItem(tx, item.id, end, op.now()))) throw new EndedElsewhere()
    }, touchedBy(item))
    failpoint('review:applied')
  } catch (error) {
    if (error instanceof EndedElsewhere) return
    // Somebody wrote it at the same moment: it stays without an outcome and is tried again.
    if (isProblem(error) && error.code === 'stale') return
    if (!isProblem(error) || error.code !== 'conflict') throw error
    await note(op, item, { outcome: 'refused', reason: error.reason?.code ?? 'conflict' })
  }
}

class EndedElsewhere extends Error {}

async function note(op: Op, item: ReviewItem, end: End): Promise<void> {
  await op.write((tx) => endItem(tx, item.id, end, op.now()))
}

/** The evidence, its digest and the end of the review are written together. */
async function finish(op: Op, review: Review, actor: Actor): Promise<void> {
  const closedAt = op.now()
  const { id } = review
  await op.write(async (tx, audit) => {
    const items = await listItems(tx, { reviewId: id }, MAX_ITEMS)
    const text = evidenceText(op.origin, review, items, closedAt)
    const digest = digestOf(text)
    if (!(await finishClosing(tx, { id, text, digest }, closedAt))) return
    const counts = (await countByEnd(tx, id)).map(({ outcome, count }) => [
      outcome ?? 'none',
      count,
    ])
    const outcomes: Record<string, number> = {}
    for (const [outcome, count] of counts as [string, number][])
      outcomes[outcome] = (outcomes[outcome] ?? 0) + count
    audit(reviewEvent('review.closed', review, actor, { items: items.length, outcomes, digest }))
  })
}
