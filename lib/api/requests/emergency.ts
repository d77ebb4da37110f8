import type { RequestRule } from '../../access/policy'
import { isNotRefused } from '../../access/request-rules'
import { askOnce } from '../../base/ask-once'
import { failpoint } from '../../base/failpoint'
import { DAY_MS } from '../../base/time'
import type { Op, Reader, Transaction } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import type { Actor } from '../../oidc/audit-event'
import type { AccessRequest } from '../../store/requests/access-requests'
import { holdAsked, isAlreadyGranted } from '../../store/requests/approved-access'
import {
  countOpenedSince,
  findMissedReview,
  findUnjustified,
  isOpenNow,
} from '../../store/requests/emergencies'
import { holdAsker, insertAccessRequest, type NewRequest } from '../../store/requests/steps'
import type { Caller } from '../http/caller'
import { invalidField, Problem } from '../http/problem'
import {
  agree,
  asGiven,
  newRequest,
  type RequestableItem,
  type RequestedAccess,
  requireRequest,
  ruleContext,
} from './create'
import { give, isInPerson, requireFresh, touchedBy } from './decide'
import { isNamed, namedIn } from './emergency-rule'
import { requestEvent, tellByMail } from './news'
import { everyOwner, reviewersOf } from './review'

/**
 * Somebody who was named beforehand opens access alone. It ends soon, every owner is told at once,
 * and somebody else reviews it.
 */

const MIN_REASON_LENGTH = 8
const MAX_A_DAY = 5
const UNJUSTIFIED_MS = 30 * DAY_MS
/** Before the deadline of the review; of a short time, its last quarter. */
const REMIND_MS = 2 * 60 * 60 * 1000

/** In person only: an application with the user's token can only say that it is urgent. */
export async function mayOpen(
  op: Op,
  caller: Caller,
  { item, rule, policy }: RequestableItem,
  { named }: Pick<KnownOf, 'named'> = knownOf(op, caller),
): Promise<boolean> {
  if (!isInPerson(caller) || rule.emergency === null) return false
  if (!(await named(item.api.id, rule))) return false
  const whose = { userId: caller.id, emergency: true }
  return isNotRefused(rule, ruleContext(op, policy, whose, item))
}

export type KnownOf = {
  named(apiId: string, rule: RequestRule): Promise<boolean>
  barred(apiId: string): Promise<EmergencyBar>
}

/** What emergencies have to know of a caller, asked once for each rule and each API. */
export function knownOf(op: Op, { id: userId }: Pick<Caller, 'id'>): KnownOf {
  const rules = new Map<string, Promise<boolean>>()
  return {
    named(apiId, { id, emergency }) {
      const found = rules.get(id) ?? isNamed(op, { apiId, userId }, emergency ?? { people: [] })
      rules.set(id, found)
      return found
    },
    barred: askOnce((apiId: string) =>
      op.read((db) => barredFrom(db, { userId, apiId }, op.now())),
    ),
  }
}

export async function openInEmergency(
  op: Op,
  caller: Caller,
  asked: RequestedAccess,
  { item, rule }: RequestableItem,
  actor: Actor,
): Promise<AccessRequest> {
  requireTerms(op, asked)
  await requireFresh(op, caller)
  const request = openedNow(op, newRequest(op, asked, item, rule), rule)
  const given = asGiven(op, request)
  const named = await namedIn(op, request, emergencyOf(rule))
  const reviewers = await reviewersOf(op, request)
  const owners = await everyOwner(op, request)
  await op.changePolicy(async (tx, audit) => {
    if (!(await holdAsker(tx, request.userId)) || (await named(tx)).length === 0)
      throw new Problem('forbidden', errorMessage('emergency_not_named'))
    if (!(await holdAsked(tx, request)))
      throw new Problem('conflict', errorMessage('not_requestable'))
    if ((await reviewers(tx)).length === 0)
      throw new Problem('conflict', errorMessage('emergency_nobody_reviews'))
    await requireRight(op, tx, request)
    await agree(tx, asked, request.createdAt)
    await insertAccessRequest(tx, request)
    const gave = await give(op, tx, given)
    if (!gave) throw new Problem('conflict', errorMessage('not_requestable'))
    const detail = { ...gave, reason: asked.reason, reviewUntil: request.reviewDeadline }
    audit(requestEvent('access_request.emergency_opened', request, actor, detail))
    await tellByMail(op, tx, await owners(tx), request, 'emergency')
    // If it was not them, they learn of it.
    await tellByMail(op, tx, [request.userId], request, 'opened')
  }, touchedBy(given))
  failpoint('emergency:opened')
  return requireRequest(op, request.id)
}

