import { conditionForInstance, conditionForUser } from '../../access/request-rules'
import { PROVE_FACTOR } from '../../accounts/admin-factor'
import { hasJustUsedFactor } from '../../accounts/confirm'
import { failpoint } from '../../base/failpoint'
import type { Audit, Op, Transaction } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import type { Actor } from '../../oidc/audit-event'
import { findSessionProof } from '../../store/accounts/sessions'
import { findUser } from '../../store/accounts/users'
import type { ChangedSubject } from '../../store/policy/policy-version'
import type { AccessRequest } from '../../store/requests/access-requests'
import {
  type ApprovedGrant,
  countHeld,
  holdAsked,
  insertApprovedGrants,
} from '../../store/requests/approved-access'
import {
  finishRequest,
  holdRequest,
  insertVote,
  listEnds,
  listVotes,
  moveRequest,
} from '../../store/requests/steps'
import { MAX_GRANTS } from '../authority/room'
import type { Caller } from '../http/caller'
import { Problem } from '../http/problem'
import { decidersIn } from './approvers'
import { requestEvent, tellByMail, tellEnd } from './news'

/**
 * A vote is one transaction: it holds the request, asks again who may decide, counts, and gives what
 * was asked for with the last approval.
 */

type Vote = { approve: boolean; reason: string | null; until: Date | null }

export async function vote(
  op: Op,
  caller: Caller,
  request: AccessRequest,
  said: Vote,
  actor: Actor,
): Promise<void> {
  requireInPerson(caller)
  if (caller.id === request.userId) throw new Problem('forbidden', errorMessage('own_request'))
  if (request.status !== 'pending') throw over()
  if (said.approve) await requireFreshFor(op, caller, request)
  const deciders = await decidersIn(op, request)
  const next = await nextStage(op, request)
  await op.changePolicy(async (tx, audit) => {
    // Before the request, as whoever deletes the API or the application does.
    await holdAsked(tx, request)
    if (!(await holdRequest(tx, request, op.now()))) throw over()
    if ((await deciders(tx, [caller.id])).length === 0)
      throw new Problem('forbidden', errorMessage('not_approver'))
    // Whoever approved in an earlier stage does not decide in a later one, too.
    const votes = await listVotes(tx, request.id)
    if (votes.some(({ approverId }) => approverId === caller.id))
      throw new Problem('conflict', errorMessage('voted_already'))
    await insertVote(tx, {
      id: request.id,
      stage: request.stage,
      approverId: caller.id,
      at: op.now(),
      approved: said.approve,
      reason: said.reason,
      until: said.until,
    })
    failpoint('approval:voted')
    if (!said.approve) return deny(op, tx, audit, request, actor, said.reason)
    // Whoever voted before and may no longer decide does not count.
    const here = votes.filter(({ stage }) => stage === request.stage)
    const approving = [caller.id, ...here.map(({ approverId }) => approverId)]
    const counted = await deciders(tx, approving)
    const voters = [caller.id, ...votes.map(({ approverId }) => approverId)]
    await counting(op, tx, audit, { request, actor, counted, next, voters })
  }, touchedBy(request))
  failpoint('approval:committed')
}

function over(): Problem {
  return new Problem('conflict', errorMessage('request_over'))
}

export function touchedBy({ userId, applicationId }: AccessRequest): ChangedSubject[] {
  const user: ChangedSubject = { kind: 'user', id: userId }
  return applicationId === null ? [user] : [user, { kind: 'application', id: applicationId }]
}

type Counted = {
  request: AccessRequest
  actor: Actor
  counted: string[]
  next: NextStage | null
  /** In this stage and all before it. */
  voters: string[]
}

async function counting(op: Op, tx: Transaction, audit: Audit, all: Counted): Promise<void> {
  const { request, actor, counted, next, voters } = all
  const needed = request.terms.stages[request.stage]?.needed ?? Infinity
  const progress = { stage: request.stage + 1, approvals: counted.length, needed }
  if (counted.length < needed || next) {
    audit(requestEvent('access_request.voted', request, actor, progress))
  }
  if (counted.length < needed) return
  if (!next) return approve(op, tx, audit, request, actor)
  const approvedUntil = await leastEnd(tx, request)
  const to = { stage: request.stage + 1, escalated: false, stageDeadline: next.deadline }
  if (!(await moveRequest(tx, request, { ...to, approvedUntil }, op.now()))) throw over()
  const asked = (await next.deciders(tx)).filter((userId) => !voters.includes(userId))
  await tellByMail(op, tx, asked, request, 'asked')
}

type NextStage = { deadline: Date; deciders: Awaited<ReturnType<typeof decidersIn>> }

/** Null in the last stage. */
async function nextStage(op: Op, request: AccessRequest): Promise<NextStage | null> {
  const stage = request.terms.stages[request.stage + 1]
  if (!stage) return null
  const deadline = new Date(op.now().getTime() + stage.deadlineSeconds * 1000)
  const there = { ...request, stage: request.stage + 1, escalated: false }
  return { deadline, deciders: await decidersIn(op, there) }
}

async function deny(
  op: Op,
  tx: Transaction,
  audit: Audit,
  request: AccessRequest,
  actor: Actor,
  reason: string | null,
): Promise<void> {
  if (!(await finishRequest(tx, request, 'denied', op.now()))) throw over()
  audit(requestEvent('access_request.denied', request, actor, { reason }))
  await tellEnd(op, tx, request, 'denied')
}

