import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { OldBrowser } from '../e2e/support/old-browser'
import type { Dialect } from './dialect'
import { form, get } from './load'
import { REDIRECT } from './seed'
import { type ServerUnderTest, serve } from './server'

/** Whom we are measured against, each a process of its own. */

const CLIENT_SECRET = randomBytes(32).toString('base64url')
const SCOPES = 'bench:item0 bench:item1'

export type Peer = { served: ServerUnderTest; dialect: Dialect }

/** `node`: another Node.js than the one of the bench. */
export async function startFloor(node?: string): Promise<Peer> {
  const served = await serve({ args: ['bench/peers/floor.mjs'], ready: '/jwks', node })
  const fields = {
    grant_type: 'client_credentials',
    client_id: 'machine',
    client_secret: CLIENT_SECRET,
    scope: SCOPES,
  }
  const floor = form('/token', fields)
  return { served, dialect: { token: () => floor, floor, jwks: get('/jwks') } }
}

/** The same server, asked for the kind of work that is asked of the others. */
export async function startFloorOfKind(node?: string): Promise<Peer> {
  const { served, dialect } = await startFloor(node)
  const { token, jwks } = dialect
  const body = (at: number) => JSON.stringify({ user: `${at}`, held: at % 2 === 0 })
  const headers = { 'content-type': 'application/json' }
  return {
    served,
    dialect: {
      token,
      ...(jwks && { jwks }),
      introspection: (_at, value) => form('/introspection', { token: value }),
      checkToken: token(0),
      check: (at) => ({ method: 'POST', path: '/check', headers, body: body(at) }),
    },
  }
}

/** `store`: `memory`, or the path of a SQLite file. */
export async function startOidcProvider(store: string, node?: string): Promise<Peer> {
  const served = await serve({
    node,
    args: ['bench/peers/oidc-provider.mjs'],
    env: { NODE_ENV: 'production', STORE: store, CLIENT_SECRET },
    ready: '/jwks',
  })
  const verifier = randomBytes(32).toString('base64url')
  const query = authorization(createHash('sha256').update(verifier).digest('base64url'))
  const cookie = await signInAt(`http://localhost:${served.port}`, `/auth?${query}`)
  return { served, dialect: oidcProviderDialect(query, verifier, cookie) }
}

/** With opaque tokens where no resource is named, which are what its introspection looks up. */
export async function startBetterAuth(store: string, node?: string): Promise<Peer> {
  const served = await serve({
    node,
    args: ['bench/peers/better-auth.mjs'],
    env: { NODE_ENV: 'production', STORE: store },
    ready: `${BETTER_AUTH}/jwks`,
  })
  const { client_id = '', client_secret = '' } = served.told
  const token = (more: Record<string, string>) =>
    form(`${BETTER_AUTH}/oauth2/token`, {
      grant_type: 'client_credentials',
      scope: SCOPES,
      client_id,
      client_secret,
      ...more,
    })
  const asked = token({ resource: 'https://api.bench.example' })
  return {
    served,
    dialect: {
      token: () => asked,
      introspectable: token({}),
      introspection: (_at, value) =>
        form(`${BETTER_AUTH}/oauth2/introspect`, { client_id, client_secret, token: value }),
      jwks: get(`${BETTER_AUTH}/jwks`),
      discovery: get(`${BETTER_AUTH}/.well-known/openid-configuration`),
    },
  }
}

const BETTER_AUTH = '/api/auth'
const NEXT = 'node_modules/next/dist/bin/next'
const NEXT_APP = 'bench/peers/next'

export async function startNextRoute(node?: string): Promise<Peer> {
  const token = form('/token', { client_id: 'machine', scope: SCOPES })
  return { served: await startNext(node), dialect: { token: () => token } }
}

export async function startBarePage(node?: string): Promise<Peer> {
  const { dialect, served } = await startNextRoute(node)
  return { served, dialect: { ...dialect, barePage: get('/', { accept: 'text/html' }) } }
}

let isNextBuilt = false

/** Built anew, once in a run: it takes ten seconds. */
async function startNext(node?: string): Promise<ServerUnderTest> {
  if (!isNextBuilt) execFileSync(process.execPath, [NEXT, 'build', NEXT_APP], { stdio: 'ignore' })
  isNextBuilt = true
  return serve({
    node,
    args: [NEXT, 'start', NEXT_APP, '--keepAliveTimeout', '600000'],
    env: { NODE_ENV: 'production' },
    ready: '/token',
  })
}

function authorization(challenge: string): URLSearchParams {
  return new URLSearchParams({
    client_id: 'web',
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid bench:item0',
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
}

/** Through its own pages for development, once: a session and a grant as it makes them itself. */
async function signInAt(origin: string, path: string): Promise<string> {
  const browser = new OldBrowser(origin)
  const login = await browser.open(path)
  const consent = await browser.submit(login, { login: 'somebody', password: 'anything' })
  await browser.submit(consent, {})
  return browser.cookieHeader()
}

/** Its pages for development take any name and any password. */
function oidcProviderDialect(query: URLSearchParams, verifier: string, cookie: string): Dialect {
  const client = (id: string) => ({ client_id: id, client_secret: CLIENT_SECRET })
  const token = (id: string) =>
    form('/token', {
      grant_type: 'client_credentials',
      ...client(id),
      ...(id === 'machine' && { scope: SCOPES }),
    })
  const exchange = (code: string) =>
    form('/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      ...client('web'),
    })
  return {
    token: () => token('machine'),
    introspectable: token('opaque'),
    introspection: (_at, value) =>
      form('/token/introspection', { ...client('opaque'), token: value }),
    jwks: get('/jwks'),
    discovery: get('/.well-known/openid-configuration'),
    authorize: () => get(`/auth?${query}`, { cookie }, 303),
    exchange,
    journey: {
      start: get(`/auth?${query}`, { accept: 'text/html' }),
      typed: (at) => ({ login: `person${at}`, password: 'anything' }),
      exchange,
    },
    refresh: (value) =>
      form('/token', { grant_type: 'refresh_token', refresh_token: value, ...client('web') }),
  }
}
