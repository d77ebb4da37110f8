// better-auth with its plugin genericOAuth, without a database.
import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node'
import { genericOAuth } from 'better-auth/plugins'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT, PKCE } = process.env
const auth = betterAuth({
  baseURL: `http://localhost:${PORT}`,
  secret: 'only for this test, and long enough for it',
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: 'portal',
          discoveryUrl: `${ISSUER}/.well-known/openid-configuration`,
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
          scopes: ['openid', 'profile', 'email'],
          ...(PKCE && { pkce: true }),
        },
      ],
    }),
  ],
})
const own = toNodeHandler(auth)

async function home(request, response) {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
  if (session) return response.end(JSON.stringify(session.user))
  const body = { providerId: 'portal', callbackURL: '/' }
  const answer = await auth.api.signInWithOAuth2({ body, asResponse: true })
  const { url } = await answer.json()
  response.writeHead(303, { location: url, 'set-cookie': answer.headers.getSetCookie() }).end()
}

createServer((request, response) =>
  request.url.startsWith('/api/auth/') ? own(request, response) : home(request, response),
).listen(Number(PORT))
