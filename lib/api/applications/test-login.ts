import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { z } from 'zod'
import type { Incoming } from '../../base/http'
import type { Op } from '../../context/op'
import { SealError, seal, unseal } from '../../crypto/seal'
import { errorMessage } from '../../i18n/error-message'
import { errorTo } from '../../oidc/answer'
import { keepInteraction } from '../../oidc/authorize'
import type { Credential } from '../../oidc/client'
import { isOAuthError, type OAuthError } from '../../oidc/errors'
import { authorizationCode } from '../../oidc/grants/authorization_code'
import type { TokenResponse } from '../../oidc/grants/token-response'
import { parseForm } from '../../oidc/params'
import { parseAuthorizationRequest } from '../../oidc/parse-authorization-request'
import { userinfo } from '../../oidc/userinfo'
import type { Caller } from '../http/caller'
import { Problem } from '../http/problem'

/**
 * The authorization code flow of an application, with a callback of the portal. That callback is
 * not a redirect URI: /oidc/auth accepts it for no application. It is reached only through an
 * interaction that is stored here, by a caller who may change the application, once, for ten
 * minutes, for one browser. The verifier and the user who began travel encrypted in `state`, so
 * nobody else can redeem the code. The code is exchanged in process, and the tokens are revoked
 * before anybody sees them.
 */

const TEST_LOGIN_PATH = '/admin/tools/test-login'
const TEST_LOGIN_MS = 10 * 60 * 1000

type TestLoginAsk = {
  scope?: string | undefined
  resource: readonly string[]
  prompt?: string | undefined
  login_hint?: string | undefined
  acr_values?: string | undefined
}

const stateSchema = z.strictObject({
  client: z.string(),
  scope: z.string(),
  by: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  until: z.number(),
})
export type TestLoginState = z.infer<typeof stateSchema>

function callbackOf({ origin }: Op): string {
  return `${origin}${TEST_LOGIN_PATH}`
}

/** `cookie` is null if the request was refused before any page was shown. */
type StartedTestLogin = {
  url: string
  cookie: { name: string; value: string } | null
  expiresAt: Date
}

export async function beginTestLogin(
  op: Op,
  caller: Caller,
  credential: Credential,
  ask: TestLoginAsk,
): Promise<StartedTestLogin> {
  const expiresAt = new Date(op.now().getTime() + TEST_LOGIN_MS)
  const state = newState(caller, credential, ask, expiresAt)
  const target = {
    credential,
    redirectUri: callbackOf(op),
    responseMode: 'query',
    state: seal(op.testLoginKey, BOUND, JSON.stringify(state)),
  } as const
  try {
    const parsed = await parseAuthorizationRequest(op, target, parseForm(requestOf(state, ask)))
    const { resumeAt, cookie } = await keepInteraction(op, parsed, TEST_LOGIN_MS)
    return { url: `${op.origin}${resumeAt}`, cookie, expiresAt }
  } catch (error) {
    if (!isOAuthError(error)) throw error
    const { Location = '' } = errorTo(op, target, error).headers
    return { url: Location, cookie: null, expiresAt }
  }
}

const BOUND = 'test login'

function newState(
  caller: Caller,
  { clientId }: Credential,
  { scope = '' }: TestLoginAsk,
  expiresAt: Date,
): TestLoginState {
  return {
    client: clientId,
    scope,
    by: nameOf(caller),
    verifier: randomBytes(32).toString('base64url'),
    nonce: randomBytes(16).toString('base64url'),
    until: expiresAt.getTime(),
  }
}

function nameOf({ kind, id }: Caller): string {
  return `${kind}:${id}`
}

/** The parameters that the application would send to /oidc/auth. */
function requestOf({ verifier, nonce }: TestLoginState, ask: TestLoginAsk): string {
  const { resource, ...rest } = ask
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const fields = {
    response_type: 'code',
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...rest,
  }
  const given = Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const all = [...given, ...resource.map((audience) => ['resource', audience])]
  return new URLSearchParams(all).toString()
}

