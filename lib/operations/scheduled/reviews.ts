import { goOnClosing } from '../../api/reviews/close'
import { tellReviewers } from '../../api/reviews/news'
import { everyReviewer, placeAgain } from '../../api/reviews/reviewers'
import { DAY_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { listWaitingFor } from '../../store/reviews/lists'
import {
  beginClosing,
  findReview,
  listOverdueReviews,
  listToRemind,
  removeOldReviews,
  takeReminder,
} from '../../store/reviews/reviews'
import { lookFor, type MayGoOn } from './look-for'

/**
 * Deadlines of reviews: reminders, and the end, at which silence removes. Each step is one
 * conditional statement, so several server processes may do this at once.
 */

const MAX_AT_ONCE = 20
const REMOVED_AT_ONCE = 10

export async function settleReviews(op: Op, mayGoOn: MayGoOn): Promise<number> {
  let settled = 0
  for (const id of await lookFor(op, MAX_AT_ONCE, listOverdueReviews))
    if (mayGoOn() && (await inPeace(op, id, () => close(op, id, mayGoOn)))) settled += 1
  for (const id of await lookFor(op, MAX_AT_ONCE, listToRemind))
    if (mayGoOn()) await inPeace(op, id, () => remind(op, id, mayGoOn))
  return settled
}

/** One that fails does not hold up the others. */
async function inPeace(op: Op, id: string, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (error) {
    const complaint = 'an access review could not be settled; it will be tried again'
    op.log.warn({ err: error, review: id }, complaint)
    return false
  }
}

/** Only those for whom something waits now. */
async function remind(op: Op, id: string, mayGoOn: MayGoOn): Promise<boolean> {
  const review = await op.read((db) => findReview(db, id))
  if (!review) return false
  // Those who are asked already are reminded even if this fails.
  await inPeace(op, id, async () => {
    await placeAgain(op, review, mayGoOn)
    return true
  })
  const waiting = await op.read((db) => listWaitingFor(db, id))
  const reviewers = await everyReviewer(op, review, waiting)
  return op.write(async (tx) => {
    if (!(await takeReminder(tx, id))) return false
    if (!waiting.any) return true
    await tellReviewers(op, tx, await reviewers(tx), review, 'reminded')
    return true
  })
}

async function close(op: Op, id: string, mayGoOn: MayGoOn): Promise<boolean> {
  await op.write((tx) => beginClosing(tx, id, null))
  return goOnClosing(op, id, mayGoOn)
}

/** Kept as long as the audit log. A review may have 2 000 items, so they go a few at a time. */
export async function removeOldAccessReviews(op: Op, mayGoOn: MayGoOn): Promise<number> {
  const { auditRetentionDays } = op.config
  if (auditRetentionDays === null) return 0
  const before = new Date(op.now().getTime() - auditRetentionDays * DAY_MS)
  let removed = 0
  for (let count = REMOVED_AT_ONCE; count === REMOVED_AT_ONCE && mayGoOn(); removed += count)
    count = await op.write((tx) => removeOldReviews(tx, before, REMOVED_AT_ONCE))
  return removed
}
