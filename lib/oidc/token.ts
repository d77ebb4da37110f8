import { type Incoming, json, NO_STORE, type Reply } from '../base/http'
import type { Client } from './client'
import { authenticateClient, slowDown } from './client-auth'
import { isOAuthError, OAuthError } from './errors'
import { type Grant, grants } from './grants'
import { type Form, readForm } from './params'
import type { AuditEvent, Provider } from './provider'

/** POST /oidc/token (RFC 6749 §3.2) */
export async function token(op: Provider, incoming: Incoming): Promise<Reply> {
  const form = await readForm(incoming)
  const client = await authenticateClient(op, incoming, form)
  await requireModeration(op, client, incoming)
  try {
    const grant = grantFor(client, form)
    return json(200, await grant(op, client, form, incoming), NO_STORE)
  } catch (error) {
    if (isOAuthError(error)) recordTokenRefusal(op, client, incoming, error)
    throw error
  }
}

/**
 * Counted after authentication, so that nobody can use up the quota of another client. A public
 * client, which does not authenticate, is counted for each network.
 */
export async function requireModeration(
  op: Provider,
  { id, confidential }: Client,
  { ip }: Incoming,
): Promise<void> {
  const key = confidential || ip === null ? id : `${id} ${op.limits.networkOf(ip)}`
  const retryAfter = await op.limits.tokenRequests.take(key)
  if (retryAfter > 0) throw slowDown(retryAfter)
}

/** A device that waits for its user is not refused (RFC 8628 §3.5). */
const WAITING: readonly string[] = ['authorization_pending', 'polled_too_fast']

/** Shows admins why an authenticated client got no token. */
export function recordTokenRefusal(
  op: Provider,
  client: Client,
  incoming: Incoming,
  error: OAuthError,
): void {
  if (WAITING.includes(error.word)) return
  // Anybody can send the requests of a public client.
  const kind = `${client.application.id} ${error.word}`
  if (!client.confidential && !op.limits.refusals.mayRecord(kind)) return
  op.record({
    event: 'token.refused',
    result: 'failure',
    actorKind: 'client',
    actorId: client.id,
    applicationId: client.application.id,
    targetKind: 'application',
    targetId: client.application.id,
    ip: incoming.ip,
    requestId: incoming.requestId,
    ...(error.decisionId && { decisionId: error.decisionId }),
    detail: {
      error: error.word,
      reason: error.refusal?.reason ?? error.message,
      ...error.refusal?.facts,
      ...withoutBindings(error.members),
    },
    ...basisIn(error),
  })
}

/** A binding is for whoever was refused. */
function withoutBindings(members: Record<string, unknown>): Record<string, unknown> {
  const { scope_rejected_reasons: reasons } = members
  if (!Array.isArray(reasons)) return members
  const kept = reasons.map(({ access_request: _, ...reason }) => reason)
  return { ...members, scope_rejected_reasons: kept }
}

/** A code that can no longer be used hides why, but not from the log. */
function basisIn({ basis, cause }: OAuthError): Pick<AuditEvent, 'basis'> {
  if (basis) return { basis }
  return isOAuthError(cause) ? basisIn(cause) : {}
}

function grantFor(client: Client, form: Form): Grant {
  const grantType = form.get('grant_type')
  if (grantType === undefined) throw new OAuthError('invalid_request', 'grant_type is missing')
  const grant = Object.hasOwn(grants, grantType) ? grants[grantType] : undefined
  if (!grant) throw new OAuthError('unsupported_grant_type', 'this grant type is not supported')
  if (!client.application.grantTypes.includes(grantType)) {
    throw new OAuthError('unauthorized_client', 'the application may not use this grant type')
  }
  return grant
}
