// npm's oidc-provider: JWT access tokens signed ES256 as ours are, refresh tokens that rotate, nothing
// switched on that the bench does not ask for. STORE: `memory` (its own) or the path of a SQLite file.
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import { openSqlite } from './sqlite-adapter.mjs'

const { PORT, STORE = 'memory', CLIENT_SECRET } = process.env
const API = 'https://api.bench.example'
const SCOPES = 'bench:item0 bench:item1'
const { privateKey } = await generateKeyPair('ES256', { extractable: true })
const key = { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'bench' }
const sqlite = STORE === 'memory' ? null : await openSqlite(STORE)

const provider = new Provider(`http://localhost:${PORT}`, {
  ...(sqlite && { adapter: sqlite.adapter }),
  jwks: { keys: [key] },
  clients: [
    machine('machine'),
    machine('opaque'),
    {
      client_id: 'web',
      client_secret: CLIENT_SECRET,
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['https://app.bench.example/callback'],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  scopes: ['openid', 'offline_access'],
  cookies: { keys: ['a key of the bench'] },
  // As our grants of offline access: they outlive the session, and every use rotates.
  issueRefreshToken: () => true,
  expiresWithSession: () => false,
  rotateRefreshToken: true,
  features: {
    devInteractions: { enabled: true },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      // Without a resource a token is opaque: what introspection can look up (it refuses JWTs).
      defaultResource: (_context, client) => (client.clientId === 'opaque' ? undefined : API),
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: SCOPES,
        audience: API,
        accessTokenTTL: 3600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
})

function machine(client_id) {
  return {
    client_id,
    client_secret: CLIENT_SECRET,
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    id_token_signed_response_alg: 'ES256',
  }
}

const server = createServer(provider.callback())
// Connections rest while the others have their turn.
server.keepAliveTimeout = 600_000
server.listen(Number(PORT), '127.0.0.1')
process.send({ driver: sqlite?.driver ?? 'memory' })
