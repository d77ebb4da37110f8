import { hash } from 'node:crypto'
import type { Question } from '../../access/decide-scopes'
import { expandScopes } from '../../access/expand'
import type { NextAction } from '../../access/next-action'
import type { Policy } from '../../access/policy'
import type { Incoming } from '../../base/http'
import { signJwt } from '../../crypto/jwt'
import { aboutUser } from '../about-user'
import { type AboutUser, accessTokenAttributes, idTokenClaims, saysMore } from '../claims'
import type { Application, Client } from '../client'
import { clientIn } from '../client-auth'
import { saidNo } from '../consent'
import { userContext } from '../context'
import { type ErrorOptions, OAuthError } from '../errors'
import { issueAccessToken } from '../issue'
import { keptOutBy } from '../missing'
import { agreedForNames } from '../named-claims'
import type { Form } from '../params'
import { askedResources } from '../parse-authorization-request'
import type { Provider } from '../provider'
import type { ReasonOf } from '../refusal-reasons'
import type { RequestedClaims } from '../requested-claims'
import {
  admissionOf,
  askedBy,
  type DecidedScopes,
  keptRefusal,
  rejectedMembers,
  settleScopes,
} from '../scopes'
import type { Answers, Authorization, NewTokenGrant } from '../stores'
import type { TokenResponse } from './token-response'

/** What the grant types with a user share: the new decision, and the tokens. */

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
  authorization: Authorization & { answered: Answers; grantType?: string },
  asked: readonly string[],
  audiences: readonly string[],
): Promise<DecidedScopes> {
  const { userId } = authorization
  const snapshot = await op.snapshot({ clients: [authenticated.id], users: [userId] })
  const { policy } = snapshot
  const client = clientIn(op, snapshot, authenticated)
  const scopes = expandScopes(policy, asked)
  const { answered } = authorization
  const agreed = expandScopes(policy, authorization.scopes).some((scope) => answered.get(scope))
  if (!agreed) throw invalidGrant('consent_gone')
  const question: Question = {
    scopes,
    userId,
    withheld: new Set(scopes.filter((scope) => !answered.get(scope))),
    audiences,
    context: userContext(op, incoming, client, { user: { id: userId }, ...authorization }, policy),
    ...askedBy(client),
  }
  const no = saidNo(answered)
  const admission = await admissionOf(policy, client.application, { ...question, withheld: no })
  if (!admission) throw await notAdmitted(op, policy, client, question, no)
  return settleScopes(op, policy, client, question, admission)
}

/**
 * What helps is for an authenticated client, as with a refused scope. It sends the user to the
 * authorization endpoint, where a page says what is missing and how to ask for it.
 */
async function notAdmitted(
  op: Provider,
  policy: Policy,
  { application, confidential }: Client,
  question: Question,
  saidNo: ReadonlySet<string>,
): Promise<OAuthError> {
  const required = application.requiredScopes.filter((scope) => saidNo.has(scope))
  const whole = { ...question, withheld: saidNo }
  const { lacked, canAsk } = await keptOutBy(policy, application, whole)
  return invalidGrant('user_not_admitted', {
    facts: { required_scopes: lacked },
    ...(canAsk && confidential && { members: { next_action: 'request' satisfies NextAction } }),
    ...keptRefusal(op, question, required),
  })
}

type UserTokens = {
  client: Client
  incoming: Incoming
  grant: NewTokenGrant
  settled: DecidedScopes
  audiences: readonly string[]
  tokenId: string
  refreshToken: string | null
  nonce: string | null
}

export async function userTokenResponse(op: Provider, tokens: UserTokens): Promise<TokenResponse> {
  const { client, settled, audiences, tokenId, refreshToken, grant } = tokens
  const { policy } = await op.snapshot()
  const told = needsUser(tokens) ? await userOf(op, tokens) : null
  const claims = accessTokenExtras(client.application, grant, told?.about ?? null)
  const subject = grant.userId
  const { granted: scopes, until } = settled
  noteRegistered(op, tokens)
  const asked = { client, policy, subject, scopes, audiences, tokenId, until, claims }
  const access = await issueAccessToken(op, asked)
  const idToken = scopes.includes('openid')
    ? await signedIdToken(op, tokens, told, access.token)
    : null
  return {
    access_token: access.token,
    token_type: 'Bearer',
    expires_in: access.expiresIn,
    scope: scopes.join(' '),
    ...rejectedMembers(op, client, settled, tokenId, grant.id),
    ...(refreshToken && { refresh_token: refreshToken }),
    ...(idToken && { id_token: idToken }),
  }
}

