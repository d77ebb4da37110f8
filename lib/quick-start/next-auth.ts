import {
  type Guide,
  homeOf,
  portOf,
  quoted,
  redirectAt,
  SECRET_LINE,
  sample,
  type Values,
} from './guide'

/** Next.js with next-auth 4, as examples/relying-party does it. */

export const NEXT_AUTH_CALLBACK = '/api/auth/callback/gatehouse'

export function nextAuth(values: Values): Guide {
  const redirectUri = redirectAt(values, NEXT_AUTH_CALLBACK)
  const { origin } = new URL(redirectUri)
  return sample({
    label: 'Next.js',
    settings: `${SECRET_LINE}
export NEXTAUTH_SECRET="$(openssl rand -base64 32)"
export NEXTAUTH_URL=${origin}`,
    install: 'npm install next react react-dom next-auth@4',
    files: [
      { name: 'auth.js', text: options(values) },
      { name: 'app/api/auth/[...nextauth]/route.js', text: HANDLER },
      { name: 'app/layout.jsx', text: LAYOUT },
      { name: 'app/page.jsx', text: PAGE },
    ],
    run: `npx next dev --port ${portOf(redirectUri)}`,
    open: homeOf(redirectUri),
    redirectUri,
  })
}

function options({ issuer, clientId, scope }: Values): string {
  return `export const authOptions = {
  providers: [
    {
      id: 'gatehouse',
      name: 'Gatehouse',
      type: 'oauth',
      wellKnown: ${quoted(`${issuer}/.well-known/openid-configuration`)},
      clientId: ${quoted(clientId)},
      clientSecret: process.env.CLIENT_SECRET,
      authorization: { params: { scope: ${quoted(scope)} } },
      checks: ['pkce', 'state', 'nonce'],
      idToken: true,
      // Name and address are in userinfo, not in the ID token.
      userinfo: { request: ({ client, tokens }) => client.userinfo(tokens) },
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
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

const LAYOUT = `export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
`

const PAGE = `import { getServerSession } from 'next-auth'
import { authOptions } from '../auth'

export default async function Home() {
  const session = await getServerSession(authOptions)
  if (!session) return <a href="/api/auth/signin">Sign in</a>
  const { name, email } = session.user
  return (
    <>
      <p>
        Hello, {name} ({email})
      </p>
      <a href="/api/auth/signout">Sign out</a>
    </>
  )
}
`
