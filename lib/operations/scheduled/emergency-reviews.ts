import { touchedBy } from '../../api/requests/decide'
import { requestEvent, tellByMail } from '../../api/requests/news'
import { everyOwner, remindedOf } from '../../api/requests/review'
import type { Op } from '../../context/op'
import { BY_SYSTEM } from '../../oidc/audit-event'
import { holdApi } from '../../store/permissions/apis'
import { deleteApprovedGrants } from '../../store/permissions/grants'
import { type AccessRequest, findAccessRequest } from '../../store/requests/access-requests'
import {
  listReviewsMissed,
  listToRemind,
  saveReviewMissed,
  takeReminder,
} from '../../store/requests/emergencies'
import { lookFor, type MayGoOn } from './look-for'

/**
 * Nobody reviewed in time what was opened in an emergency: it ends, and its owners are told. Of an
 * API that was deleted meanwhile, the review is closed. Each is one transaction with a conditional
 * statement: once, also after a crash.
 */

const MAX_AT_ONCE = 100

export async function settleMissedReviews(op: Op, mayGoOn: MayGoOn): Promise<number> {
  const missed = await lookFor(op, MAX_AT_ONCE, listReviewsMissed)
  return each(op, missed, mayGoOn, settle)
}

/** Before the deadline, once. */
export async function remindReviewers(op: Op, mayGoOn: MayGoOn): Promise<number> {
  const waiting = await lookFor(op, MAX_AT_ONCE, listToRemind)
  return each(op, waiting, mayGoOn, remind)
}

type Work = (op: Op, request: AccessRequest) => Promise<void>

async function each(op: Op, ids: readonly string[], mayGoOn: MayGoOn, work: Work) {
  let done = 0
  for (const id of ids) if (mayGoOn() && (await doOne(op, id, work))) done += 1
  return done
}

/** One that fails does not hold up the others. */
async function doOne(op: Op, id: string, work: Work): Promise<boolean> {
  try {
    const request = await op.read((db) => findAccessRequest(db, { id }))
    if (request) await work(op, request)
    return true
  } catch (error) {
    const complaint = 'the deadline of a review could not be checked; it will be later'
    op.log.warn({ err: error, request: id }, complaint)
    return false
  }
}

async function settle(op: Op, request: AccessRequest): Promise<void> {
  const owners = await everyOwner(op, request)
  const now = op.now()
  await op.changePolicy(async (tx, audit) => {
    const apiIsGone = !(await holdApi(tx, request.apiId))
    if (!(await saveReviewMissed(tx, request.id, now, { apiIsGone }))) return
    const grants = (await deleteApprovedGrants(tx, request, now)) ?? []
    const detail = { grants, ...(apiIsGone && { closed: 'api_deleted' }) }
    audit(requestEvent('access_request.review_missed', request, BY_SYSTEM, detail))
    if (apiIsGone) return
    await tellByMail(op, tx, await owners(tx), request, 'review_missed')
    await tellByMail(op, tx, [request.userId], request, 'right_lost')
  }, touchedBy(request))
}

async function remind(op: Op, request: AccessRequest): Promise<void> {
  const reminded = await remindedOf(op, request)
  await op.write(async (tx) => {
    if (!(await takeReminder(tx, request.id, op.now()))) return
    await tellByMail(op, tx, await reminded(tx), request, 'review_reminder')
  })
}
