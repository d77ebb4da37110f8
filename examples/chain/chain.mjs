// Alice calls the orders service, which calls the stock service for her. Each service gets a token
// that is made for it: the orders service exchanges hers (RFC 8693). What the portal needs for it
// is in portal.json.
import { once } from 'node:events'
import { createServer } from 'node:http'
import * as openid from 'openid-client'

const { ISSUER = 'http://localhost:3000', CLIENT_ID = 'app_demo_native' } = process.env
const { ORDERS_SECRET, STOCK_SECRET } = process.env
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
// Plain http is for a portal on this machine; the package refuses it unless told.
const execute = ISSUER.startsWith('http://localhost:') ? [openid.allowInsecureRequests] : []

/** The portal, as one of the clients sees it. */
function portalFor(clientId, secret) {
  const method = secret ? openid.ClientSecretPost(secret) : openid.None()
  return openid.discovery(new URL(ISSUER), clientId, undefined, method, { execute })
}

// ---------------------------------------------------------------- the services

class Refused extends Error {
  constructor(status) {
    super(`refused with ${status}`)
    this.status = status
  }
}

/**
 * Both ask the portal about the token that came, so that it stops working the moment Alice pauses
 * or removes the application. A token for another API is not active for this service.
 */
async function callerOf(portal, { headers }, scope) {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (!token) throw new Refused(401)
  const claims = await openid.tokenIntrospection(portal, token)
  if (!claims.active) throw new Refused(401)
  if (!claims.scope.split(' ').includes(scope)) throw new Refused(403)
  return { token, claims }
}

async function serve(answer) {
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request).catch((error) => {
      if (!(error instanceof Refused)) console.error(error)
      return { status: error.status ?? 502, body: {} }
    })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, origin: `http://127.0.0.1:${server.address().port}` }
}

async function call(origin, token) {
  const response = await fetch(origin, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Refused(response.status)
  return response.json()
}

const stockPortal = await portalFor('stock-service', STOCK_SECRET)
const stock = await serve(async (request) => {
  const { claims } = await callerOf(stockPortal, request, 'stock:read')
  // For whom, and through whose hands: the newest actor is the outermost.
  console.log('Stock was asked for', claims.sub, 'by', JSON.stringify(claims.act))
  console.log('Stock sees the scope', claims.scope, 'and decision', claims.decision_id)
  return { status: 200, body: { 'Brass bell': 12, 'Oak gate': 1 } }
})

const ordersPortal = await portalFor('orders-service', ORDERS_SECRET)
const orders = await serve(async (request) => {
  const { token, claims } = await callerOf(ordersPortal, request, 'orders:read')
  console.log('Orders sees the scope', claims.scope, 'and decision', claims.decision_id)
  const exchanged = await openid.genericGrantRequest(ordersPortal, TOKEN_EXCHANGE, {
    subject_token: token,
    subject_token_type: ACCESS_TOKEN,
    resource: 'https://stock.gatehouse.example',
    scope: 'stock:read stock:move',
  })
  console.log('Exchanged for', exchanged.scope, 'for', exchanged.expires_in, 'seconds')
  for (const { scope, code } of exchanged.scope_rejected_reasons ?? [])
    console.log('Not exchanged for', scope, 'because of', code)
  return {
    status: 200,
    body: { order: 1001, stock: await call(stock.origin, exchanged.access_token) },
  }
})

// ---------------------------------------------------------------- Alice signs in

const native = await portalFor(CLIENT_ID)
const callback = createServer().listen(0, '127.0.0.1')
await once(callback, 'listening')
const origin = `http://127.0.0.1:${callback.address().port}`
const pkceCodeVerifier = openid.randomPKCECodeVerifier()
const expectedState = openid.randomState()
const address = openid.buildAuthorizationUrl(native, {
  redirect_uri: `${origin}/callback`,
  scope: 'openid orders:read',
  code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
})
console.log(`Open ${address.href}`)
const [request, response] = await once(callback, 'request')
response.writeHead(200, { connection: 'close' }).end('Done: go back to the terminal.')
callback.close()
const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true }
const tokens = await openid.authorizationCodeGrant(native, new URL(request.url, origin), checks)
console.log('Alice has', tokens.scope)

console.log('Answer:', JSON.stringify(await call(orders.origin, tokens.access_token)))
// The stock service takes no token that was made for another.
const direct = await call(stock.origin, tokens.access_token).catch((error) => error)
console.log('Her own token at the stock service:', direct.message)
orders.server.close()
stock.server.close()