/**
 * The earliest end that was asked for or that an approver set. That of earlier stages is kept with
 * the request: a vote goes with the account of its approver.
 */
async function leastEnd(tx: Transaction, request: AccessRequest): Promise<Date | null> {
  const { id, requestedUntil, approvedUntil } = request
  const ends = [requestedUntil, approvedUntil, ...(await listEnds(tx, id))].flatMap(
    (end) => end ?? [],
  )
  return ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime())))
}

/** In the transaction of the last approval: nothing is lost or doubled if the process dies. */
export async function approve(
  op: Op,
  tx: Transaction,
  audit: Audit,
  request: AccessRequest,
  actor: Actor,
): Promise<void> {
  const given = await give(op, tx, request)
  if (!given) return fail(op, tx, audit, request, actor)
  audit(requestEvent('access_request.approved', request, actor, given))
  await tellEnd(op, tx, request, 'approved')
}

type ApprovedAccess = { grants: string[]; until: string }

/** Null if it cannot be given any more. */
export async function give(
  op: Op,
  tx: Transaction,
  request: AccessRequest,
): Promise<ApprovedAccess | null> {
  const now = op.now()
  const user = await findUser(tx, request.userId)
  const longest = now.getTime() + request.terms.maxSeconds * 1000
  const until = new Date(Math.min(longest, (await leastEnd(tx, request))?.getTime() ?? Infinity))
  if (!user || user.disabledAt !== null || until <= now) return null
  if (!(await holdAsked(tx, request))) return null
  if (!(await finishRequest(tx, request, 'approved', now, until))) throw over()
  const grants = grantsOf(request, until)
  await insertApprovedGrants(tx, grants, now)
  failpoint('approval:given')
  await requireRoom(tx, grants)
  return { grants: grants.map(({ id }) => id), until: until.toISOString() }
}

/** Everything about a subject is read together for a decision. */
async function requireRoom(tx: Transaction, grants: readonly ApprovedGrant[]): Promise<void> {
  for (const grant of grants) {
    const { userId, applicationId } = { userId: '', applicationId: '', ...grant }
    const holder = userId === '' ? { applicationId } : { userId }
    if ((await countHeld(tx, holder, MAX_GRANTS + 1)) <= MAX_GRANTS) continue
    throw new Problem('conflict', errorMessage('grants_most', { maximum: String(MAX_GRANTS) }))
  }
}

async function fail(
  op: Op,
  tx: Transaction,
  audit: Audit,
  request: AccessRequest,
  actor: Actor,
): Promise<void> {
  if (!(await finishRequest(tx, request, 'failed', op.now()))) throw over()
  audit(requestEvent('access_request.failed', request, actor))
  await tellEnd(op, tx, request, 'failed')
}

type Giving = Pick<
  AccessRequest,
  'id' | 'userId' | 'applicationId' | 'scope' | 'resourceId' | 'lacks'
>

/** Exactly what was refused, to exactly those who lack it. */
export function grantsOf(request: Giving, validUntil: Date): ApprovedGrant[] {
  const { id: requestId, userId, applicationId, scope: pattern, resourceId, lacks } = request
  const common = { requestId, pattern, validUntil }
  return lacks.flatMap((who): ApprovedGrant[] => {
    if (who === 'user') {
      const condition = resourceId === null ? null : conditionForInstance(resourceId)
      return [{ ...common, id: newId('grn'), userId, condition }]
    }
    const condition = conditionForUser(userId)
    return applicationId === null ? [] : [{ ...common, id: newId('grn'), applicationId, condition }]
  })
}

// ---------------------------------------------------------------- who they are

/** A sensitive permission is given by somebody who has just used a second factor. */
export async function requireFreshFor(
  op: Op,
  caller: Caller,
  { scope }: Pick<AccessRequest, 'scope'>,
): Promise<void> {
  const { policy } = await op.snapshot()
  if (policy.items.get(scope)?.sensitive === true) await requireFresh(op, caller)
}

/** With the user's token, an application could decide without showing anything to anybody. */
export function isInPerson({ kind, through, session }: Caller): boolean {
  return kind === 'user' && through === null && session?.through === 'pages'
}

/** Gives the session in which they decide. */
export function requireInPerson(caller: Caller): { id: string } {
  if (isInPerson(caller) && caller.session) return caller.session
  throw new Problem('forbidden', errorMessage('person_needed'))
}

export async function requireFresh(op: Op, caller: Caller): Promise<void> {
  const { id } = requireInPerson(caller)
  const proof = await op.read((db) => findSessionProof(db, id))
  const { confirmMinutes } = (await op.settings.current()).security
  if (proof && hasJustUsedFactor(proof, op.now(), confirmMinutes)) return
  const where = `${op.origin}${PROVE_FACTOR}`
  throw new Problem('second_factor_needed', `use a second factor at ${where}, then try again`)
}

// ---------------------------------------------------------------- withdrawn

export async function cancel(op: Op, request: AccessRequest, actor: Actor): Promise<void> {
  await op.write(async (tx, audit) => {
    if (!(await finishRequest(tx, request, 'cancelled', op.now()))) throw over()
    audit(requestEvent('access_request.cancelled', request, actor))
    await tellEnd(op, tx, request, 'cancelled')
  })
}
