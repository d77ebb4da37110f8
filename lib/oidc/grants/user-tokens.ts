import { createHash } from 'node:crypto'
import type { Question } from '../../access/decide-scopes'
import { expandScopes } from '../../access/expand'
import type { Incoming } from '../../base/http'
import { signJwt } from '../../crypto/jwt'
import { askedResources } from '../ask'
import type { Client } from '../client'
import { clientIn } from '../client-auth'
import { saidNo } from '../consent'
import { userContext } from '../context'
import { OAuthError } from '../errors'
import { issueAccessToken } from '../issue'
import type { Form } from '../params'
import type { Answers, Authorization, NewTokenGrant, Provider } from '../provider'
import { askedBy, isAdmitted, rejectedMembers, type Settled, settleScopes } from '../scopes'
import type { TokenResponse } from './index'

/** What the two grant types with a user share: the new decision, and the tokens. */

const ID_TOKEN_SECONDS = 3600

/**
 * Decided again for every token. If a role or a consent was removed, the scope is missing. If no
 * consent is left, or the user may no longer use the application, the request is refused (attack
 * F8, B43).
 */
export async function settleForUser(
  op: Provider,
  authenticated: Client,
  incoming: Incoming,
  authorization: Authorization & { answered: Answers },
  asked: readonly string[],
  audiences: readonly string[],
): Promise<Settled> {
  const { userId } = authorization
  const snapshot = await op.snapshot({ clients: [authenticated.id], users: [userId] })
  const { policy } = snapshot
  const client = clientIn(op, snapshot, authenticated)
  const scopes = expandScopes(policy, asked)
  const { answered } = authorization
  const agreed = expandScopes(policy, authorization.scopes).some((scope) => answered.get(scope))
  if (!agreed) throw invalidGrant()
  const question: Question = {
    scopes,
    userId,
    withheld: new Set(scopes.filter((scope) => !answered.get(scope))),
    audiences,
    context: userContext(
      op,
      incoming,
      client,
      { user: { id: userId }, ...authorization },
      policy.users.get(userId)?.attributes ?? {},
    ),
    ...askedBy(client),
  }
  const admitted = { ...question, withheld: saidNo(answered) }
  if (!(await isAdmitted(policy, client.application, admitted))) throw invalidGrant()
  return settleScopes(op, policy, client, question)
}

export type UserTokens = {
  client: Client
  grant: NewTokenGrant
  settled: Settled
  tokenId: string
  refreshToken: string | null
  nonce: string | null
}

export async function userTokenResponse(op: Provider, tokens: UserTokens): Promise<TokenResponse> {
  const { client, grant, settled, tokenId, refreshToken } = tokens
  const { policy } = await op.snapshot()
  const access = await issueAccessToken(op, {
    client,
    policy,
    subject: grant.userId,
    scopes: settled.granted,
    tokenId,
    claims: {
      grant_id: grant.id,
      // RFC 9470 §6.2: an API can ask for a stronger or a newer sign-in.
      acr: grant.acr,
      auth_time: secondsOf(grant.authTime),
      ...(grant.sessionId && { sid: grant.sessionId }),
    },
  })
  const idToken = settled.granted.includes('openid')
    ? await idTokenFor(op, tokens, access.token)
    : null
  return {
    access_token: access.token,
    token_type: 'Bearer',
    expires_in: access.expiresIn,
    scope: settled.granted.join(' '),
    ...rejectedMembers(client, settled.refused),
    ...(refreshToken && { refresh_token: refreshToken }),
    ...(idToken && { id_token: idToken }),
  }
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

/** OpenID Connect Core §2; claims about the user come from userinfo (§5.4). */
async function idTokenFor(op: Provider, { client, grant, nonce }: UserTokens, accessToken: string) {
  const issuedAt = secondsOf(op.now())
  const key = await op.signingKey(client.application.idTokenAlg)
  return signJwt(key, 'JWT', {
    iss: op.issuer,
    sub: grant.userId,
    aud: client.id,
    iat: issuedAt,
    exp: issuedAt + ID_TOKEN_SECONDS,
    auth_time: secondsOf(grant.authTime),
    acr: grant.acr,
    amr: grant.amr,
    at_hash: halfHash(accessToken),
    ...(grant.sessionId && { sid: grant.sessionId }),
    ...(nonce !== null && { nonce }),
  })
}

/** OpenID Connect Core §3.1.3.6: the left half of SHA-256, for RS256 and ES256 alike. */
function halfHash(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')
}

export function invalidGrant(cause?: unknown): OAuthError {
  return new OAuthError('invalid_grant', 'the grant is unknown, expired, used or revoked', {
    cause,
  })
}

type Bound = { applicationId: string; accessKeyId: string | null }

/** Bound to the application and, if an access key began the flow, to that key. */
export function belongsTo(client: Client, { applicationId, accessKeyId }: Bound): boolean {
  if (applicationId !== client.application.id) return false
  return accessKeyId === null || accessKeyId === client.accessKey?.id
}

/** RFC 8707 §2.2: not more than what was authorized. */
export async function narrowedResources(
  op: Provider,
  form: Form,
  authorized: readonly string[],
): Promise<readonly string[]> {
  const asked = await askedResources(op, form)
  if (asked.length === 0) return authorized
  const within = asked.every((audience) => authorized.includes(audience))
  if (authorized.length === 0 || within) return asked
  throw new OAuthError('invalid_target', 'the resource was not authorized')
}
