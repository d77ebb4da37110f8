/** The paths of the endpoints, below the origin. */
export const paths = {
  authorize: '/oidc/auth',
  token: '/oidc/token',
  deviceAuthorization: '/oidc/device_authorization',
  introspection: '/oidc/token/introspection',
  revocation: '/oidc/token/revocation',
  userinfo: '/oidc/me',
  registration: '/oidc/register',
  endSession: '/oidc/session/end',
  jwks: '/oidc/.well-known/jwks.json',
  discovery: '/.well-known/openid-configuration',
} as const
