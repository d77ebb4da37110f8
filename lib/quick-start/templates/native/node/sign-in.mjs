// The browser comes back to a port of this machine (RFC 8252).
import { once } from 'node:events'
import { createServer } from 'node:http'
import * as openid from 'openid-client'

const portal = await openid.discovery(
  new URL("{{issuer}}"),
  "{{clientId}}",
  undefined,
  openid.None(),
{{?plainHttp}}  { execute: [openid.allowInsecureRequests] },
{{?!plainHttp}}  undefined,
)
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${server.address().port}`
const pkceCodeVerifier = openid.randomPKCECodeVerifier()
const expectedState = openid.randomState()
const expectedNonce = openid.randomNonce()
const address = openid.buildAuthorizationUrl(portal, {
  redirect_uri: `${origin}{{callbackPath}}`,
  scope: "{{scope}}",
  code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
  nonce: expectedNonce,
})
console.log(`Open ${address.href}`)

const [request, response] = await once(server, 'request')
response.writeHead(200, { connection: 'close' }).end('Done: go back to the terminal.')
server.close()
const tokens = await openid.authorizationCodeGrant(portal, new URL(request.url, origin), {
  pkceCodeVerifier,
  expectedState,
  expectedNonce,
  idTokenExpected: true,
})
console.log(tokens.claims())
