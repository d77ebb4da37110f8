import { type Incoming, json, NO_STORE, type Reply } from '../base/http'
import type { Client } from './client'
import { authenticateClient, slowDown } from './client-auth'
import { isOAuthError, OAuthError } from './errors'
import { recordForeignOrigin } from './foreign-origin'
import { grants } from './grants'
import type { Grant } from './grants/token-response'
import { type Form, readForm } from './params'
import type { Provider } from './provider'
import { recordTokenRefusal } from './refusal'

/** POST /oidc/token (RFC 6749 §3.2) */
export async function token(op: Provider, incoming: Incoming): Promise<Reply> {
  const form = await readForm(incoming)
  const client = await authenticateClient(op, incoming, form)
  await enforceRateLimit(op, client, incoming)
  try {
    const grant = grantFor(client, form)
    const tokens = await grant(op, client, form, incoming)
    await recordForeignOrigin(op, client, incoming)
    return json(200, tokens, NO_STORE)
  } catch (error) {
    if (isOAuthError(error)) recordTokenRefusal(op, client, incoming, error)
    throw error
  }
}

/**
 * Counted after authentication, so that nobody can use up the quota of another client. A public
 * client, which does not authenticate, is counted for each network.
 */
export async function enforceRateLimit(
  op: Provider,
  { id, confidential }: Client,
  { ip }: Incoming,
): Promise<void> {
  const key = confidential || ip === null ? id : `${id} ${op.limits.networkOf(ip)}`
  const retryAfter = await op.limits.tokenRequests.take(key)
  if (retryAfter > 0) throw slowDown(retryAfter)
}

function grantFor(client: Client, form: Form): Grant {
  const grantType = form.get('grant_type')
  if (grantType === undefined) {
    throw new OAuthError('invalid_request', 'grant_type is missing', 'grant_type_missing')
  }
  const grant = Object.hasOwn(grants, grantType) ? grants[grantType] : undefined
  if (!grant) {
    const description = 'this grant type is not supported'
    throw new OAuthError('unsupported_grant_type', description, 'grant_type_unknown')
  }
  if (!client.application.grantTypes.includes(grantType)) {
    throw new OAuthError(
      'unauthorized_client',
      'the application may not use this grant type',
      'grant_type_not_allowed',
    )
  }
  return grant
}
