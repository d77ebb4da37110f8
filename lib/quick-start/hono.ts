import { paths } from '../oidc/paths'
import {
  API_PORT,
  type ApiValues,
  type Guide,
  homeOf,
  pathOf,
  portOf,
  quoted,
  SECRET_LINE,
  SESSION_LINE,
  sample,
  type Values,
} from './guide'
import { configured } from './node'

export function hono(values: Values): Guide {
  return sample({
    label: 'Hono',
    settings: `${SECRET_LINE}\n${SESSION_LINE}`,
    install: 'npm install hono @hono/node-server openid-client@6',
    files: [{ name: 'server.mjs', text: `${start(values)}${routes(values)}` }],
    run: 'node server.mjs',
    open: homeOf(values.redirectUri),
    redirectUri: values.redirectUri,
  })
}

function start(values: Values): string {
  return `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'
import * as openid from 'openid-client'

const { SESSION_SECRET } = process.env
const REDIRECT_URI = ${quoted(values.redirectUri)}
${configured(values)}
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
`
}

function routes({ redirectUri, scope }: Values): string {
  return `
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
    scope: ${quoted(scope)},
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  })
  return c.redirect(address.href)
})

app.get(${quoted(pathOf(redirectUri))}, async (c) => {
  const answer = new URL(c.req.url)
  const checks = await kept(c, 'checks')
  const tokens = await openid.authorizationCodeGrant(
    portal,
    new URL(\`\${answer.pathname}\${answer.search}\`, REDIRECT_URI),
    { ...checks, idTokenExpected: true },
  )
  const user = await openid.fetchUserInfo(portal, tokens.access_token, tokens.claims().sub)
  deleteCookie(c, 'checks')
  await keep(c, 'user', user)
  return c.redirect('/')
})

serve({ fetch: app.fetch, port: ${portOf(redirectUri)} })
`
}

export function honoApi(values: ApiValues): Guide {
  return sample({
    label: 'Hono',
    install: 'npm install hono @hono/node-server jose',
    files: [{ name: 'server.mjs', text: resourceServer(values) }],
    run: 'node server.mjs',
  })
}

function resourceServer({ issuer, audience, scope }: ApiValues): string {
  return `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const ISSUER = ${quoted(issuer)}
const AUDIENCE = ${quoted(audience)}
const keys = createRemoteJWKSet(new URL(${quoted(jwksOf(issuer))}))

/** The claims of a token that is valid here, else null. */
const claimsOf = async (authorization = '') => {
  const token = authorization.replace(/^Bearer /i, '')
  const expected = { issuer: ISSUER, audience: AUDIENCE, typ: 'at+jwt' }
  const verified = await jwtVerify(token, keys, expected).catch(() => null)
  return verified?.payload ?? null
}

const app = new Hono()
app.get('/', async (c) => {
  const claims = await claimsOf(c.req.header('authorization'))
  if (!claims) return c.text('no valid token', 401, { 'WWW-Authenticate': 'Bearer' })
  if (!claims.scope.split(' ').includes(${quoted(scope)})) return c.text('not allowed', 403)
  return c.json({ hello: claims.sub })
})

serve({ fetch: app.fetch, port: ${API_PORT} })
`
}

/** The keys are below the origin of the endpoints, which is that of the issuer. */
export function jwksOf(issuer: string): string {
  return `${new URL(issuer).origin}${paths.jwks}`
}
