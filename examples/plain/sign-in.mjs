// The authorization code flow without a library and without PKCE: five parameters, and a secret that
// stays on the server. portal.json is the application.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

const { ISSUER = 'http://localhost:3000', SHOP_SECRET, PORT = '3005' } = process.env
if (!SHOP_SECRET) throw new Error('set SHOP_SECRET')
const client_id = 'plain-shop'
const scope = 'openid orders:read orders:refund'

const server = createServer().listen(Number(PORT), 'localhost')
await once(server, 'listening')
const redirect_uri = `http://localhost:${PORT}/callback`
const state = randomBytes(16).toString('base64url')
const asked = { client_id, scope, redirect_uri, state, response_type: 'code' }
console.log(`Open ${ISSUER}/oidc/auth?${new URLSearchParams(asked)}`)

const [request, response] = await once(server, 'request')
response.writeHead(200, { connection: 'close' }).end('Done: go back to the terminal.')
server.close()
const came = new URL(request.url, redirect_uri).searchParams
// A redirect with another state was not started here (RFC 6749 §10.12).
if (came.get('state') !== state) throw new Error('this answer belongs to another request')
if (came.has('error')) throw new Error(`${came.get('error')}: ${came.get('error_description')}`)

const answer = await fetch(`${ISSUER}/oidc/token`, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'authorization_code',
    code: came.get('code'),
    redirect_uri,
    client_id,
    client_secret: SHOP_SECRET,
  }),
})
const tokens = await answer.json()
if (!answer.ok) throw new Error(`${tokens.error}: ${tokens.error_description}`)
console.log('Granted:', tokens.scope)
console.log('Not granted:', tokens.scope_rejected ?? 'nothing')
console.log('Expires in', tokens.expires_in, 'seconds')
