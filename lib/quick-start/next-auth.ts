import { type Guide, portOf, quoted, type Values } from './guide'

/** Next.js with next-auth 4, as examples/relying-party does it. */

export const NEXT_AUTH_CALLBACK = '/api/auth/callback/gatehouse'

export function nextAuth(values: Values): Guide {
  const { origin } = new URL(values.redirectUri)
  return {
    label: 'Next.js',
    install: 'npm install next-auth@4',
    files: [
      { name: '.env.local', text: environment(values, origin) },
      { name: 'auth.ts', text: options(values) },
      { name: 'app/api/auth/[...nextauth]/route.ts', text: HANDLER },
    ],
    run: `npx next dev --port ${portOf(values.redirectUri)}`,
    redirectUri: `${origin}${NEXT_AUTH_CALLBACK}`,
  }
}

function environment({ issuer, clientId }: Values, home: string): string {
  return `ISSUER=${issuer}
CLIENT_ID=${clientId}
CLIENT_SECRET=<the client secret>
NEXTAUTH_URL=${home}
NEXTAUTH_SECRET=<openssl rand -base64 32>
`
}

function options({ scope }: Values): string {
  return `import type { NextAuthOptions } from 'next-auth'

export const authOptions: NextAuthOptions = {
  providers: [
    {
      id: 'gatehouse',
      name: 'Gatehouse',
      type: 'oauth',
      wellKnown: \`\${process.env.ISSUER}/.well-known/openid-configuration\`,
      clientId: process.env.CLIENT_ID ?? '',
      clientSecret: process.env.CLIENT_SECRET ?? '',
      authorization: { params: { scope: ${quoted(scope)} } },
      checks: ['pkce', 'state', 'nonce'],
      idToken: true,
      userinfo: {
        request: ({ client, tokens }) =>
          client.userinfo(tokens as Parameters<typeof client.userinfo>[0]),
      },
      profile: ({ sub, name, email }) => ({ id: sub, name: name ?? null, email: email ?? null }),
    },
  ],
}
`
}

const HANDLER = `import NextAuth from 'next-auth'
import { authOptions } from '../../../../auth'

const handler = NextAuth(authOptions)

export { handler as GET, handler as POST }
`
