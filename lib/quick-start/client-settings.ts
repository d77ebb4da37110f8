/**
 * What to switch on in clients that others wrote. `pkce`: null if the client sends it by itself,
 * false if it cannot. The page of an application and docs/quick-starts.md show it.
 */

type ClientSetting = { client: string; pkce: string | null | false }

export const CLIENT_SETTINGS = [
  { client: 'AppAuth-JS', pkce: null },
  { client: 'Auth.js 5', pkce: null },
  { client: 'Authlib', pkce: 'client_kwargs={"code_challenge_method": "S256"}' },
  { client: 'better-auth (genericOAuth)', pkce: 'pkce: true' },
  { client: 'django-allauth', pkce: '"oauth_pkce_enabled": True' },
  { client: 'express-openid-connect', pkce: 'authorizationParams: { response_type: "code" }' },
  { client: 'go-oidc, golang.org/x/oauth2', pkce: 'oauth2.S256ChallengeOption(verifier)' },
  { client: 'goth', pkce: false },
  { client: 'HashiCorp cap', pkce: 'oidc.WithPKCE(verifier)' },
  { client: 'kubelogin', pkce: null },
  { client: 'MCP SDKs (TypeScript, Python)', pkce: null },
  { client: 'mod_auth_openidc', pkce: 'OIDCPKCEMethod S256' },
  { client: 'mozilla-django-oidc', pkce: 'OIDC_USE_PKCE = True' },
  { client: 'next-auth 4', pkce: 'checks: ["pkce", "state", "nonce"]' },
  { client: 'Nimbus oauth2-oidc-sdk', pkce: '.codeChallenge(verifier, CodeChallengeMethod.S256)' },
  { client: 'oauth2-proxy', pkce: '--code-challenge-method=S256' },
  { client: 'oauth2c', pkce: '--pkce' },
  { client: 'oidc-client-ts', pkce: null },
  { client: 'openid-client', pkce: 'code_challenge, code_challenge_method: "S256"' },
  { client: 'passport-openidconnect', pkce: false },
  { client: 'requests-oauthlib', pkce: 'OAuth2Session(..., pkce="S256")' },
  { client: 'Rust openidconnect', pkce: '.set_pkce_challenge(challenge)' },
  { client: 'social-auth (Django)', pkce: 'SOCIAL_AUTH_OIDC_USE_PKCE = True' },
  {
    client: 'Spring Boot 3 client',
    pkce: 'OAuth2AuthorizationRequestCustomizers.withPkce()',
  },
  { client: 'Spring Boot 4 client', pkce: null },
] as const satisfies readonly ClientSetting[]

export type ClientName = (typeof CLIENT_SETTINGS)[number]['client']
