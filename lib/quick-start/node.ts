import { type Guide, isPlainHttp, pathOf, portOf, quoted, type Values } from './guide'

/** Node with openid-client 6: a server, a command line, and a machine. */

export function express(values: Values): Guide {
  return {
    label: 'Express',
    install: 'npm install express express-session openid-client@6',
    files: [{ name: 'server.mjs', text: server(values) }],
    run: 'CLIENT_SECRET=… SESSION_SECRET=… node server.mjs',
    redirectUri: values.redirectUri,
  }
}

/** The package refuses plain http by default. */
function options(values: Values): string {
  return isPlainHttp(values) ? '{ execute: [openid.allowInsecureRequests] }' : 'undefined'
}

function server(values: Values): string {
  const { issuer, clientId, redirectUri, scope } = values
  return `import express from 'express'
import session from 'express-session'
import * as openid from 'openid-client'

const { CLIENT_SECRET, SESSION_SECRET } = process.env
const REDIRECT_URI = ${quoted(redirectUri)}
const portal = await openid.discovery(
  new URL(${quoted(issuer)}),
  ${quoted(clientId)},
  CLIENT_SECRET,
  undefined,
  ${options(values)},
)

const app = express()
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }))

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
  // A new session for whoever just signed in.
  request.session.regenerate(() => {
    request.session.user = tokens.claims()
    response.redirect('/')
  })
})

app.listen(${portOf(redirectUri)})
`
}

export function commandLine(values: Values): Guide {
  return {
    label: 'Node.js',
    install: 'npm install openid-client@6',
    files: [{ name: 'sign-in.mjs', text: signIn(values) }],
    run: 'node sign-in.mjs',
    redirectUri: null,
  }
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

export function machine(values: Values): Guide {
  return {
    label: 'Node.js',
    install: 'npm install openid-client@6',
    files: [{ name: 'token.mjs', text: token(values) }],
    run: 'CLIENT_SECRET=… node token.mjs',
    redirectUri: null,
  }
}

function token(values: Values): string {
  const { issuer, clientId, scope } = values
  return `import * as openid from 'openid-client'

const portal = await openid.discovery(
  new URL(${quoted(issuer)}),
  ${quoted(clientId)},
  process.env.CLIENT_SECRET,
  undefined,
  ${options(values)},
)
const tokens = await openid.clientCredentialsGrant(portal, { scope: ${quoted(scope)} })
console.log('Granted:', tokens.scope)
console.log('Not granted:', tokens.scope_rejected ?? 'nothing')
console.log(tokens.access_token)
`
}
