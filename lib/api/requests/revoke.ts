import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import type { Actor } from '../../oidc/audit-event'
import { deleteApprovedGrants } from '../../store/permissions/grants'
import type { AccessRequest } from '../../store/requests/access-requests'
import { apisOwnedBy } from '../authority/authorize'
import type { Caller } from '../http/caller'
import { Problem } from '../http/problem'
import { touchedBy } from './decide'
import { requestEvent, tellByMail } from './news'

/** What an approval gave is taken back before its end. */

/** Whoever may remove assignments, the person themself, and the owners of the API. */
export async function mayTakeBack(
  op: Op,
  caller: Caller,
  { userId, apiId }: Pick<AccessRequest, 'userId' | 'apiId'>,
): Promise<boolean> {
  if (caller.scopes.has('assignments:write')) return true
  if (caller.kind !== 'user') return false
  if (caller.id === userId) return true
  // For an API owner, an application may do only what its token says.
  if (caller.through !== null && !caller.scopes.has('applications:write')) return false
  return (await apisOwnedBy(op, (await op.snapshot()).policy, caller.id)).has(apiId)
}

export function isInForce({ status, approvedUntil }: AccessRequest, now: Date): boolean {
  return status === 'approved' && approvedUntil !== null && approvedUntil > now
}

/** The request stays as it was decided; its end is now. */
export async function takeBack(
  op: Op,
  request: AccessRequest,
  actor: Actor,
  reason: string | null,
): Promise<void> {
  await op.changePolicy(async (tx, audit) => {
    const grants = await deleteApprovedGrants(tx, request, op.now())
    if (grants === null) throw new Problem('conflict', errorMessage('nothing_to_take_back'))
    audit(requestEvent('access_request.revoked', request, actor, { grants, reason }))
    // Whoever gives it back knows.
    if (actor.actorId !== request.userId) {
      await tellByMail(op, tx, [request.userId], request, 'revoked')
    }
  }, touchedBy(request))
}
