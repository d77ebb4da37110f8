import { type Application, DEVICE_CODE } from '../oidc/client'
import { paths } from '../oidc/paths'
import type { Values } from './render'

/** What a sample knows of its application, and of the portal. */
export type OfApplication = {
  issuer: string
  /** The base of the endpoints. */
  origin: string
  kind: Application['kind']
  clientId: string
  redirectUri: string
  /** All that are registered: a product has an address of its own. */
  redirectUris: readonly string[]
  postLogoutUri: string | null
  scopes: readonly string[]
  /** It proves who it is with a key of its own (private_key_jwt, RFC 7523) and has no secret. */
  byKey: boolean
}

/** `scope` is the permission that the sample asks for. */
type OfApi = { issuer: string; audience: string; scope: string }

export function valuesOf(app: OfApplication, redirectUri: string): Values {
  const { issuer, origin, kind, clientId, scopes, postLogoutUri, byKey } = app
  const callback = new URL(redirectUri)
  const scope = scopes.join(' ')
  return {
    issuer,
    clientId,
    redirectUri,
    postLogoutUri,
    scope,
    scopes,
    byKey,
    confidential: kind === 'web',
    // The Rust crate adds `openid` by itself.
    otherScopes: scopes.filter((one) => one !== 'openid'),
    // Libraries refuse plain http by default; it is only for a portal on this machine.
    plainHttp: issuer.startsWith('http:'),
    callbackOrigin: callback.origin,
    callbackPath: callback.pathname,
    port: callback.port || '3001',
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    authorizeUrl: `${origin}${paths.authorize}`,
    tokenUrl: `${origin}${paths.token}`,
    userinfoUrl: `${origin}${paths.userinfo}`,
    deviceAuthorizationUrl: `${origin}${paths.deviceAuthorization}`,
    deviceGrant: DEVICE_CODE,
    authorizationRequest: String(
      new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        code_challenge_method: 'S256',
      }),
    ),
  }
}

export function valuesOfApi({ issuer, audience, scope }: OfApi): Values {
  return {
    issuer,
    audience,
    scope,
    plainHttp: issuer.startsWith('http:'),
    // The keys are below the origin of the endpoints, which is that of the issuer.
    jwksUrl: `${new URL(issuer).origin}${paths.jwks}`,
    // Beside the portal and the applications.
    apiPort: '3002',
  }
}
