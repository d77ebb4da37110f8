import { satisfies } from '../../access/acr'
import { conditionForInstance, conditionForUser } from '../../access/request-rules'
import { isConfirmed } from '../../accounts/confirm'
import type { Audit, Op, Transaction } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { mistake } from '../../i18n/mistake'
import {
  type AccessRequest,
  consentTo,
  finishRequest,
  type GivenGrant,
  holdRequest,
  insertGiven,
  insertVote,
  listEnds,
  listVotes,
  moveRequest,
} from '../../store/access-requests'
import type { Touched } from '../../store/policy-version'
import { findSessionProof } from '../../store/sessions'
import { findUser } from '../../store/users'
import type { Caller } from '../caller'
import { Problem } from '../problem'
import { decidersIn } from './approvers'
import { type Actor, requestEvent, tellByMail, tellEnd } from './news'

/**
 * A vote is one transaction: it holds the request, asks again who may decide, counts, and gives what
 * was asked for with the last approval.
 */

export type Vote = { approve: boolean; reason: string | null; until: Date | null }

export async function vote(
  op: Op,
  caller: Caller,
  request: AccessRequest,
  said: Vote,
  actor: Actor,
): Promise<void> {
  if (caller.kind !== 'user') throw new Problem('forbidden', mistake('person_needed'))
  if (caller.id === request.userId) throw new Problem('forbidden', mistake('own_request'))
  if (request.status !== 'pending') throw over()
  await requireFreshFor(op, caller, request)
  const deciders = await decidersIn(op, request)
  const next = await nextStage(op, request)
  await op.changePolicy(async (tx, audit) => {
    if (!(await holdRequest(tx, request, op.now()))) throw over()
    if ((await deciders(tx, [caller.id])).length === 0)
      throw new Problem('forbidden', mistake('not_approver'))
    const votes = await listVotes(tx, request)
    if (votes.some(({ approverId }) => approverId === caller.id))
      throw new Problem('conflict', mistake('voted_already'))
    await insertVote(tx, {
      ...{ id: request.id, stage: request.stage, approverId: caller.id, at: op.now() },
      ...{ approved: said.approve, reason: said.reason, until: said.until },
    })
    if (!said.approve) return deny(op, tx, audit, request, actor, said.reason)
    // Whoever voted before and may no longer decide does not count.
    const approving = [caller.id, ...votes.map(({ approverId }) => approverId)]
    const counted = await deciders(tx, approving)
    await counting(op, tx, audit, { request, actor, counted, next })
  }, touchedBy(request))
}

function over(): Problem {
  return new Problem('conflict', mistake('request_over'))
}

export function touchedBy({ userId, applicationId }: AccessRequest): Touched[] {
  const user: Touched = { kind: 'user', id: userId }
  return applicationId === null ? [user] : [user, { kind: 'application', id: applicationId }]
}

type Counted = { request: AccessRequest; actor: Actor; counted: string[]; next: NextStage | null }

async function counting(op: Op, tx: Transaction, audit: Audit, all: Counted): Promise<void> {
  const { request, actor, counted, next } = all
  const needed = request.terms.stages[request.stage]?.needed ?? Infinity
  const progress = { stage: request.stage + 1, approvals: counted.length, needed }
  if (counted.length < needed || next) {
    audit(requestEvent('access_request.voted', request, actor, progress))
  }
  if (counted.length < needed) return
  if (!next) return approve(op, tx, audit, request, actor)
  const to = { stage: request.stage + 1, escalated: false, stageDeadline: next.deadline }
  if (!(await moveRequest(tx, request, to, op.now()))) throw over()
  for (const userId of await next.deciders(tx)) await tellByMail(op, tx, userId, request, 'asked')
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

/** In the transaction of the last approval: nothing is lost or doubled if the process dies. */
export async function approve(
  op: Op,
  tx: Transaction,
  audit: Audit,
  request: AccessRequest,
  actor: Actor,
): Promise<void> {
  const now = op.now()
  const user = await findUser(tx, request.userId)
  const longest = new Date(now.getTime() + request.terms.maxSeconds * 1000)
  const ends = [longest, ...(await listEnds(tx, request.id))]
  if (request.requestedUntil) ends.push(request.requestedUntil)
  const until = new Date(Math.min(...ends.map((end) => end.getTime())))
  if (!user || user.disabledAt !== null || until <= now) return fail(op, tx, audit, request, actor)
  if (!(await finishRequest(tx, request, 'approved', now, until))) throw over()
  const grants = grantsOf(request, until)
  await insertGiven(tx, grants, now)
  const { userId, applicationId, scope, madeBy } = request
  // Whoever asks for it in person agrees to it by asking.
  if (applicationId !== null && madeBy === null) {
    await consentTo(tx, { userId, applicationId, scope }, now)
  }
  const detail = { grants: grants.map(({ id }) => id), until: until.toISOString() }
  audit(requestEvent('access_request.approved', request, actor, detail))
  await tellEnd(op, tx, request, 'approved')
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
export function grantsOf(request: Giving, validUntil: Date): GivenGrant[] {
  const { id: requestId, userId, applicationId, scope: pattern, resourceId, lacks } = request
  const common = { requestId, pattern, validUntil }
  return lacks.flatMap((who): GivenGrant[] => {
    if (who === 'user') {
      const condition = resourceId === null ? null : conditionForInstance(resourceId)
      return [{ ...common, id: newId('grn'), userId, condition }]
    }
    const condition = conditionForUser(userId)
    return applicationId === null ? [] : [{ ...common, id: newId('grn'), applicationId, condition }]
  })
}

// ---------------------------------------------------------------- who they are

/** A sensitive permission is given by somebody who has just proved who they are, with two factors. */
async function requireFreshFor(op: Op, { session }: Caller, { scope }: AccessRequest) {
  const { policy } = await op.snapshot()
  if (policy.items.get(scope)?.sensitive !== true) return
  const proof = session ? await op.read((db) => findSessionProof(db, session.id)) : null
  if (!proof || !satisfies(proof.acr, 'mfa')) {
    const where = `${op.origin}/second-factor`
    throw new Problem('second_factor_needed', `prove a second factor at ${where}, then try again`)
  }
  const { confirmMinutes } = (await op.settings.current()).security
  if (isConfirmed(proof, op.now(), confirmMinutes)) return
  const page = `confirm your identity at ${op.origin}/account/confirm, then send this again`
  throw new Problem('confirmation_needed', page)
}

// ---------------------------------------------------------------- withdrawn

export async function cancel(op: Op, request: AccessRequest, actor: Actor): Promise<void> {
  await op.write(async (tx, audit) => {
    if (!(await finishRequest(tx, request, 'cancelled', op.now()))) throw over()
    audit(requestEvent('access_request.cancelled', request, actor))
    await tellEnd(op, tx, request, 'cancelled')
  })
}
