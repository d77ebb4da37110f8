import type { Incoming } from '../../base/http'
import { newDatedId } from '../../crypto/secrets'
import type { Client } from '../client'
import { hiddenBehind, isOAuthError } from '../errors'
import type { Provider } from '../provider'
import type { DecidedScopes } from '../scopes'
import type { Answers, Authorization, NewTokenGrant } from '../stores'
import { FAMILY_MS, REFRESH_IDLE_MS } from './refresh_token'
import { NO_GRANT, settleForUser } from './user-tokens'

/** From what a user approved, once, to a token grant: codes and device codes. */

const ONLINE_MS = 24 * 60 * 60 * 1000

type Approved = Authorization & { sessionId: string; grantType?: string }

export async function settleAuthorized(
  op: Provider,
  client: Client,
  incoming: Incoming,
  approved: Approved & { answered: Answers },
  audiences: readonly string[],
): Promise<DecidedScopes> {
  try {
    return await settleForUser(op, client, incoming, approved, approved.scopes, audiences)
  } catch (cause) {
    // Nothing that the user consented to is left: a consent or a role was removed meanwhile (attack
    // E9). After an internal error the code is still valid and can be tried again.
    throw isOAuthError(cause) ? hiddenBehind('invalid_grant', NO_GRANT, cause) : cause
  }
}

export function newTokenGrant(
  op: Provider,
  client: Client,
  approved: Approved,
  { granted }: DecidedScopes,
): NewTokenGrant {
  const createdAt = op.now()
  const offline =
    granted.includes('offline_access') && client.application.grantTypes.includes('refresh_token')
  return {
    id: newDatedId('tgr'),
    applicationId: approved.applicationId,
    accessKeyId: client.accessKey?.id ?? null,
    userId: approved.userId,
    sessionId: approved.sessionId,
    scopes: granted,
    resources: approved.resources,
    claims: approved.claims,
    authTime: approved.authTime,
    acr: approved.acr,
    amr: approved.amr,
    offline,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + (offline ? FAMILY_MS : ONLINE_MS)),
  }
}

export function newRefresh(op: Provider, token: string | null) {
  if (token === null) return null
  const createdAt = op.now()
  return {
    tokenHash: op.hashSecret(token),
    familyId: newDatedId('fam'),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + REFRESH_IDLE_MS),
    familyExpiresAt: new Date(createdAt.getTime() + FAMILY_MS),
  }
}