/** A client that registered itself stays as long as users sign in to it. */
function noteRegistered(op: Provider, { client, incoming: { ip } }: UserTokens): void {
  const { id, registration } = client.application
  if (registration !== 'admin') op.noteUse({ kind: 'registration', id, ip })
}

/** Most tokens say nothing about the user, and cost no query for it. */
function needsUser({ client: { application }, grant }: UserTokens): boolean {
  const maps = application.claimMappings.some((mapping) => mapping.in.includes('access_token'))
  return maps || saysMore(application, grant.claims.id_token)
}

type Told = { about: AboutUser; namedScopes: readonly string[] }

async function userOf(op: Provider, tokens: UserTokens): Promise<Told | null> {
  const { client, incoming, grant, settled } = tokens
  const { application } = client
  const { userId } = grant
  const { policy } = await op.snapshot({ clients: [client.id], users: [userId] })
  const login = { user: { id: userId }, ...grant }
  const context = userContext(op, incoming, client, login, policy)
  const scopes = settled.granted
  const about = await aboutUser(op, policy, { application, userId, scopes, context })
  if (!about) return null
  const named = grant.claims.id_token
  if (Object.keys(named).length === 0) return { about, namedScopes: [] }
  const answered = await op.consents.find(userId, application.id)
  const agreed = { client, userId, answered, context }
  return { about, namedScopes: await agreedForNames(policy, agreed, named, scopes) }
}

type Login = Pick<NewTokenGrant, 'id' | 'acr' | 'amr' | 'authTime' | 'sessionId'>

/** Beyond RFC 9068: the sign-in, and attributes that the application is set to get. */
export function accessTokenExtras(
  { claimMappings }: Application,
  { id, acr, authTime, sessionId }: Omit<Login, 'amr'>,
  about: AboutUser | null,
) {
  return {
    ...(about && accessTokenAttributes(about, claimMappings)),
    grant_id: id,
    // RFC 9470 §6.2: an API can ask for a stronger or a newer sign-in.
    acr,
    auth_time: secondsOf(authTime),
    ...(sessionId && { sid: sessionId }),
  }
}

export function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

async function signedIdToken(
  op: Provider,
  { client, grant, settled, nonce }: UserTokens,
  told: Told | null,
  accessToken: string,
) {
  const key = await op.signingKey(client.application.idTokenAlg)
  const { application } = client
  const more = told && moreInIdToken(application, grant.claims, settled.granted, told)
  return signJwt(key, 'JWT', {
    ...more,
    ...idTokenBasics(op, client.id, grant),
    at_hash: halfHash(accessToken),
    ...(nonce !== null && { nonce }),
  })
}

/** OpenID Connect Core §2; most claims about the user come from userinfo (§5.4). */
export function idTokenBasics(
  op: Provider,
  clientId: string,
  { userId, authTime, acr, amr, sessionId }: Omit<Login, 'id'> & { userId: string },
) {
  const issuedAt = secondsOf(op.now())
  return {
    iss: op.issuer,
    sub: userId,
    aud: clientId,
    iat: issuedAt,
    exp: issuedAt + ID_TOKEN_SECONDS,
    auth_time: secondsOf(authTime),
    acr,
    amr,
    ...(sessionId && { sid: sessionId }),
  }
}

export function moreInIdToken(
  { claimMappings, profileInIdToken }: Application,
  { id_token: named }: RequestedClaims,
  scopes: readonly string[],
  { about, namedScopes }: Told,
) {
  const withProfile = profileInIdToken
  const wanted = { scopes, named, namedScopes, mappings: claimMappings, withProfile }
  return idTokenClaims(about, wanted)
}

/** OpenID Connect Core §3.1.3.6: the left half of SHA-256, for RS256 and ES256 alike. */
function halfHash(token: string): string {
  return hash('sha256', token, 'buffer').subarray(0, 16).toString('base64url')
}

export const NO_GRANT = 'the grant is unknown, expired, used or revoked'

/** The same words for every reason (attack D16). */
export function invalidGrant(
  reason: ReasonOf<'invalid_grant'>,
  options: ErrorOptions = {},
): OAuthError {
  return new OAuthError('invalid_grant', NO_GRANT, reason, options)
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
  { application }: Client,
  form: Form,
  authorized: readonly string[],
): Promise<readonly string[]> {
  const asked = await askedResources(op, application, form)
  if (asked.length === 0) return authorized
  const within = asked.every((audience) => authorized.includes(audience))
  if (authorized.length === 0 || within) return asked
  const description = 'the resource was not authorized'
  throw new OAuthError('invalid_target', description, 'resource_not_authorized')
}