/** Null if the portal did not write it, or if it has expired. */
export function openTestLogin(op: Op, state: string): TestLoginState | null {
  try {
    const opened = stateSchema.parse(JSON.parse(unseal(op.testLoginKey, BOUND, state)))
    return opened.until > op.now().getTime() ? opened : null
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

export function requireOwnTestLogin(op: Op, caller: Caller, state: string): TestLoginState {
  const opened = openTestLogin(op, state)
  if (opened?.by === nameOf(caller)) return opened
  throw new Problem('conflict', errorMessage('test_login_ended'))
}

type DecodedToken = { header: Record<string, unknown>; claims: Record<string, unknown> }
export type CompletedTestLogin = {
  scope: string
  scope_rejected: string
  reasons: { scope: string; code: string; acr_values?: string; next_action: string }[]
  expires_in: number
  accessToken: DecodedToken
  idToken: DecodedToken | null
  refreshToken: boolean
  userinfo: Record<string, unknown> | null
}

/** The answer of the token endpoint; throws an `OAuthError` if it refuses. */
export async function redeem(
  op: Op,
  incoming: Incoming,
  credential: Credential,
  { verifier }: TestLoginState,
  code: string,
): Promise<CompletedTestLogin> {
  const { clientId, application, accessKey } = credential
  const client = { id: clientId, application, accessKey, confidential: true }
  const fields = { code, code_verifier: verifier, redirect_uri: callbackOf(op) }
  const form = parseForm(new URLSearchParams(fields).toString())
  const tokens = await authorizationCode(op, client, form, incoming)
  const access = decoded(tokens.access_token)
  try {
    return toCompleted(tokens, access, await userinfoOf(op, incoming, tokens))
  } finally {
    await revokeAll(op, incoming, credential, String(access.claims.grant_id))
  }
}

function toCompleted(
  tokens: TokenResponse & { scope_rejected_reasons?: CompletedTestLogin['reasons'] },
  accessToken: DecodedToken,
  claims: CompletedTestLogin['userinfo'],
): CompletedTestLogin {
  return {
    scope: tokens.scope,
    scope_rejected: tokens.scope_rejected ?? '',
    reasons: (tokens.scope_rejected_reasons ?? []).map(reasonOf),
    expires_in: tokens.expires_in,
    accessToken,
    idToken: tokens.id_token === undefined ? null : decoded(tokens.id_token),
    refreshToken: tokens.refresh_token !== undefined,
    userinfo: claims,
  }
}

function decoded(token: string): DecodedToken {
  return { header: { ...decodeProtectedHeader(token) }, claims: { ...decodeJwt(token) } }
}

/** Null without the scope `openid`. */
async function userinfoOf(
  op: Op,
  incoming: Incoming,
  { access_token }: TokenResponse,
): Promise<CompletedTestLogin['userinfo']> {
  const authorization = `Bearer ${access_token}`
  const headers = { get: (name: string) => (name === 'authorization' ? authorization : null) }
  try {
    const asked = { ...incoming, method: 'GET', url: '/oidc/me', headers }
    return JSON.parse((await userinfo(op, asked)).body)
  } catch (error) {
    if (isOAuthError(error)) return null
    throw error
  }
}

async function revokeAll(
  op: Op,
  { ip, requestId }: Incoming,
  { clientId, application }: Credential,
  grantId: string,
): Promise<void> {
  await op.tokenGrants.revoke(grantId, 'test_login', op.now(), {
    event: 'token.revoked',
    result: 'success',
    actorKind: 'client',
    actorId: clientId,
    applicationId: application.id,
    targetKind: 'token_grant',
    targetId: grantId,
    ip,
    requestId,
    detail: { reason: 'test_login' },
  })
}

type Reason = CompletedTestLogin['reasons'][number]

function reasonOf({ scope, code, acr_values, next_action }: Reason): Reason {
  return { scope, code, ...(acr_values !== undefined && { acr_values }), next_action }
}

/** The scopes that the token endpoint refused, if it granted none. */
export function refusedBy({ members, cause }: OAuthError): CompletedTestLogin['reasons'] {
  const own = members.scope_rejected_reasons
  if (Array.isArray(own)) return own.map(reasonOf)
  return isOAuthError(cause) ? refusedBy(cause) : []
}
