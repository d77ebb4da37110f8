/** Where the endpoints live, below the origin. */
export const paths = {
  token: '/oidc/token',
  jwks: '/oidc/.well-known/jwks.json',
  discovery: '/.well-known/openid-configuration',
} as const
