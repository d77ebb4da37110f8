{{?byKey}}import { readFileSync } from 'node:fs'
{{?byKey}}import { importJWK } from 'jose'
import express from 'express'
import session from 'express-session'
import * as openid from 'openid-client'

const REDIRECT_URI = "{{redirectUri}}"
{{>shared/openid-client.mjs}}

const app = express()
app.use(
  session({ secret: process.env.SESSION_SECRET, resave: false, saveUninitialized: false }),
)

app.get('/', (request, response) => {
  const { user } = request.session
  if (user) response.json(user)
  else response.redirect('/login')
})

app.get('/login', async (request, response) => {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const expectedNonce = openid.randomNonce()
  request.session.checks = { pkceCodeVerifier, expectedState, expectedNonce }
  const address = openid.buildAuthorizationUrl(portal, {
    redirect_uri: REDIRECT_URI,
    scope: "{{scope}}",
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  })
  response.redirect(address.href)
})

app.get("{{callbackPath}}", async (request, response) => {
  const { checks } = request.session
  const answer = new URL(request.originalUrl, REDIRECT_URI)
  const tokens = await openid.authorizationCodeGrant(portal, answer, {
    ...checks,
    idTokenExpected: true,
  })
  const user = await openid.fetchUserInfo(portal, tokens.access_token, tokens.claims().sub)
  // A new session for whoever just signed in.
  request.session.regenerate(() => {
    request.session.user = user
    response.redirect('/')
  })
})

app.listen({{port}})