function requireTerms(op: Op, { refused, reason, until }: RequestedAccess): void {
  if ((reason ?? '').length < MIN_REASON_LENGTH)
    throw invalidField(
      '/reason',
      errorMessage('emergency_reason', { minimum: `${MIN_REASON_LENGTH}` }),
    )
  if (until !== null && until <= op.now())
    throw invalidField('/until', errorMessage('future_needed'))
  // What an application lacks itself, others give it: it would act with it for whoever is in a hurry.
  if (refused.lacks.includes('application'))
    throw new Problem('forbidden', errorMessage('emergency_application'))
}

function emergencyOf({ emergency }: RequestRule) {
  if (emergency !== null) return emergency
  throw new Problem('forbidden', errorMessage('emergency_not_named'))
}

/** It waits for nobody, and others may still decide about the same for longer. */
function openedNow(op: Op, request: NewRequest, rule: RequestRule): NewRequest {
  const emergency = emergencyOf(rule)
  const maxSeconds = Math.min(rule.maxSeconds, emergency.seconds)
  const lengthMs = emergency.reviewSeconds * 1000
  const endMs = op.now().getTime() + lengthMs
  return {
    ...request,
    pendingKey: null,
    terms: { ...request.terms, maxSeconds, emergency },
    reviewDeadline: new Date(endMs),
    reviewRemindAt: new Date(endMs - Math.min(lengthMs / 4, REMIND_MS)),
  }
}

type EmergencyBar = {
  /** What nobody has reviewed in time. */
  missing: { id: string; scope: string; since: Date } | null
  /** What somebody found not justified, and how long that counts. */
  unjustified: { id: string; scope: string; until: Date } | null
}

/** Why this user opens nothing of the API now, by whichever rule. */
async function barredFrom(
  db: Reader,
  who: Pick<AccessRequest, 'userId' | 'apiId'>,
  now: Date,
): Promise<EmergencyBar> {
  const missed = await findMissedReview(db, who, now)
  const found = await findUnjustified(db, who, new Date(now.getTime() - UNJUSTIFIED_MS))
  const until = (since: Date | null) => new Date((since ?? now).getTime() + UNJUSTIFIED_MS)
  return {
    missing: missed && { id: missed.id, scope: missed.scope, since: missed.reviewDeadline ?? now },
    unjustified: found && { id: found.id, scope: found.scope, until: until(found.reviewedAt) },
  }
}

async function requireNotBarred(tx: Transaction, request: NewRequest, now: Date): Promise<void> {
  const { missing, unjustified } = await barredFrom(tx, request, now)
  if (missing) {
    const { scope, id, since } = missing
    const values = { permission: scope, request: id, since: since.toISOString() }
    throw new Problem('forbidden', errorMessage('emergency_review_missing', values))
  }
  if (unjustified) {
    const { scope, id, until } = unjustified
    const values = { permission: scope, request: id, until: until.toISOString() }
    throw new Problem('forbidden', errorMessage('emergency_unjustified', values))
  }
}

/** One at a time, few a day, and none after a review that is missing or found it wrong. */
async function requireRight(op: Op, tx: Transaction, request: NewRequest): Promise<void> {
  const now = op.now()
  await requireNotBarred(tx, request, now)
  if (await isAlreadyGranted(tx, request, now))
    throw new Problem('conflict', errorMessage('access_given'))
  if (await isOpenNow(tx, request, now))
    throw new Problem('conflict', errorMessage('emergency_open'))
  const yesterday = new Date(now.getTime() - DAY_MS)
  if ((await countOpenedSince(tx, request.userId, yesterday, MAX_A_DAY)) >= MAX_A_DAY)
    throw new Problem('conflict', errorMessage('emergencies_a_day', { maximum: `${MAX_A_DAY}` }))
}
