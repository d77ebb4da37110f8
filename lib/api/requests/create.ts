import { decidePermission } from '../../access/check'
import { nextForCheck } from '../../access/next-action'
import type { Context, Item, Policy, RequestRule } from '../../access/policy'
import { decidedByRule, ruleFor } from '../../access/request-rules'
import { DAY_MS } from '../../base/time'
import type { Audit, Op, Transaction } from '../../context/op'
import { newId, sha256 } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import { type AccessRequestBinding, contextDigest, openBinding } from '../../oidc/access-request'
import type { Actor } from '../../oidc/audit-event'
import {
  type AccessRequest,
  countAskedSince,
  countPending,
  findAccessRequest,
} from '../../store/requests/access-requests'
import { consentTo, holdAsked, isAlreadyGranted } from '../../store/requests/approved-access'
import {
  finishRequest,
  holdAsker,
  insertAccessRequest,
  type NewRequest,
} from '../../store/requests/steps'
import { apisOwnedBy } from '../authority/authorize'
import { contextOf } from '../decision/decision'
import { scopesOf } from '../http/caller'
import { invalidField, Problem } from '../http/problem'
import { decidersIn, userContext } from './approvers'
import { approve, touchedBy } from './decide'
import { endUndecided, isOverdue } from './expire'
import { requestEvent, tellByMail, tellEnd } from './news'

/** From a refusal to a request. It asks for exactly what was refused. */

/** By the user in person, and by each client for them. */
const MAX_OPEN = 20
/** However the requests end. */
const MAX_A_DAY = 50

export type RefusedScopeRef = Omit<AccessRequestBinding, 'expiresAt'>

/** What was refused to this user, by the binding that came with it. */
export function requireBinding(op: Op, userId: string, token: string): RefusedScopeRef {
  const binding = openBinding(op, token)
  if (binding && binding.userId === userId) return binding
  throw invalidField('/binding', errorMessage('binding_invalid'))
}

/** From the catalogue: what a check of this user refuses now. */
export async function refusedNow(op: Op, userId: string, scope: string): Promise<RefusedScopeRef> {
  const { policy, version } = await op.snapshot({ users: [userId] })
  const subject = { kind: 'user', id: userId } as const
  const context = contextOf(op, policy, subject, { given: undefined })
  const check = { subject, permission: scope, instance: null, context }
  const decision = decidePermission(policy, check)
  const next = decision.allowed ? null : nextForCheck(policy, check, decision)
  if (next?.action !== 'request') throw invalidField('/scope', errorMessage('not_requestable'))
  return {
    userId,
    applicationId: null,
    scope,
    resourceType: null,
    resourceId: null,
    audience: policy.items.get(scope)?.api.audience ?? '',
    contextDigest: contextDigest({}),
    lacks: [...next.lacks],
    policyVersion: version,
    decisionId: op.newTokenId(),
  }
}

export type RequestableItem = { item: Item; rule: RequestRule; policy: Policy }

/** The rule by which it can still be asked for. */
export async function requireRequestable(
  op: Op,
  refused: Pick<RefusedScopeRef, 'userId' | 'applicationId' | 'scope' | 'resourceId' | 'lacks'>,
  pointer: string,
): Promise<RequestableItem> {
  const { userId, applicationId, scope } = refused
  const clients = applicationId === null ? [] : [applicationId]
  const { policy, credentials } = await op.snapshot({ users: [userId], clients })
  // A binding may be older than the deletion of its application.
  if (clients.some((id) => !credentials.get(id)))
    throw invalidField(pointer, errorMessage('binding_invalid'))
  const user = policy.users.get(userId)
  const item = policy.items.get(scope)
  const context = userContext(op, { id: userId, attributes: user?.attributes })
  const rule = user?.enabled && item ? ruleFor(item, context) : null
  if (!item || !rule) throw invalidField(pointer, errorMessage('not_requestable'))
  if (isAllowedNow(op, policy, refused)) throw new Problem('conflict', errorMessage('access_given'))
  return { item, rule, policy }
}

/** Since the refusal, the user may have got it. */
function isAllowedNow(
  op: Op,
  policy: Policy,
  {
    userId,
    scope,
    resourceId,
    lacks,
  }: Pick<RefusedScopeRef, 'userId' | 'scope' | 'resourceId' | 'lacks'>,
): boolean {
  if (!lacks.includes('user')) return false
  const subject = { kind: 'user', id: userId } as const
  const resource = resourceId === null ? {} : { id: resourceId }
  const context = contextOf(op, policy, subject, { given: undefined, resource })
  return decidePermission(policy, { subject, permission: scope, instance: resourceId, context })
    .allowed
}

