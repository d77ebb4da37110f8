import { decidersIn } from '../../api/requests/approvers'
import { endUndecided, isOverdue, othersToAsk } from '../../api/requests/expire'
import { requestEvent, tellByMail } from '../../api/requests/news'
import { DAY_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { BY_SYSTEM } from '../../oidc/audit-event'
import { type AccessRequest, findAccessRequest } from '../../store/requests/access-requests'
import { isGone } from '../../store/requests/approved-access'
import { removeOldRequests } from '../../store/requests/ends'
import { listOverdue, moveRequest } from '../../store/requests/steps'
import { lookFor, type MayGoOn } from './look-for'

/**
 * Deadlines of access requests: others are asked, or the request expires. Each is one conditional
 * statement, so several server processes may do this at once.
 */

const MAX_AT_ONCE = 100

export async function settleOverdue(op: Op, mayGoOn: MayGoOn): Promise<number> {
  const overdue = await lookFor(op, MAX_AT_ONCE, listOverdue)
  let settled = 0
  for (const id of overdue) if (mayGoOn() && (await settleOne(op, id))) settled += 1
  return settled
}

/** One that cannot be settled does not hold up the others. */
async function settleOne(op: Op, id: string): Promise<boolean> {
  try {
    const request = await op.read((db) => findAccessRequest(db, { id }))
    if (request?.status === 'pending') await settle(op, request)
    return true
  } catch (error) {
    const complaint = 'the deadline of an access request could not be checked; it will be later'
    op.log.warn({ err: error, request: id }, complaint)
    return false
  }
}

async function settle(op: Op, request: AccessRequest): Promise<void> {
  const now = op.now()
  if (await op.read((db) => isGone(db, request))) return end(op, request, 'failed')
  const stage = request.terms.stages[request.stage]
  if (!stage || othersToAsk(request).length === 0 || isOverdue(request, now))
    return end(op, request, 'expired')
  const to = {
    stage: request.stage,
    escalated: true,
    stageDeadline: new Date(now.getTime() + stage.deadlineSeconds * 1000),
  }
  const deciders = await decidersIn(op, { ...request, escalated: true })
  await op.write(async (tx, audit) => {
    if (!(await moveRequest(tx, request, to, now))) return
    audit(requestEvent('access_request.escalated', request, BY_SYSTEM))
    const voters = new Set(request.votes.map(({ approver }) => approver.id))
    const asked = (await deciders(tx)).filter((userId) => !voters.has(userId))
    await tellByMail(op, tx, asked, request, 'asked')
  })
}

async function end(op: Op, request: AccessRequest, how: 'expired' | 'failed'): Promise<void> {
  await op.write((tx, audit) => endUndecided(op, tx, audit, request, how))
}

/** Kept as long as the audit log. */
export async function removeOldAccessRequests(op: Op): Promise<number> {
  const { auditRetentionDays } = op.config
  if (auditRetentionDays === null) return 0
  const before = new Date(op.now().getTime() - auditRetentionDays * DAY_MS)
  return op.write((tx) => removeOldRequests(tx, before))
}
