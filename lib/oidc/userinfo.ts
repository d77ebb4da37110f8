import { type Incoming, json, NO_STORE, type Reply } from '../base/http'
import { readBearer } from './bearer'
import { claimsFor } from './claims'
import { OAuthError } from './errors'
import { liveGrant } from './live'
import type { Provider } from './provider'
import { verifyAccessToken } from './verify'

/** GET and POST /oidc/me (OpenID Connect Core §5.3) */
export async function userinfo(op: Provider, incoming: Incoming): Promise<Reply> {
  const token = await readBearer(incoming)
  // RFC 6750 §3.1: a request without a token gets no error code, only the challenge.
  if (token === null)
    return json(401, {}, { ...NO_STORE, 'WWW-Authenticate': `Bearer realm="${op.issuer}"` })
  const claims = await verifyAccessToken(op, token)
  const grant = claims && (await liveGrant(op, claims))
  const person = grant && (await op.people.find(grant.userId))
  if (!claims || !grant || !person)
    throw new OAuthError('invalid_token', 'the access token is not valid')
  const scopes = String(claims.scope).split(' ')
  if (!scopes.includes('openid')) {
    throw new OAuthError('insufficient_scope', 'the scope openid is required')
  }
  return json(200, claimsFor(person, scopes, grant.claims), NO_STORE)
}
