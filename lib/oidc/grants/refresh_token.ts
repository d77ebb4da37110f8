import { seal, unseal } from '../../crypto/seal'
import { deriveKey, newSecret } from '../../crypto/secrets'
import type { Incoming } from '../../http'
import type { Client } from '../client'
import { OAuthError } from '../errors'
import { type Form, parseScope } from '../params'
import type { Op, StoredRefreshToken, TokenGrant } from '../provider'
import type { TokenResponse } from './index'
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

/** RFC 6749 §6, with rotation (RFC 9700 §4.14): every use gives a new token and spends the old one. */
export async function refreshToken(
  op: Op,
  client: Client,
  form: Form,
  incoming: Incoming,
): Promise<TokenResponse> {
  const value = form.get('refresh_token')
  if (value === undefined) throw new OAuthError('invalid_request', 'refresh_token is missing')
  const { stored, grant } = await requireLive(op, client, value)
  const asked = narrowedScopes(form, grant)
  const settled = await settleForUser(
    op,
    client,
    incoming,
    grant,
    asked,
    await narrowedResources(op, form, grant.resources),
  )
  const successor = await rotate(op, client, incoming, value, stored)
  op.meter.tokenIssued(GRANT_TYPE)
  return userTokenResponse(op, { client, grant, settled, refreshToken: successor, nonce: null })
}

async function requireLive(op: Op, client: Client, value: string) {
  const stored = await op.refreshTokens.find(op.hashSecret(value))
  if (!stored) throw invalidGrant()
  const grant = await op.tokenGrants.find(stored.tokenGrantId, op.now())
  if (!grant?.alive || !belongsTo(client, grant)) throw invalidGrant()
  return { stored, grant }
}

/** A refresh may ask for less than what was granted, never for more. */
function narrowedScopes(form: Form, grant: TokenGrant): readonly string[] {
  const asked = parseScope(form.get('scope'))
  if (asked === null || asked.every((scope) => grant.scopes.includes(scope)))
    return asked ?? grant.scopes
  throw new OAuthError('invalid_scope', 'the scope is wider than what was granted')
}

/** Exactly one successor is ever made; whoever comes late within the window gets that same one. */
async function rotate(
  op: Op,
  client: Client,
  incoming: Incoming,
  value: string,
  stored: StoredRefreshToken,
): Promise<string> {
  const now = op.now()
  const successor = newSecret('ghrt')
  const row = {
    tokenHash: op.hashSecret(successor),
    familyId: stored.familyId,
    createdAt: now,
    expiresAt: new Date(
      Math.min(now.getTime() + REFRESH_IDLE_MS, stored.familyExpiresAt.getTime()),
    ),
  }
  const sealed = seal(sealingKey(value), stored.tokenHash, successor)
  if (stored.usedAt === null && (await op.refreshTokens.rotate(stored, row, sealed, now)))
    return successor
  return replay(op, client, incoming, value)
}

/** Only the holder of the old token can open its successor: the key comes from the token itself. */
function sealingKey(token: string): Buffer {
  return deriveKey(token, 'refresh successor')
}

async function replay(op: Op, client: Client, incoming: Incoming, value: string): Promise<string> {
  const used = await op.refreshTokens.find(op.hashSecret(value))
  if (!used?.usedAt || used.successorEncrypted === null || used.familyRevoked) throw invalidGrant()
  const late = op.now().getTime() - used.usedAt.getTime()
  if (late < op.refreshReplayMs)
    return unseal(sealingKey(value), used.tokenHash, used.successorEncrypted)
  await op.tokenGrants.revoke(used.tokenGrantId, 'refresh_replay', op.now(), {
    event: 'refresh.replayed',
    result: 'failure',
    actorKind: 'client',
    actorId: client.id,
    applicationId: client.application.id,
    targetKind: 'token_grant',
    targetId: used.tokenGrantId,
    ip: incoming.ip,
    requestId: incoming.requestId,
    detail: {},
  })
  throw invalidGrant()
}
