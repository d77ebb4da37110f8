import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { sealSession, sessionCookieName } from '../lib/accounts/session-cookie'
import { DAY_MS } from '../lib/base/time'
import { deriveKey, newId, newSecret, secretHasher } from '../lib/crypto/secrets'
import { createSession } from '../lib/store/accounts/sessions'
import { databaseKindOf } from '../lib/store/database/connection'
import { type Database, openDatabase } from '../lib/store/database/database'
import { migrate } from '../lib/store/operations/migrations'
import type { Dialect } from './dialect'
import { form, get } from './load'
import { minter } from './mint'
import { type PageName, pageAsk } from './page-rows'
import {
  heldItem,
  indexSeeded,
  itemKey,
  machineId,
  REDIRECT,
  seedAudit,
  seedMachines,
  seedNewcomers,
  seedPolicy,
  seedUse,
  seedWeb,
  userId,
  WEB,
} from './seed'
import { NODE_OPTIONS, type ServerUnderTest, serve } from './server'

/** Our own side: a database of a given size, and the built server on it as an operator runs it. */

export const ORIGIN = 'https://id.bench.example'
export const SECRET = 'kP0vC2s9-only-this-bench-will-ever-use-it-7Qx'
export const MODEL = { roles: 1_000, permissions: 5_000 }
const SIGNED_IN = 20
const SCOPE = `openid offline_access ${itemKey(0)}`
/** Counts stay on; only nobody is refused for being a bench. */
const MANY = '100000000'

export type World = {
  url: string
  folder: string
  /** How many users there are; applications too, unless told. */
  size: number
  machines?: number
  clientSecret: string
  cookies: string[]
}

/** As many people as a run signs in for the first time, at most. */
export const NEWCOMERS = 4_000
const PASSWORD = 'a password of this bench'
/**
 * The same algorithm with the least work that it allows. The portal reads from the stored hash how
 * much work it is, so a sign-in costs everything but the password.
 */
const LEAST_WORK = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export async function makeWorld(
  url: string,
  folder: string,
  size: number,
  newcomers = 0,
): Promise<World> {
  mkdirSync(folder, { recursive: true })
  await migrate(url)
  const db = await openDatabase(url)
  const to = { db, provider: databaseKindOf(url) }
  const hashSecret = secretHasher(deriveKey(SECRET, 'pepper'))
  const clientSecret = newSecret('ghcs')
  await seedPolicy(to, { users: size, ...MODEL })
  await db.user.update({ where: { id: userId(0) }, data: { adminRole: 'owner' } })
  await seedMachines(to, size, hashSecret(clientSecret))
  await seedWeb(to, hashSecret(clientSecret))
  await seedUse(to, size)
  await seedAudit(to, size)
  const cheap = await hash(PASSWORD, LEAST_WORK)
  await seedNewcomers(to, { first: size, count: newcomers, hash: cheap })
  await indexSeeded(db, to.provider)
  if (to.provider === 'postgres') await db.$executeRawUnsafe('ANALYZE')
  const cookies = await signIn(db, hashSecret, size)
  await db.$disconnect()
  return { url, folder, size, clientSecret, cookies }
}

/** Some of the people, all over the table, each with a session and everything agreed to. */
export async function signIn(
  db: Database,
  hashSecret: (secret: string) => string,
  size: number,
): Promise<string[]> {
  const cookies: string[] = []
  for (let at = 0; at < Math.min(SIGNED_IN, size); at += 1) {
    const user = userId(Math.floor((at * size) / SIGNED_IN))
    cookies.push(await signInAs(db, hashSecret, user))
    for (const scope of SCOPE.split(' ')) {
      const consent = { userId: user, applicationId: WEB, scope }
      await db.consent.upsert({
        where: { userId_applicationId_scope: consent },
        create: { ...consent, granted: true, decidedAt: new Date() },
        update: {},
      })
    }
  }
  return cookies
}

/** A session for a day; gives its cookie. */
export async function signInAs(
  db: Database,
  hashSecret: (secret: string) => string,
  user: string,
): Promise<string> {
  const settings = { origin: ORIGIN, cookieKey: deriveKey(SECRET, 'cookie') }
  const now = new Date()
  const later = new Date(now.getTime() + DAY_MS)
  const secret = newSecret('ghss')
  await db.$transaction((tx) =>
    createSession(tx, {
      id: newId('ses'),
      secretHash: hashSecret(secret),
      userId: user,
      acr: 'pwd',
      amr: ['pwd'],
      provenAt: now,
      factorAt: null,
      ip: null,
      userAgent: 'bench',
      factorsProvenAt: null,
      newDevice: false,
      now,
      idleExpiresAt: later,
      expiresAt: later,
    }),
  )
  const held = await sealSession(settings, { active: secret, others: [] }, DAY_MS / 1000)
  return `${sessionCookieName(settings)}=${held}`
}

