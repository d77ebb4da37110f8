import type { Account, DefaultSession, NextAuthOptions, Profile } from 'next-auth'

declare module 'next-auth' {
  interface Session extends DefaultSession {
    sub: string
    granted: string[]
    refused: Refusal[]
  }
}

declare module 'next-auth/jwt' {
  interface JWT {
    idToken?: string | undefined
    granted?: string[]
    refused?: Refusal[]
  }
}

type Refusal = { scope: string; code: string }

/** `orders:refund` needs a role: not everybody gets it, and the page shows why. */
const SCOPE = 'openid profile email orders:read orders:refund'

export function authOptions(): NextAuthOptions {
  return {
    providers: [
      {
        id: 'gatehouse',
        name: 'Gatehouse',
        type: 'oauth',
        wellKnown: discoveryUrl(),
        clientId: setting('CLIENT_ID'),
        clientSecret: setting('CLIENT_SECRET'),
        authorization: { params: { scope: SCOPE } },
        checks: ['pkce', 'state', 'nonce'],
        // The id_token is verified, and is only about who; the name comes from userinfo.
        idToken: true,
        userinfo: {
          // A TokenSet, whatever its type says: so both have to be about the same subject.
          request: ({ client, tokens }) =>
            client.userinfo(tokens as Parameters<typeof client.userinfo>[0]),
        },
        profile: ({ sub, name, email }: Profile) => ({
          id: sub ?? '',
          name: name ?? null,
          email: email ?? null,
        }),
      },
    ],
    pages: { signIn: '/', error: '/' },
    callbacks: {
      // Only right after a sign-in is there an account. All this stays in the encrypted cookie.
      jwt: ({ token, account }) => (account ? { ...token, ...kept(account) } : token),
      // What pages may know, and the browser's own script: not the id_token.
      session: ({ session, token }) => ({
        ...session,
        sub: token.sub ?? '',
        granted: token.granted ?? [],
        refused: token.refused ?? [],
      }),
    },
  }
}

function kept(account: Account) {
  return {
    idToken: account.id_token,
    granted: account.scope?.split(' ') ?? [],
    refused: (account.scope_rejected_reasons ?? []) as Refusal[], // as the token response says it
  }
}

/** OpenID Connect RP-Initiated Logout 1.0 §2 */
export async function endSessionUrl(idToken: string): Promise<URL> {
  const { end_session_endpoint } = await (await fetch(discoveryUrl())).json()
  const url = new URL(end_session_endpoint)
  url.searchParams.set('id_token_hint', idToken)
  url.searchParams.set('post_logout_redirect_uri', homeUrl().href)
  return url
}

export function homeUrl(): URL {
  return new URL('/', setting('NEXTAUTH_URL'))
}

function discoveryUrl(): string {
  return `${setting('ISSUER')}/.well-known/openid-configuration`
}

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}
