import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const ISSUER = "{{issuer}}"
const AUDIENCE = "{{audience}}"
const keys = createRemoteJWKSet(new URL("{{jwksUrl}}"))

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
  if (!claims.scope.split(' ').includes("{{scope}}")) return c.text('not allowed', 403)
  return c.json({ hello: claims.sub })
})

serve({ fetch: app.fetch, port: {{apiPort}} })
