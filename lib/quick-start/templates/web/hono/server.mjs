import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'
import * as openid from 'openid-client'

const { SESSION_SECRET } = process.env
const REDIRECT_URI = "{{redirectUri}}"
{{>shared/openid-client.mjs}}

// Signed, so that nobody can change it. On https, add secure: true.
const keep = (c, name, value) =>
  setSignedCookie(c, name, JSON.stringify(value), SESSION_SECRET, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
  })
const kept = async (c, name) => {
  const text = await getSignedCookie(c, SESSION_SECRET, name)
  return text ? JSON.parse(text) : null
}

const app = new Hono()

app.get('/', async (c) => {
  const user = await kept(c, 'user')
  return user ? c.json(user) : c.redirect('/login')
})

app.get('/login', async (c) => {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const expectedNonce = openid.randomNonce()
  await keep(c, 'checks', { pkceCodeVerifier, expectedState, expectedNonce })
  const address = openid.buildAuthorizationUrl(portal, {
    redirect_uri: REDIRECT_URI,
    scope: "{{scope}}",
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  })
  return c.redirect(address.href)
})

app.get("{{callbackPath}}", async (c) => {
  const answer = new URL(c.req.url)
  const checks = await kept(c, 'checks')
  const tokens = await openid.authorizationCodeGrant(
    portal,
    new URL(`${answer.pathname}${answer.search}`, REDIRECT_URI),
    { ...checks, idTokenExpected: true },
  )
  const user = await openid.fetchUserInfo(portal, tokens.access_token, tokens.claims().sub)
  deleteCookie(c, 'checks')
  await keep(c, 'user', user)
  return c.redirect('/')
})

serve({ fetch: app.fetch, port: {{port}} })
