// better-auth with its plugin for an OAuth provider, on SQLite: JWT access tokens signed ES256 for a
// resource, opaque ones without it. STORE: the path of a SQLite file.
import { createServer } from 'node:http'
import { oauthProvider } from '@better-auth/oauth-provider'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { jwt } from 'better-auth/plugins'
import { SqliteDialect } from 'kysely'
import { openFile } from './sqlite-adapter.mjs'

const { PORT, STORE } = process.env
const API = 'https://api.bench.example'
const SCOPES = ['bench:item0', 'bench:item1']

const { driver, db: database } = await openFile(STORE)

const options = {
  baseURL: `http://localhost:${PORT}`,
  secret: 'only-this-bench-will-ever-use-it-3Vd8mQ',
  // The dialect by name: better-auth would take libsql, which stands in for better-sqlite3, for another driver.
  database: { dialect: new SqliteDialect({ database }), type: 'sqlite' },
  logger: { level: 'error' },
  telemetry: { enabled: false },
  rateLimit: { enabled: false },
  emailAndPassword: { enabled: true },
  plugins: [
    jwt({ jwks: { keyPairConfig: { alg: 'ES256' } } }),
    oauthProvider({
      loginPage: '/login',
      consentPage: '/consent',
      scopes: ['openid', ...SCOPES],
      resources: [API],
      clientPrivileges: () => true,
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
}
const auth = betterAuth(options)
await (await getMigrations(options)).runMigrations()
const { client_id, client_secret } = await newClient(await signUp())

async function signUp() {
  const body = { email: 'owner@bench.example', password: 'only-of-this-bench', name: 'Owner' }
  const { headers } = await auth.api.signUpEmail({ body, returnHeaders: true })
  return headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}

async function newClient(cookie) {
  const headers = { cookie }
  const client = await auth.api.adminCreateOAuthClient({
    headers,
    body: {
      client_name: 'machine',
      redirect_uris: ['https://app.bench.example/callback'],
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
      client_credentials_scopes: SCOPES,
    },
  })
  const params = { identifier: API, client_id: client.client_id }
  await auth.api.adminLinkClientResource({ headers, params })
  return client
}

const server = createServer(toNodeHandler(auth))
// Connections rest while the others have their turn.
server.keepAliveTimeout = 600_000
server.listen(Number(PORT), '127.0.0.1', () => {
  process.send({ driver, client_id, client_secret })
})
