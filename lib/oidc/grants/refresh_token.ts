import type { EventName } from '../../base/events'
import type { Incoming } from '../../base/http'
import { seal, unseal } from '../../crypto/seal'
import { deriveKey, newSecret } from '../../crypto/secrets'
import type { AuditEvent } from '../audit-event'
import type { Client } from '../client'
import { OAuthError } from '../errors'
import { type Form, parseScope } from '../params'
import type { Provider } from '../provider'
import type { DecidedScopes } from '../scopes'
import type { GrantEnd, StoredRefreshToken, Suspicion, TokenGrant } from '../stores'
import { tokenIssued } from './issued'
import { suspicionOf } from './repeats'
import type { TokenResponse } from './token-response'
import {
  belongsTo,
  invalidGrant,
  narrowedResources,
  settleForUser,
  userTokenResponse,
} from './user-tokens'

const GRANT_TYPE = 'refresh_token'
export const REFRESH_IDLE_MS = 14 * 24 * 60 * 60 * 1000
export const FAMILY_MS = 90 * 24 * 60 * 60 * 1000

/** A refresh token of an authenticated client, and the tokens that it asks for. */
type Use = {
  client: Client
  incoming: Incoming
  value: string
  stored: StoredRefreshToken
  grant: TokenGrant
  audiences: readonly string[]
  tokenId: string
}

/**
 * RFC 6749 §6, with rotation (RFC 9700 §4.14): every use returns a new token and ends the old one.
 */
export async function refreshToken(
  op: Provider,
  client: Client,
  form: Form,
  incoming: Incoming,
): Promise<TokenResponse> {
  const value = form.get('refresh_token')
  if (value === undefined) {
    throw new OAuthError('invalid_request', 'refresh_token is missing', 'refresh_missing')
  }
  const { stored, grant, answered } = await requireLive(op, client, value)
  const asked = narrowedScopes(form, grant)
  const audiences = await narrowedResources(op, client, form, grant.resources)
  const settled = await settleForUser(
    op,
    client,
    incoming,
    { answered, ...grant },
    asked,
    audiences,
  )
  const use = { client, incoming, value, stored, grant, audiences, tokenId: op.newTokenId() }
  const rotated = await rotate(op, use)
  const successor = rotated ?? (await replaySuccessor(op, use))
  return issueAndRecord(op, use, settled, successor, rotated === null)
}

async function issueAndRecord(
  op: Provider,
  { client, incoming, grant, audiences, tokenId }: Use,
  settled: DecidedScopes,
  refreshToken: string,
  repeat: boolean,
): Promise<TokenResponse> {
  const tokens = {
    client,
    incoming,
    grant,
    settled,
    audiences,
    tokenId,
    refreshToken,
    nonce: null,
  }
  const response = await userTokenResponse(op, tokens)
  op.meter.tokenIssued(GRANT_TYPE)
  const { userId } = grant
  const issued = { grantType: GRANT_TYPE, userId, tokenId, settled, repeat }
  op.record(tokenIssued(client, incoming, issued))
  return response
}

async function requireLive(op: Provider, client: Client, value: string) {
  const presented = await op.refreshTokens.findWithGrant(op.hashSecret(value), op.now())
  if (!presented) throw invalidGrant('refresh_unknown')
  const { grant } = presented
  if (!belongsTo(client, grant)) throw invalidGrant('refresh_other_client')
  if (grant.ended) throw endedGrant(grant, grant.ended)
  return presented
}

function endedGrant({ id, endedFor }: TokenGrant, ended: GrantEnd): OAuthError {
  // The client that the user paused may know it: asking again and again does not help.
  if (ended === 'paused') {
    return new OAuthError('invalid_grant', 'the user paused this application', ended)
  }
  const facts = { token_grant: id, ...(endedFor !== null && { ended_for: endedFor }) }
  return invalidGrant(ended, { facts })
}

/** A refresh may ask for less than what was granted, never for more. */
function narrowedScopes(form: Form, grant: TokenGrant): readonly string[] {
  const asked = parseScope(form.get('scope'))
  if (asked === null || asked.every((scope) => grant.scopes.includes(scope)))
    return asked ?? grant.scopes
  const description = 'the scope exceeds what was granted'
  throw new OAuthError('invalid_scope', description, 'scope_not_authorized')
}

