import type { EventName } from '../../base/events'
import type { Audit, Op, Transaction } from '../../context/op'
import { orderMails, type REQUEST_NEWS } from '../../delivery/mail/order'
import { enqueueCallback } from '../../delivery/request-callback'
import type { Actor, AuditEvent } from '../../oidc/audit-event'
import type { AccessRequest, RequestStatus } from '../../store/requests/access-requests'
import type { EndedAlone } from '../../store/requests/ends'

/** Who is told of what: the audit log and with it webhooks, mail with a link, and the callback. */

type Told = Pick<
  AccessRequest,
  'id' | 'userId' | 'applicationId' | 'scope' | 'decisionId' | 'resourceId' | 'ruleId'
>

export function requestEvent(
  event: Extract<EventName, `access_request.${string}`>,
  request: Told,
  actor: Actor,
  detail: Record<string, unknown> = {},
): AuditEvent {
  const { id, userId, applicationId, scope, decisionId, resourceId, ruleId } = request
  return {
    ...actor,
    event,
    result: 'success',
    targetKind: 'access_request',
    targetId: id,
    ...(applicationId !== null && { applicationId }),
    ...(decisionId !== null && { decisionId }),
    detail: {
      user: userId,
      permission: scope,
      rule: ruleId,
      ...(resourceId !== null && { instance: resourceId }),
      ...detail,
    },
  }
}

type Letter = (typeof REQUEST_NEWS)[number]

/** A mail carries a link, never a button that decides. */
export function tellByMail(
  op: Op,
  tx: Transaction,
  userIds: readonly string[],
  request: Pick<AccessRequest, 'id' | 'scope'>,
  news: Letter,
): Promise<void> {
  const locale = op.settings.known().languages.default
  const { id, scope } = request
  const letter = { letter: 'access_request', locale, news, request: id, scope } as const
  return orderMails(
    op,
    tx,
    userIds.map((userId) => ({ ...letter, userId })),
  )
}

/** The end of a request: its asker and its callback are told. */
export async function tellEnd(
  op: Op,
  tx: Transaction,
  request: AccessRequest,
  status: Exclude<RequestStatus, 'pending'>,
): Promise<void> {
  if (status !== 'cancelled') await tellByMail(op, tx, [request.userId], request, status)
  if (request.callback !== null) await enqueueCallback(op, tx, request.id, request.applicationId)
}

/** What was opened in an emergency ended with its API. Its review stays until its deadline. */
export async function tellEndedWithApi(
  op: Op,
  tx: Transaction,
  audit: Audit,
  ended: readonly EndedAlone[],
  actor: Actor,
): Promise<void> {
  for (const request of ended) {
    const detail = { grants: request.grants, by: 'api_deleted' }
    audit(requestEvent('access_request.revoked', request, actor, detail))
    await tellByMail(op, tx, [request.userId], request, 'revoked')
  }
}
