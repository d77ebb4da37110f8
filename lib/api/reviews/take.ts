import type { EventName, TargetKind } from '../../base/events'
import type { Audit, Op, Transaction } from '../../context/op'
import type { Actor } from '../../oidc/audit-event'
import { findUser } from '../../store/accounts/users'
import { findAccessKey, updateAccessKey } from '../../store/applications/access-keys'
import { findApplication, updateApplication } from '../../store/applications/applications'
import {
  findAssignmentById,
  removeAssignment,
  subjectOf,
  updateAssignment,
} from '../../store/permissions/assignments'
import { deleteApprovedGrants, isGivenBy } from '../../store/permissions/grants'
import { findRoleById, updateRole } from '../../store/permissions/roles'
import type { ChangedSubject } from '../../store/policy/policy-version'
import { findAccessRequest } from '../../store/requests/access-requests'
import { findReviewed, insertNarrower, removeReviewed } from '../../store/reviews/grants'
import type { Outcome, ReviewItem } from '../../store/reviews/items'
import type { Review } from '../../store/reviews/reviews'
import { requireGrantsWithin } from '../authority/room'
import { saveUser } from '../authority/user-rules'
import { iso } from '../http/schemas'
import { requireWritten } from '../http/version'
import { assignmentToWire } from '../permissions/assignments'
import { requestEvent, tellByMail } from '../requests/news'

/**
 * What a review decided is done here: the same statements and events as if an admin had done it, and
 * only to what was reviewed. What was changed meanwhile stays as it is.
 */

export type End = { outcome: Outcome; reason: string | null }

type TakenItem = { review: Review; item: ReviewItem; actor: Actor }

const CHANGED: End = { outcome: 'changed', reason: null }
const GONE: End = { outcome: 'gone', reason: null }

/** Within one transaction with the outcome of the item. */
export function carryOut(op: Op, tx: Transaction, audit: Audit, taking: TakenItem): Promise<End> {
  const { item } = taking
  if (item.kind === 'assignment') return endAssignment(op, tx, audit, taking)
  if (item.kind === 'admin_role') return endAdminRole(op, tx, audit, taking)
  return item.terms.requestId === null
    ? endGrant(op, tx, audit, taking)
    : endApproved(op, tx, audit, taking)
}

/** What became of it since it was reviewed; null if it is still the same. */
export async function changeSince(
  tx: Transaction,
  review: Review,
  item: ReviewItem,
  now: Date,
): Promise<End | null> {
  const found = await asReviewed(tx, review, item, now)
  return 'outcome' in found ? found : null
}

function asReviewed(tx: Transaction, review: Review, item: ReviewItem, now: Date) {
  if (item.kind === 'assignment') return reviewedAssignment(tx, item)
  if (item.kind === 'admin_role') return reviewedAdmin(tx, item)
  return item.terms.requestId === null
    ? reviewedGrant(tx, review, item)
    : reviewedRequest(tx, item, now)
}

async function reviewedAssignment(tx: Transaction, item: ReviewItem) {
  const row = await findAssignmentById(tx, item.targetId)
  if (!row) return GONE
  return row.version === item.targetVersion ? row : CHANGED
}

async function reviewedGrant(tx: Transaction, { createdAt }: Review, item: ReviewItem) {
  const found = await findReviewed(tx, item, createdAt)
  if (found === 'gone') return GONE
  return found === 'changed' ? CHANGED : found
}

async function reviewedRequest(tx: Transaction, { terms }: ReviewItem, now: Date) {
  const id = terms.requestId ?? ''
  const request = await findAccessRequest(tx, { id })
  const until = request?.status === 'approved' ? request.approvedUntil : null
  if (request && until !== null && until > now) return request
  // No evidence says that something is gone which still gives access.
  return (await isGivenBy(tx, id, now)) ? CHANGED : GONE
}

async function reviewedAdmin(tx: Transaction, { targetId, gives }: ReviewItem) {
  const user = await findUser(tx, targetId)
  if (user?.id !== targetId) return GONE
  return user.adminRole === gives ? user : CHANGED
}

/** An end that has passed since it was chosen is a removal: it is told as one. */
function isNarrowed({ decision, decidedUntil }: ReviewItem, now: Date): boolean {
  return decision === 'narrow' && (decidedUntil === null || decidedUntil > now)
}

function endOf(item: ReviewItem, now: Date): End {
  if (isNarrowed(item, now)) return { outcome: 'narrowed', reason: null }
  if (item.decision === null) return { outcome: 'removed', reason: 'silence' }
  return { outcome: 'removed', reason: item.decision === 'narrow' ? 'ended' : null }
}

type About = { kind: TargetKind; id: string; applicationId?: string | null }

function tell(
  audit: Audit,
  event: EventName,
  { review, item, actor }: TakenItem,
  { kind, id, applicationId = null }: About,
  detail: Record<string, unknown>,
): void {
  audit({
    ...actor,
    event,
    result: 'success',
    targetKind: kind,
    targetId: id,
    ...(applicationId !== null && { applicationId }),
    detail: { ...detail, review: review.id, ...(item.decidedBy && { decided_by: item.decidedBy }) },
  })
}

