import { type Incoming, json, NO_STORE, type Reply } from '../base/http'
import { aboutUser } from './about-user'
import { readBearer } from './bearer'
import { type Claims, userinfoClaims } from './claims'
import { userContext } from './context'
import { OAuthError } from './errors'
import { liveGrant } from './live'
import type { Provider, TokenGrant } from './provider'
import { verifyAccessToken } from './verify'

/** GET and POST /oidc/me (OpenID Connect Core §5.3) */
export async function userinfo(op: Provider, incoming: Incoming): Promise<Reply> {
  const token = await readBearer(incoming)
  // RFC 6750 §3.1: a request without a token gets no error code, only the challenge.
  if (token === null)
    return json(401, {}, { ...NO_STORE, 'WWW-Authenticate': `Bearer realm="${op.issuer}"` })
  const claims = await verifyAccessToken(op, token)
  const grant = claims && (await liveGrant(op, claims))
  if (!claims || !grant) throw notValid()
  const scopes = String(claims.scope).split(' ')
  if (!scopes.includes('openid')) {
    throw new OAuthError('insufficient_scope', 'the scope openid is required')
  }
  return json(200, await claimsAbout(op, incoming, grant, scopes), NO_STORE)
}

async function claimsAbout(
  op: Provider,
  incoming: Incoming,
  grant: TokenGrant,
  scopes: readonly string[],
): Promise<Claims> {
  const { userId, claims } = grant
  const clientId = grant.accessKeyId ?? grant.applicationId
  const { policy, credentials } = await op.snapshot({ clients: [clientId], users: [userId] })
  const credential = credentials.get(clientId)
  if (!credential) throw notValid()
  const { application } = credential
  const login = { user: { id: userId }, ...grant }
  const caller = { id: clientId, ...credential }
  const context = userContext(op, incoming, caller, login, policy)
  const [about, answered] = await Promise.all([
    aboutUser(op, policy, { application, userId, scopes, context }),
    op.consents.find(userId, application.id),
  ])
  if (!about) throw notValid()
  // What the user took away since then is not said either.
  const kept = scopes.filter((scope) => answered.get(scope))
  const mappings = application.claimMappings
  return userinfoClaims(about, { scopes: kept, named: claims.userinfo, mappings })
}

function notValid(): OAuthError {
  return new OAuthError('invalid_token', 'the access token is not valid')
}