export type RequestedAccess = {
  refused: RefusedScopeRef
  reason: string | null
  until: Date | null
  emergency: boolean
  callback: string | null
  /** The client that asks for the user; null for the user in person. */
  madeBy: string | null
  /** Where the terms stand in the body. */
  pointers?: { reason: string; until: string }
}

export async function askFor(
  op: Op,
  asked: RequestedAccess,
  { item, rule, policy }: RequestableItem,
  actor: Actor,
): Promise<AccessRequest> {
  requireTerms(op, asked, rule)
  const request = newRequest(op, asked, item, rule)
  const byRule = await decidedAtOnce(op, policy, request, item, rule)
  const deciders = await decidersIn(op, request)
  const given = asGiven(op, request)
  const work = async (tx: Transaction, audit: Audit) => {
    if (!(await holdAsker(tx, request.userId)) || !(await holdAsked(tx, request)))
      throw new Problem('conflict', errorMessage('not_requestable'))
    const open = await findPending(op, tx, audit, request)
    await agree(tx, asked, request.createdAt)
    if (open) return joined(open, asked)
    await requireFew(op, tx, request)
    await insertAccessRequest(tx, request)
    const { reason, emergency } = asked
    audit(requestEvent('access_request.created', request, actor, { reason, emergency }))
    if (byRule === 'refuse') await refuseAtOnce(op, tx, audit, given, actor)
    else if (byRule === 'approve') await approve(op, tx, audit, given, SYSTEM_FOR(actor))
    else await tellAsked(op, tx, request, await deciders(tx))
    return request.id
  }
  // What is only asked for changes no decision.
  const gives = byRule === 'approve'
  const id = gives ? await op.changePolicy(work, touchedBy(given)) : await op.write(work)
  return requireRequest(op, id)
}

/** The same that is pending already: this one joins it, unless nobody can decide about it any more. */
async function findPending(
  op: Op,
  tx: Transaction,
  audit: Audit,
  { pendingKey }: NewRequest,
): Promise<AccessRequest | null> {
  const open = await findAccessRequest(tx, { pendingKey: pendingKey ?? '' })
  if (!open || !isOverdue(open, op.now())) return open
  await endUndecided(op, tx, audit, open, 'expired')
  return null
}

/** Whoever decides; and the user, if a client asked for them. */
async function tellAsked(
  op: Op,
  tx: Transaction,
  request: NewRequest,
  deciders: string[],
): Promise<void> {
  await tellByMail(op, tx, deciders, request, 'asked')
  if (request.madeBy !== null) await tellByMail(op, tx, [request.userId], request, 'asked_for_you')
}

/** The first callback counts, so whoever names another one has to know. */
function joined({ id, callback }: AccessRequest, asked: RequestedAccess): string {
  if (asked.callback === null || asked.callback === callback) return id
  throw new Problem('conflict', errorMessage('other_callback'))
}

/**
 * Whoever asks in person for what an application asked of them agrees to it by asking. To a
 * question of an application about them they say nothing.
 */
export async function agree(tx: Transaction, asked: RequestedAccess, now: Date): Promise<void> {
  const { userId, applicationId, scope, tokenGrantId = null } = asked.refused
  if (applicationId === null || !agrees(asked)) return
  await consentTo(tx, { userId, applicationId, scope, tokenGrantId }, now)
}

export function agrees({ refused, madeBy }: Pick<RequestedAccess, 'refused' | 'madeBy'>): boolean {
  const { applicationId, tokenGrantId } = refused
  return madeBy === null && applicationId !== null && tokenGrantId !== undefined
}

async function requireFew(op: Op, tx: Transaction, request: NewRequest): Promise<void> {
  const now = op.now()
  if (await isAlreadyGranted(tx, request, now))
    throw new Problem('conflict', errorMessage('access_given'))
  if ((await countPending(tx, request, MAX_OPEN)) >= MAX_OPEN)
    throw new Problem('conflict', errorMessage('too_many_requests', { maximum: String(MAX_OPEN) }))
  const yesterday = new Date(now.getTime() - DAY_MS)
  if ((await countAskedSince(tx, request, yesterday, MAX_A_DAY)) >= MAX_A_DAY)
    throw new Problem('conflict', errorMessage('requests_a_day', { maximum: String(MAX_A_DAY) }))
}

const NOBODY = { id: '', name: '' }

/** As it is stored, without the names that nothing here needs. */
export function asGiven(op: Op, request: NewRequest): AccessRequest {
  const names = { user: NOBODY, application: null, reviewer: null, votes: [] }
  return { ...request, ...names, updatedAt: op.now() }
}

/** A decision of the rule is the portal's own, in the request of whoever asked. */
const SYSTEM_FOR = (actor: Actor): Actor => ({ ...actor, actorKind: 'system', actorId: null })

