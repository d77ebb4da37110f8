import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import type { Actor } from '../../oidc/audit-event'
import { listOwners } from '../../store/accounts/users'
import { deleteApprovedGrants } from '../../store/permissions/grants'
import type { AccessRequest } from '../../store/requests/access-requests'
import { saveReview } from '../../store/requests/emergencies'
import type { NewRequest } from '../../store/requests/steps'
import type { Caller } from '../http/caller'
import { Problem } from '../http/problem'
import { type Finding, othersIn } from './approvers'
import { requireFreshFor, requireInPerson, touchedBy } from './decide'
import { requestEvent, tellByMail } from './news'

/** Somebody else looks at what was opened in an emergency, and says whether it had to be. */

type Opened = Pick<AccessRequest, 'apiId' | 'userId'> & Pick<NewRequest, 'terms'>

/** Those whom the rule named then, and the owners of the portal; never whoever opened it. */
export async function reviewersOf(op: Op, request: Opened): Promise<Finding> {
  return withOwners(request, await othersIn(op, request, request.terms.emergency?.reviewers ?? []))
}

/** Those who are told: the owners of the API and of the portal, and the reviewers. */
export async function everyOwner(op: Op, request: Opened): Promise<Finding> {
  const reviewers = request.terms.emergency?.reviewers ?? []
  return withOwners(request, await othersIn(op, request, [{ type: 'api_owners' }, ...reviewers]))
}

/** Those who are reminded: whom the rule named, or the owners of the portal if none is left. */
export async function remindedOf(op: Op, request: Opened): Promise<Finding> {
  const named = await othersIn(op, request, request.terms.emergency?.reviewers ?? [])
  const withAll = withOwners(request, named)
  return async (db, among) => {
    const found = await named(db, among)
    return found.length > 0 ? found : withAll(db, among)
  }
}

function withOwners({ userId }: Opened, found: Finding): Finding {
  return async (db, among) => {
    const owners = (await listOwners(db)).filter((id) => among?.includes(id) ?? true)
    const all = new Set([...(await found(db, among)), ...owners])
    all.delete(userId)
    return [...all]
  }
}

export async function isReviewer(op: Op, userId: string, request: AccessRequest): Promise<boolean> {
  if (request.reviewDeadline === null || request.userId === userId) return false
  const reviewers = await reviewersOf(op, request)
  return (await op.read((db) => reviewers(db, [userId]))).length > 0
}

/** Also what was found not justified, as an owner of the portal: a mistake must not last. */
export async function mayReview(op: Op, userId: string, request: AccessRequest): Promise<boolean> {
  if (!(await isReviewer(op, userId, request))) return false
  if (request.reviewedAt === null) return true
  return request.justified === false && (await op.read(listOwners)).includes(userId)
}

type Review = { justified: boolean; reason: string }

export async function review(
  op: Op,
  caller: Caller,
  request: AccessRequest,
  { justified, reason }: Review,
  actor: Actor,
): Promise<void> {
  requireInPerson(caller)
  if (request.reviewDeadline === null)
    throw new Problem('conflict', errorMessage('nothing_to_review'))
  if (caller.id === request.userId) throw new Problem('forbidden', errorMessage('own_review'))
  await requireFreshFor(op, caller, request)
  const reviewers = await reviewersOf(op, request)
  const now = op.now()
  await op.changePolicy(async (tx, audit) => {
    if ((await reviewers(tx, [caller.id])).length === 0)
      throw new Problem('forbidden', errorMessage('not_reviewer'))
    const said = { reviewerId: caller.id, justified, reviewReason: reason }
    const corrects = justified && (await listOwners(tx)).includes(caller.id)
    if (!(await saveReview(tx, request.id, said, now, { corrects })))
      throw new Problem('conflict', errorMessage('reviewed_already'))
    audit(requestEvent('access_request.reviewed', request, actor, { justified, reason }))
    const grants = justified ? null : await deleteApprovedGrants(tx, request, now)
    if (grants) audit(requestEvent('access_request.revoked', request, actor, { grants, reason }))
    await tellByMail(op, tx, [request.userId], request, 'reviewed')
  }, touchedBy(request))
}
