// Signs somebody in from the command line (RFC 8252): the browser comes back to a port of this machine.
import { once } from 'node:events'
import { createServer } from 'node:http'
import * as openid from 'openid-client'

const { ISSUER = 'http://localhost:3000', CLIENT_ID = 'app_demo_native' } = process.env
// Plain http is for a portal on this machine; the package refuses it unless told.
const execute = ISSUER.startsWith('http://localhost:') ? [openid.allowInsecureRequests] : []
const portal = await openid.discovery(new URL(ISSUER), CLIENT_ID, undefined, openid.None(), {
  execute,
})

const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${server.address().port}`
const pkceCodeVerifier = openid.randomPKCECodeVerifier()
const expectedState = openid.randomState()
const expectedNonce = openid.randomNonce()
const address = openid.buildAuthorizationUrl(portal, {
  redirect_uri: `${origin}/callback`,
  scope: 'openid profile email offline_access orders:read orders:refund',
  code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
  nonce: expectedNonce,
})
console.log(`Open ${address.href}`)

const [request, response] = await once(server, 'request')
response.writeHead(200, { connection: 'close' }).end('Done: go back to the terminal.')
server.close()
const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
const tokens = await openid.authorizationCodeGrant(portal, new URL(request.url, origin), checks)
const claims = tokens.claims()
console.log('Granted:', tokens.scope)
console.log('Not granted:', tokens.scope_rejected ?? 'nothing')
console.log('Claims:', JSON.stringify(claims))

const fresh = await openid.refreshTokenGrant(portal, tokens.refresh_token)
console.log('Refreshed, for', fresh.expires_in, 'seconds')
const person = await openid.fetchUserInfo(portal, fresh.access_token, claims.sub)
console.log('Userinfo:', JSON.stringify(person))
const goodbye = openid.buildEndSessionUrl(portal, { id_token_hint: tokens.id_token })
console.log(`Sign out at ${goodbye.href}`)