async function refuseAtOnce(
  op: Op,
  tx: Transaction,
  audit: Audit,
  request: AccessRequest,
  actor: Actor,
): Promise<void> {
  await finishRequest(tx, request, 'denied', op.now())
  audit(requestEvent('access_request.denied', request, SYSTEM_FOR(actor), { by: 'rule' }))
  await tellEnd(op, tx, request, 'denied')
}

export async function requireRequest(op: Op, id: string): Promise<AccessRequest> {
  const found = await op.read((db) => findAccessRequest(db, { id }))
  if (!found) throw new Problem('not_found', { code: 'no_access_request', values: { id } })
  return found
}

const POINTERS = { reason: '/reason', until: '/until' }

function requireTerms(op: Op, asked: RequestedAccess, rule: RequestRule): void {
  const { reason, until, pointers = POINTERS } = asked
  if (rule.reasonRequired && !reason) throw invalidField(pointers.reason, errorMessage('required'))
  if (until === null) return
  if (until <= op.now()) throw invalidField(pointers.until, errorMessage('future_needed'))
  if (until.getTime() <= op.now().getTime() + rule.maxSeconds * 1000) return
  const hours = String(Math.floor((rule.maxSeconds / 3600) * 10) / 10)
  throw invalidField(pointers.until, errorMessage('request_end', { hours }))
}

export function newRequest(
  op: Op,
  asked: RequestedAccess,
  { api }: Item,
  rule: RequestRule,
): NewRequest {
  const { refused, reason, until, emergency, callback, madeBy } = asked
  const now = op.now()
  const { name, reasonRequired, maxSeconds, stages } = rule
  const terms = { name, reasonRequired, maxSeconds, stages, emergency: null }
  const seconds = stages.map((stage) => stage.deadlineSeconds * (stage.escalateTo.length ? 2 : 1))
  const longest = now.getTime() + seconds.reduce((sum, one) => sum + one, 0) * 1000
  return {
    id: newId('arq'),
    userId: refused.userId,
    applicationId: refused.applicationId,
    madeBy,
    apiId: api.id,
    scope: refused.scope,
    audience: refused.audience,
    contextDigest: refused.contextDigest,
    resourceType: refused.resourceType,
    resourceId: refused.resourceId,
    policyVersion: refused.policyVersion,
    decisionId: refused.decisionId,
    ruleId: rule.id,
    terms,
    lacks: [...refused.lacks],
    reason,
    requestedUntil: until,
    emergency,
    callback,
    status: 'pending',
    stage: 0,
    escalated: false,
    createdAt: now,
    stageDeadline: new Date(now.getTime() + (stages[0]?.deadlineSeconds ?? 0) * 1000),
    expiresAt: new Date(Math.min(longest, until?.getTime() ?? Infinity)),
    decidedAt: null,
    approvedUntil: null,
    pendingKey: pendingKeyOf(refused, madeBy),
    reviewDeadline: null,
    reviewRemindAt: null,
    reviewMissedAt: null,
    reviewedAt: null,
    reviewerId: null,
    justified: null,
    reviewReason: null,
  }
}

/** A client sees and withdraws what it made itself: nobody joins the request of another. */
export function pendingKeyOf(refused: RefusedScopeRef, madeBy: string | null): string {
  const { userId, applicationId, scope, resourceId, lacks } = refused
  const whole = [userId, madeBy, applicationId, scope, resourceId, [...lacks].sort()]
  return sha256(JSON.stringify(whole))
}

/** What the conditions of a rule can read when it decides by itself. */
export function ruleContext(
  op: Op,
  policy: Policy,
  { userId, emergency }: Pick<NewRequest, 'userId' | 'emergency'>,
  { api, scope }: Item,
): Context {
  const context = userContext(op, { id: userId, attributes: policy.users.get(userId)?.attributes })
  const resource = { scope, audience: api.audience }
  return { ...context, resource, request: { ...context.request, context: { emergency } } }
}

/** Whoever governs the API could write a rule for themselves: about them, people decide. */
async function decidedAtOnce(
  op: Op,
  policy: Policy,
  request: Pick<NewRequest, 'userId' | 'emergency'>,
  item: Item,
  rule: RequestRule,
): Promise<'approve' | 'refuse' | null> {
  const decided = decidedByRule(rule, ruleContext(op, policy, request, item))
  if (decided !== 'approve') return decided
  const owned = await apisOwnedBy(op, policy, request.userId)
  const adminRole = await op.users.adminRoleOf(request.userId)
  const governs = owned.has(item.api.id) || scopesOf(adminRole).has('resources:write')
  return governs ? null : 'approve'
}
