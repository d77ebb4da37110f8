import type { EventName } from '../../base/events'
import type { Incoming } from '../../base/http'
import { seal, unseal } from '../../crypto/seal'
import { deriveKey, newSecret } from '../../crypto/secrets'
import type { Client } from '../client'
import { OAuthError } from '../errors'
import { type Form, parseScope } from '../params'
import type { AuditEvent, Provider, StoredRefreshToken, TokenGrant } from '../provider'
import type { Settled } from '../scopes'
import type { TokenResponse } from './index'
import { tokenIssued } from './issued'
import { REPEATED_IN_A_ROW, suspicionOf } from './repeats'
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
  if (value === undefined) throw new OAuthError('invalid_request', 'refresh_token is missing')
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
  const successor = rotated ?? (await giveAgain(op, use))
  return issueAndRecord(op, use, settled, successor, rotated === null)
}

async function issueAndRecord(
  op: Provider,
  { client, incoming, grant, audiences, tokenId }: Use,
  settled: Settled,
  refreshToken: string,
  repeat: boolean,
): Promise<TokenResponse> {
  const tokens = {
    ...{ client, incoming, grant, settled, audiences },
    ...{ tokenId, refreshToken, nonce: null },
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
  if (!presented || !belongsTo(client, presented.grant)) throw invalidGrant()
  if (presented.grant.paused) throw paused()
  if (!presented.grant.alive) throw invalidGrant()
  return presented
}

/** The client that the user paused may know it: asking again and again does not help. */
function paused(): OAuthError {
  const refusal = { reason: 'paused' } as const
  return new OAuthError('invalid_grant', 'the user paused this application', { refusal })
}

/** A refresh may ask for less than what was granted, never for more. */
function narrowedScopes(form: Form, grant: TokenGrant): readonly string[] {
  const asked = parseScope(form.get('scope'))
  if (asked === null || asked.every((scope) => grant.scopes.includes(scope)))
    return asked ?? grant.scopes
  throw new OAuthError('invalid_scope', 'the scope exceeds what was granted')
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
async function giveAgain(op: Provider, use: Use): Promise<string> {
  const used = await op.refreshTokens.find(use.stored.tokenHash)
  if (!used?.usedAt || used.successorEncrypted === null || used.familyRevoked) throw invalidGrant()
  const now = op.now()
  const late = now.getTime() - used.usedAt.getTime() >= op.refreshReplayMs
  const circumstances = { late, from: whereFrom(op, use) }
  const given = await op.refreshTokens.replay({
    token: used,
    userId: use.grant.userId,
    application: use.client.application,
    ip: use.incoming.ip,
    now,
    near: REPEATED_IN_A_ROW - 1,
    judge: (repeat) => suspicionOf(repeat, circumstances),
    repeated: ({ times }) => ({
      ...cameAgain(use, 'refresh.repeated', { times }),
      decisionId: use.tokenId,
    }),
    ended: (reason) => ({ ...cameAgain(use, 'refresh.replayed', { reason }), result: 'failure' }),
  })
  if (!given) throw invalidGrant()
  return unseal(sealingKey(use.value), used.tokenHash, used.successorEncrypted)
}

/** An audit entry about the user of the sign-in, who sees it in their activity too. */
function cameAgain({ client, incoming, grant }: Use, event: EventName, detail: object): AuditEvent {
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
