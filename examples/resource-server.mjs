// The demo's orders API. What a caller may do is in the access token, and every request is checked.
import { createServer } from 'node:http'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'

const { ISSUER = 'http://localhost:3000', PORT = '3002' } = process.env
const { AUDIENCE = 'https://orders.gatehouse.example' } = process.env
const ORDERS = [
  { id: 1001, item: 'Brass bell', total: '40.00' },
  { id: 1002, item: 'Oak gate', total: '1200.00' },
]

const discovery = await fetch(`${ISSUER}/.well-known/openid-configuration`)
const { issuer, jwks_uri } = await discovery.json()
if (issuer !== ISSUER) throw new Error(`${ISSUER} calls itself ${issuer}`)
// Keeps the keys for ten minutes, and looks again when a token names one it has not seen.
const keys = createRemoteJWKSet(new URL(jwks_uri))

class Refused extends Error {
  constructor(status, attributes = {}) {
    super(attributes.error ?? 'no credentials')
    this.status = status
    this.attributes = attributes
  }
}

/** RFC 6750 §2.1: in the header. One in the URL ends up in logs and histories. */
function readToken({ url, headers }) {
  if (new URL(url, 'http://n').searchParams.has('access_token')) {
    throw new Refused(400, { error: 'invalid_request' })
  }
  const found = /^Bearer(?: +(.*))?$/i.exec(headers.authorization ?? '')
  if (!found) throw new Refused(401)
  return found[1] ?? ''
}

/** RFC 9068 §4. The type keeps an id_token out, the audience a token for another API. */
async function verify(token) {
  const expected = { issuer, audience: AUDIENCE, typ: 'at+jwt', algorithms: ['ES256', 'RS256'] }
  const requiredClaims = ['exp', 'iat', 'sub', 'client_id', 'jti']
  const { payload } = await jwtVerify(token, keys, { ...expected, requiredClaims }).catch(refuse)
  return payload
}

/** Keys that cannot be had are our trouble and not the token's. */
function refuse(cause) {
  const ours = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(cause.code)
  if (ours || !(cause instanceof errors.JOSEError)) throw cause
  throw new Refused(401, { error: 'invalid_token' })
}

function requireScope(claims, scope) {
  const granted = String(claims.scope ?? '').split(' ')
  if (granted.includes(scope)) return
  throw new Refused(403, { error: 'insufficient_scope', scope })
}

async function answer(request) {
  const { pathname } = new URL(request.url, 'http://n')
  if (request.method !== 'GET' || pathname !== '/orders') return { status: 404, body: {} }
  const claims = await verify(readToken(request))
  requireScope(claims, 'orders:read')
  return { status: 200, body: { for: claims.sub, orders: ORDERS } }
}

/** RFC 6750 §3; without credentials there is nothing to complain about, so no error (§3.1). */
function explain(error) {
  if (!(error instanceof Refused)) {
    console.error(error)
    return { status: 503, body: {} }
  }
  const attributes = Object.entries({ realm: 'orders', ...error.attributes })
  const challenge = `Bearer ${attributes.map(([name, value]) => `${name}="${value}"`).join(', ')}`
  return { status: error.status, body: {}, headers: { 'www-authenticate': challenge } }
}

const server = createServer(async (request, response) => {
  const { status, body, headers } = await answer(request).catch(explain)
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
})
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Orders are at http://localhost:${server.address().port}/orders`)
})