async function endAssignment(
  op: Op,
  tx: Transaction,
  audit: Audit,
  taking: TakenItem,
): Promise<End> {
  const { item } = taking
  const row = await reviewedAssignment(tx, item)
  if ('outcome' in row) return row
  const about = { kind: 'assignment', id: row.id } as const
  const before = assignmentToWire(row)
  const now = op.now()
  if (isNarrowed(item, now)) {
    const terms = { validUntil: item.decidedUntil }
    if ((await updateAssignment(tx, row, terms, now)) === 0) return CHANGED
    const after = { validUntil: iso(item.decidedUntil) }
    tell(audit, 'assignment.changed', taking, about, { before, after })
  } else {
    if ((await removeAssignment(tx, row)) === 0) return CHANGED
    const { type, id } = subjectOf(row)
    tell(audit, 'assignment.deleted', taking, about, { before, subject: { type, id } })
  }
  return endOf(item, now)
}

async function endGrant(op: Op, tx: Transaction, audit: Audit, taking: TakenItem): Promise<End> {
  const { review, item } = taking
  const found = await reviewedGrant(tx, review, item)
  if ('outcome' in found) return found
  // Whoever writes these grants at the same moment is waited for; then it is looked at again.
  const about = await touchHolder(op, tx, item)
  if (!about) return GONE
  const now = op.now()
  const narrowed = isNarrowed(item, now)
  requireWritten(await removeReviewed(tx, found.id))
  const patterns = [...new Set(item.decidedTo ?? [item.gives])]
  if (narrowed) {
    await insertNarrower(tx, { ...found, item }, patterns, item.decidedUntil, now)
    if (about.kind === 'application') await requireGrantsWithin(tx, about.id)
  }
  const left = narrowed ? patterns.map((pattern) => ({ pattern })) : []
  const until = item.decidedUntil && { until: iso(item.decidedUntil) }
  const before = { grants: [{ id: found.id, pattern: item.gives, ...item.terms }] }
  const after = { grants: left, ...until }
  // The holder's other grants stay as they are.
  tell(audit, EVENTS[about.kind], taking, about, { only: found.id, before, after })
  return endOf(item, now)
}

const EVENTS = {
  application: 'application.grants_replaced',
  access_key: 'access_key.changed',
  role: 'role.permissions_replaced',
} as const

/** A change of its grants is a change of the holder: it gets a new version. */
async function touchHolder(op: Op, tx: Transaction, { subject, applicationId }: ReviewItem) {
  const { type, id } = subject
  if (type === 'role') {
    const role = await findRoleById(tx, id)
    if (!role) return null
    requireWritten(await updateRole(tx, role, {}, op.now()))
    return { kind: 'role', id } as const
  }
  if (type === 'access_key') {
    const key = await findAccessKey(tx, applicationId ?? '', id)
    if (!key) return null
    requireWritten(await updateAccessKey(tx, key, {}))
    return { kind: 'access_key', id, applicationId } as const
  }
  const application = await findApplication(tx, id, null)
  if (!application) return null
  requireWritten(await updateApplication(tx, application, {}, op.now()))
  return { kind: 'application', id, applicationId: id } as const
}

/** What an access request gave is taken back as a whole. */
async function endApproved(op: Op, tx: Transaction, audit: Audit, taking: TakenItem): Promise<End> {
  const { review, item, actor } = taking
  const request = await reviewedRequest(tx, item, op.now())
  if ('outcome' in request) return request
  const grants = await deleteApprovedGrants(tx, request, op.now())
  if (grants === null) return GONE
  const decided = item.decidedBy && { decided_by: item.decidedBy }
  const detail = { grants, reason: item.comment, review: review.id, ...decided }
  audit(requestEvent('access_request.revoked', request, actor, detail))
  await tellByMail(op, tx, [request.userId], request, 'revoked')
  return endOf(item, op.now())
}

/** Refuses to remove the last owner: see `saveUser`. */
async function endAdminRole(
  op: Op,
  tx: Transaction,
  audit: Audit,
  taking: TakenItem,
): Promise<End> {
  const { item } = taking
  const user = await reviewedAdmin(tx, item)
  if ('outcome' in user) return user
  await saveUser(op, tx, user, { adminRole: null })
  const about = { kind: 'user', id: user.id } as const
  const detail = { before: { adminRole: user.adminRole }, after: { adminRole: null } }
  tell(audit, 'user.changed', taking, about, detail)
  return endOf(item, op.now())
}

/** What other server processes must read again. */
export function touchedBy({
  subject: { type, id },
  applicationId,
  terms,
}: ReviewItem): ChangedSubject[] {
  if (terms.requestId !== null) return [{ kind: 'all' }]
  if (type === 'role') return [{ kind: 'model', role: id }]
  if (type === 'access_key') return [{ kind: 'application', id: applicationId ?? '' }]
  return [{ kind: type, id }]
}
