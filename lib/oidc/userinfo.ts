import { type Incoming, json, NO_STORE, type Reply } from '../base/http'
import { signJwt } from '../crypto/jwt'
import type { SigningAlgorithm } from '../crypto/keys'
import { aboutUser } from './about-user'
import { readBearer } from './bearer'
import { type Claims, userinfoClaims } from './claims'
import { userContext } from './context'
import { isOAuthError, OAuthError, traceOf } from './errors'
import { liveGrant } from './live'
import { agreedForNames } from './named-claims'
import type { Provider } from './provider'
import { recordAtClient, refusalOf } from './refusal'
import type { ReasonOf } from './refusal-reasons'
import type { TokenGrant } from './stores'
import { type VerifiedClaims, verifyAccessToken, whyNoAccessToken } from './verify'

/** GET and POST /oidc/me (OpenID Connect Core §5.3) */
export async function userinfo(op: Provider, incoming: Incoming): Promise<Reply> {
  const token = await readBearer(incoming)
  // RFC 6750 §3.1: a request without a token gets no error code, only the challenge.
  if (token === null) return challenge(op)
  const claims = await verifyAccessToken(op, token)
  if (!claims) throw notValid(await whyNoAccessToken(op, token))
  try {
    return await answerFor(op, incoming, claims)
  } catch (error) {
    if (isOAuthError(error)) {
      const clientId = String(claims.client_id)
      await recordAtClient(op, incoming, clientId, 'userinfo.refused', refusalOf(error))
    }
    throw error
  }
}

function challenge({ issuer }: Provider): Reply {
  const headers = { ...NO_STORE, 'WWW-Authenticate': `Bearer realm="${issuer}"` }
  return { ...json(401, {}, headers), ...traceOf(notValid('access_token_missing')) }
}

async function answerFor(op: Provider, incoming: Incoming, token: VerifiedClaims): Promise<Reply> {
  const grant = await liveGrant(op, token)
  if (!grant) throw notValid('access_token_ended')
  const scopes = String(token.scope).split(' ')
  if (!scopes.includes('openid')) {
    throw new OAuthError('insufficient_scope', 'the scope openid is required', 'openid_missing')
  }
  const claims = await claimsAbout(op, incoming, grant, scopes)
  const clientId = clientIdOf(grant)
  const { credentials } = await op.snapshot({ clients: [clientId] })
  const alg = credentials.get(clientId)?.application.userinfoAlg ?? null
  return alg === null ? json(200, claims, NO_STORE) : signed(op, alg, clientId, claims)
}

/**
 * OpenID Connect Core §5.3.2. Without a type and an end, nobody takes it for an ID token or an access
 * token.
 */
async function signed(
  op: Provider,
  alg: SigningAlgorithm,
  aud: string,
  claims: Claims,
): Promise<Reply> {
  const body = await signJwt(await op.signingKey(alg), null, { ...claims, iss: op.issuer, aud })
  return { status: 200, headers: { 'Content-Type': 'application/jwt', ...NO_STORE }, body }
}

async function claimsAbout(
  op: Provider,
  incoming: Incoming,
  grant: TokenGrant,
  scopes: readonly string[],
): Promise<Claims> {
  const { userId, claims } = grant
  const clientId = clientIdOf(grant)
  const { policy, credentials } = await op.snapshot({ clients: [clientId], users: [userId] })
  const credential = credentials.get(clientId)
  if (!credential) throw notValid('access_token_ended')
  const { application } = credential
  const login = { user: { id: userId }, ...grant }
  const caller = { id: clientId, ...credential }
  const context = userContext(op, incoming, caller, login, policy)
  const [about, answered] = await Promise.all([
    aboutUser(op, policy, { application, userId, scopes, context }),
    op.consents.find(userId, application.id),
  ])
  if (!about) throw notValid('user_disabled')
  // What the user took away since then is not said either.
  const kept = scopes.filter((scope) => answered.get(scope))
  const named = claims.userinfo
  const agreed = { client: credential, userId, answered, context }
  const namedScopes = await agreedForNames(policy, agreed, named, kept)
  const mappings = application.claimMappings
  return userinfoClaims(about, { scopes: kept, named, namedScopes, mappings })
}

function clientIdOf({ accessKeyId, applicationId }: TokenGrant): string {
  return accessKeyId ?? applicationId
}

function notValid(reason: ReasonOf<'invalid_token'>): OAuthError {
  return new OAuthError('invalid_token', 'the access token is not valid', reason)
}