/** There is exactly one successor. Null if another request was first. */
async function rotate(op: Provider, use: Use): Promise<string | null> {
  const { stored, value } = use
  if (stored.usedAt !== null) return null
  const now = op.now()
  const successor = newSecret('ghrt')
  const idle = now.getTime() + REFRESH_IDLE_MS
  const won = await op.refreshTokens.rotate(stored, {
    successor: {
      tokenHash: op.hashSecret(successor),
      familyId: stored.familyId,
      createdAt: now,
      expiresAt: new Date(Math.min(idle, stored.familyExpiresAt.getTime())),
    },
    successorEncrypted: seal(sealingKey(value), stored.tokenHash, successor),
    usedFrom: whereFrom(op, use),
    usedAt: now,
  })
  return won ? successor : null
}

/**
 * Only the holder of the old token can decrypt its successor: the key is derived from the token
 * itself.
 */
function sealingKey(token: string): Buffer {
  return deriveKey(token, 'refresh successor')
}

/** A hash of the network. It can be compared only within one refresh family. */
function whereFrom(op: Provider, { incoming: { ip }, stored }: Use): string | null {
  if (ip === null) return null
  return op.hashSecret(`${stored.familyId} ${op.limits.neighbourhoodOf(ip)}`)
}

/** A repeat within the replay window gets the same successor, unless it looks like theft. */
async function replaySuccessor(op: Provider, use: Use): Promise<string> {
  const used = await requireUsed(op, use)
  const now = op.now()
  const late = now.getTime() - used.usedAt.getTime() >= op.refreshReplayMs
  const suspicion = suspicionOf({ late, from: whereFrom(op, use), usedFrom: used.usedFrom })
  if (suspicion !== null) throw await replayRefused(op, use, used, suspicion)
  const event = { ...replayEvent(use, 'refresh.repeated'), decisionId: use.tokenId }
  if (!(await op.refreshTokens.repeat(used, now, event))) throw endedBefore(use)
  return unseal(sealingKey(use.value), used.tokenHash, used.successorEncrypted)
}

type UsedToken = StoredRefreshToken & { usedAt: Date; successorEncrypted: string }

/** If nobody used it first, it was not rotated because it or its sign-in has ended. */
async function requireUsed(op: Provider, { stored, grant }: Use): Promise<UsedToken> {
  const facts = { token_grant: grant.id }
  const token = await op.refreshTokens.find(stored.tokenHash)
  if (!token) throw invalidGrant('refresh_unknown', { facts })
  if (token.familyRevoked) throw invalidGrant('sign_in_revoked', { facts })
  const { usedAt, successorEncrypted } = token
  if (!usedAt || successorEncrypted === null) throw invalidGrant('refresh_expired', { facts })
  return { ...token, usedAt, successorEncrypted }
}

/** Its sign-in ends, unless it had ended before this repeat. */
async function replayRefused(
  op: Provider,
  use: Use,
  token: StoredRefreshToken,
  suspicion: Suspicion,
): Promise<OAuthError> {
  const { client, grant, incoming } = use
  const event = replayEvent(use, 'refresh.replayed', { reason: suspicion })
  const ended = await op.refreshTokens.endReplayed({
    token,
    userId: grant.userId,
    application: client.application,
    ip: incoming.ip,
    now: op.now(),
    event: { ...event, result: 'failure' },
  })
  if (!ended) return endedBefore(use)
  return invalidGrant('refresh_replayed', { facts: { token_grant: grant.id, suspicion } })
}

function endedBefore({ grant }: Use): OAuthError {
  return invalidGrant('sign_in_revoked', { facts: { token_grant: grant.id } })
}

/** An audit entry about the user of the sign-in, who sees it in their activity too. */
function replayEvent(
  { client, incoming, grant }: Use,
  event: EventName,
  detail: object = {},
): AuditEvent {
  return {
    event,
    result: 'success',
    actorKind: 'client',
    actorId: client.id,
    applicationId: client.application.id,
    targetKind: 'user',
    targetId: grant.userId,
    ip: incoming.ip,
    requestId: incoming.requestId,
    detail: { ...detail, token_grant: grant.id },
  }
}