type PortalOptions = {
  env?: Record<string, string>
  /** An earlier build. */
  script?: string
  node?: string | undefined
}

/** Production mode, the default log level, its log in a file, limits and audit on. */
export function startPortal(
  { url, folder }: Pick<World, 'url' | 'folder'>,
  { env, script = 'dist/server.js', node }: PortalOptions = {},
): Promise<ServerUnderTest> {
  return serve({
    args: [script],
    env: { ...portalEnvironment(url, folder), ...env },
    logFile: join(folder, 'portal.log'),
    ready: '/healthz',
    nodeArgs: NODE_OPTIONS,
    node,
  })
}

export function portalEnvironment(url: string, folder: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    ISSUER: ORIGIN,
    HOST: '127.0.0.1',
    DATABASE_URL: url,
    DATA_DIR: folder,
    GATEHOUSE_SECRET: SECRET,
    CLIENT_REQUESTS_PER_MINUTE: MANY,
    WORKERS: '1', // the part `workers` measures several
  }
}

export const HOST = { host: new URL(ORIGIN).host }
const SPREAD = 7_919 // a prime: in no order that a cache would like

/** What the user holds, or an item of all there are: hardly ever theirs. */
function question(user: number, held: boolean) {
  const permission = held ? heldItem(user, MODEL) : itemKey((user * 31) % MODEL.permissions)
  return { user: userId(user), permission }
}

const PATHS: Record<Exclude<PageName, 'consent'>, string> = {
  login: '/login',
  password: '/login?identifier=u1@example.com',
  account: '/account',
  admin: '/admin',
  users: '/admin/users',
  user: `/admin/users/${userId(1)}`,
  application: `/admin/applications/${WEB}`,
  audit: '/admin/audit',
  docs: '/docs',
}

function isForAnybody(name: PageName): boolean {
  return name === 'login' || name === 'password'
}

export function portalDialect({
  url,
  size,
  machines = size,
  clientSecret,
  cookies,
}: World): Dialect {
  const machine = (at: number) => ({ client_id: machineId(at), client_secret: clientSecret })
  const web = { client_id: WEB, client_secret: clientSecret }
  const mint = minter(url, SECRET, ORIGIN)
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const query = new URLSearchParams({
    client_id: WEB,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: SCOPE,
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const exchange = (code: string) =>
    form(
      '/oidc/token',
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT,
        code_verifier: verifier,
        ...web,
      },
      HOST,
    )
  return {
    token: (at) =>
      form(
        '/oidc/token',
        {
          grant_type: 'client_credentials',
          ...machine((at * SPREAD) % machines),
          scope: `${itemKey(0)} ${itemKey(1)}`,
        },
        HOST,
      ),
    minted: (at) => mint(machineId((at * SPREAD) % size)),
    introspection: (at, token) =>
      form('/oidc/token/introspection', { ...machine((at * SPREAD) % machines), token }, HOST),
    jwks: get('/oidc/.well-known/jwks.json', HOST),
    discovery: get('/.well-known/openid-configuration', HOST),
    authorize: (at) =>
      get(`/oidc/auth?${query}`, { ...HOST, cookie: cookies[at % cookies.length] ?? '' }, 303),
    exchange,
    refresh: (token) =>
      form('/oidc/token', { grant_type: 'refresh_token', refresh_token: token, ...web }, HOST),
    checkToken: form(
      '/oidc/token',
      { grant_type: 'client_credentials', ...machine(0), scope: 'permissions:check' },
      HOST,
    ),
    check: (at, token) => ({
      method: 'POST',
      path: '/api/v1/permissions/check',
      headers: { ...HOST, 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(question((at * SPREAD) % size, at % 2 === 0)),
    }),
    journey: {
      start: pageAsk(`/oidc/auth?${query}`, { ...HOST, 'user-agent': 'bench' }),
      typed: (at) => ({ identifier: `u${size + at}@example.com`, password: PASSWORD }),
      exchange,
    },
    page(name) {
      const signedIn = { ...HOST, cookie: cookies[0] ?? '' }
      if (name !== 'consent') return pageAsk(PATHS[name], isForAnybody(name) ? HOST : signedIn)
      const more = new URLSearchParams(query)
      more.set('scope', `${SCOPE} email`)
      return get(`/oidc/auth?${more}`, signedIn, 303)
    },
  }
}
