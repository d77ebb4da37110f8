// openid-client: prints where to sign in, and reads the address that the browser is sent to.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import * as openid from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, PKCE } = process.env
const insecure = { execute: [openid.allowInsecureRequests] } // the portal of the test has no https
const portal = await openid.discovery(
  new URL(ISSUER),
  CLIENT_ID,
  CLIENT_SECRET,
  undefined,
  insecure,
)
const pkceCodeVerifier = PKCE ? openid.randomPKCECodeVerifier() : undefined
const expectedState = openid.randomState()
const address = openid.buildAuthorizationUrl(portal, {
  redirect_uri: REDIRECT_URI,
  scope: 'openid profile email',
  state: expectedState,
  ...(pkceCodeVerifier && {
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  }),
})
console.log(`Open ${address.href}`)
const [line] = await once(createInterface({ input: process.stdin }), 'line')
const checks = { expectedState, ...(pkceCodeVerifier && { pkceCodeVerifier }) }
const tokens = await openid.authorizationCodeGrant(portal, new URL(line), checks)
console.log(tokens.claims())
process.exit()
