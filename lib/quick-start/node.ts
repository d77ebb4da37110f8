import {
  API_PORT,
  type ApiValues,
  type Guide,
  homeOf,
  isPlainHttp,
  KEY_FILE_LINE,
  pathOf,
  portOf,
  quoted,
  SECRET_LINE,
  SESSION_LINE,
  sample,
  type Values,
} from './guide'

/** Node with openid-client 6: a server, a command line, a machine; and an API. */

export function express(values: Values): Guide {
  return sample({
    label: 'Express',
    settings: `${credentialLine(values)}\n${SESSION_LINE}`,
    install: `npm install express express-session ${packages(values)}`,
    files: [{ name: 'server.mjs', text: server(values) }],
    run: 'node server.mjs',
    open: homeOf(values.redirectUri),
    redirectUri: values.redirectUri,
  })
}

/** The package refuses plain http by default. */
function options(values: Values): string {
  return isPlainHttp(values) ? '{ execute: [openid.allowInsecureRequests] }' : 'undefined'
}

function packages({ byKey }: Values): string {
  return byKey ? 'jose@6 openid-client@6' : 'openid-client@6'
}

function credentialLine({ byKey }: Values): string {
  return byKey ? KEY_FILE_LINE : SECRET_LINE
}

function keyImports({ byKey }: Values): string {
  return byKey ? "import { readFileSync } from 'node:fs'\nimport { importJWK } from 'jose'\n" : ''
}

/** The private key is a JWK in a file (RFC 7517). */
function keyRead({ byKey }: Values): string {
  if (!byKey) return ''
  return `const jwk = JSON.parse(readFileSync(process.env.CLIENT_KEY_FILE, 'utf8'))
const key = { key: await importJWK(jwk, jwk.alg ?? 'ES256'), kid: jwk.kid }
`
}

/** Two arguments of the discovery: the secret, and how the client authenticates. */
function proof({ byKey }: Values): string {
  if (byKey) return 'undefined,\n  openid.PrivateKeyJwt(key)'
  return 'process.env.CLIENT_SECRET,\n  undefined'
}

/** `portal`, with a secret from the environment, or a key from a file. */
export function configured(values: Values): string {
  return `${keyRead(values)}const portal = await openid.discovery(
  new URL(${quoted(values.issuer)}),
  ${quoted(values.clientId)},
  ${proof(values)},
  ${options(values)},
)
`
}

function server(values: Values): string {
  const { redirectUri, scope } = values
  return `${keyImports(values)}import express from 'express'
import session from 'express-session'
import * as openid from 'openid-client'

const REDIRECT_URI = ${quoted(redirectUri)}
${configured(values)}
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
    scope: ${quoted(scope)},
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  })
  response.redirect(address.href)
})

app.get(${quoted(pathOf(redirectUri))}, async (request, response) => {
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

app.listen(${portOf(redirectUri)})
`
}

export function commandLine(values: Values): Guide {
  return sample({
    label: 'Node.js',
    install: 'npm install openid-client@6',
    files: [{ name: 'sign-in.mjs', text: signIn(values) }],
    run: 'node sign-in.mjs',
  })
}

function signIn(values: Values): string {
  const { issuer, clientId, scope } = values
  return `// The browser comes back to a port of this machine (RFC 8252).
import { once } from 'node:events'
import { createServer } from 'node:http'
import * as openid from 'openid-client'

const portal = await openid.discovery(
  new URL(${quoted(issuer)}),
  ${quoted(clientId)},
  undefined,
  openid.None(),
  ${options(values)},
)
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = \`http://127.0.0.1:\${server.address().port}\`
const pkceCodeVerifier = openid.randomPKCECodeVerifier()
const expectedState = openid.randomState()
const expectedNonce = openid.randomNonce()
const address = openid.buildAuthorizationUrl(portal, {
  redirect_uri: \`\${origin}${pathOf(values.redirectUri)}\`,
  scope: ${quoted(scope)},
  code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
  nonce: expectedNonce,
})
console.log(\`Open \${address.href}\`)

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
`
}

export function television(values: Values): Guide {
  return sample({
    label: 'Node.js',
    install: 'npm install openid-client@6 uqr',
    files: [{ name: 'sign-in.mjs', text: deviceSignIn(values) }],
    run: 'node sign-in.mjs',
  })
}

function deviceSignIn(values: Values): string {
  const { issuer, clientId, scope } = values
  return `// The user signs in on another device, which reads the QR code (RFC 8628).
import * as openid from 'openid-client'
import { renderUnicodeCompact } from 'uqr'

const portal = await openid.discovery(
  new URL(${quoted(issuer)}),
  ${quoted(clientId)},
  undefined,
  openid.None(),
  ${options(values)},
)
const device = await openid.initiateDeviceAuthorization(portal, { scope: ${quoted(scope)} })
console.log(renderUnicodeCompact(device.verification_uri_complete))
console.log(\`Open \${device.verification_uri} and enter the code \${device.user_code}\`)

const tokens = await openid.pollDeviceAuthorizationGrant(portal, device)
console.log('Granted:', tokens.scope)
console.log(tokens.claims())
`
}

export function machine(values: Values): Guide {
  return sample({
    label: 'Node.js',
    settings: credentialLine(values),
    install: `npm install ${packages(values)}`,
    files: [{ name: 'token.mjs', text: token(values) }],
    run: 'node token.mjs',
  })
}

function token(values: Values): string {
  return `${keyImports(values)}import * as openid from 'openid-client'

${configured(values)}const tokens = await openid.clientCredentialsGrant(portal, { scope: ${quoted(values.scope)} })
console.log('Granted:', tokens.scope)
console.log('Not granted:', tokens.scope_rejected ?? 'nothing')
console.log(tokens.access_token)
`
}

export function expressApi(values: ApiValues): Guide {
  return sample({
    label: 'Express',
    install: 'npm install express express-oauth2-jwt-bearer',
    files: [{ name: 'server.mjs', text: resourceServer(values) }],
    run: 'node server.mjs',
  })
}

function resourceServer({ issuer, audience, scope }: ApiValues): string {
  return `import express from 'express'
import { auth, requiredScopes } from 'express-oauth2-jwt-bearer'

const app = express()
app.use(auth({ issuerBaseURL: ${quoted(issuer)}, audience: ${quoted(audience)} }))

app.get('/', requiredScopes(${quoted(scope)}), (request, response) => {
  response.json({ hello: request.auth.payload.sub })
})

app.listen(${API_PORT})
`
}
