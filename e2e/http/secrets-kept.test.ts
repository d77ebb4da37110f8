import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Demo } from '../../lib/operations/demo'
import { type Database, openDatabase } from '../../lib/store/database/database'
import { type Answer, ask, askToken, basic, type Fields, FORM, machineFields } from '../support/ask'
import { freshDatabase } from '../support/databases'
import { everyRow } from '../support/every-row'
import {
  aliceAtWeb,
  authorizeUrl,
  exchange,
  getCode,
  pkcePair,
  received,
  refresh,
  userinfo,
  webRequest,
} from '../support/flow'
import { temporaryFolder } from '../support/folder'
import { openPortal } from '../support/in-process'
import { OldBrowser } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'

/**
 * docs/attacks.md, D19, E13 and N22: where secrets must not be found once a portal has been used. Its
 * own, because its log and its files are searched.
 */

const CANARY = 'canary-7f3a9c'

let portal: Portal
let demo: Demo
let db: Database
/** What it is, and its value. */
const secrets = new Map<string, string>()

beforeAll(async () => {
  portal = await startPortal({
    args: ['--demo'],
    env: { LOG_LEVEL: 'trace', DATA_DIR: temporaryFolder() },
  })
  demo = portal.demo()
  db = await openDatabase(`file:${join(portal.dataDir, 'gatehouse.db')}`)
  for (const [what, value] of secretsOf(demo)) secrets.set(what, value)
  await useEverything()
})

afterAll(async () => {
  await db.$disconnect()
  await portal.stop()
})

function secretsOf({ admin, users, web, machine }: Demo): [string, string][] {
  return [
    ['the admin’s password', admin.password],
    ...users.map(({ email, password }): [string, string] => [`the password of ${email}`, password]),
    ['the web app’s secret', web.client_secret],
    ['the machine’s secret', machine.client_secret],
    ['the secret key', machine.secret_key],
  ]
}

const json = (answer: Answer) => JSON.parse(answer.body)
const post = (path: string, fields: Fields) =>
  ask(portal.origin, {
    method: 'POST',
    path,
    headers: FORM,
    body: new URLSearchParams(fields).toString(),
  })

/** Every endpoint with what is good and with what is wrong, so that every log line is written. */
async function useEverything(): Promise<void> {
  const browser = await aliceAtWeb(portal)
  keepCookies(browser)
  const { verifier, challenge } = pkcePair()
  const proved = { code_challenge: challenge, code_challenge_method: 'S256' }
  const code = await getCode(browser, webRequest(demo, { ...proved, nonce: `${CANARY}-nonce` }))
  secrets.set('a code', code).set('a verifier', verifier)
  const first = json(await exchange(portal, code, { code_verifier: verifier }))
  const next = json(await refresh(portal, first.refresh_token))
  for (const [name, all] of Object.entries({ first, next })) {
    for (const kind of ['access_token', 'refresh_token', 'id_token'])
      secrets.set(`the ${name} ${kind}`, all[kind])
  }
  await userinfo(portal.origin, next.access_token)
  await misuse(browser, code, verifier, next)
  await machines()
  const web = { client_id: demo.web.client_id, client_secret: demo.web.client_secret }
  await post('/oidc/token/introspection', { ...web, token: next.access_token })
  await post('/oidc/token/revocation', { ...web, token: next.refresh_token })
  await fault(web)
  await browser.open(`/oidc/session/end?id_token_hint=${next.id_token}`)
}

/** All but the one that says how somebody signed in last time. */
function keepCookies({ cookies }: OldBrowser): void {
  for (const [name, value] of cookies)
    if (name !== 'gatehouse.method') secrets.set(`the cookie ${name}`, value)
}

async function misuse(browser: OldBrowser, code: string, verifier: string, tokens: Fields) {
  await exchange(portal, code, { code_verifier: verifier })
  await exchange(portal, `${CANARY}-code`, { client_secret: `${CANARY}-client-secret` })
  await refresh(portal, `${CANARY}-refresh-token`)
  await userinfo(portal.origin, `${CANARY}-access-token`)
  await ask(portal.origin, { path: `/oidc/me?access_token=${tokens.access_token}` })
  const query = `client_secret=${CANARY}-query&code=${CANARY}-query`
  await ask(portal.origin, { method: 'POST', path: `/oidc/token?${query}`, headers: FORM })
  await ask(portal.origin, { path: `/oidc/auth/int_${CANARY}?code=${CANARY}` })
  const [alice] = demo.users
  for (const email of [alice?.email ?? '', `${CANARY}-nobody`])
    await browser.signIn(await browser.open('/login'), { email, password: `${CANARY}-password` })
  await browser.open(`/setup?token=${CANARY}-setup`)
  await browser.open(`/no-such-page?secret=${CANARY}`)
  const forged = new OldBrowser(portal.origin)
  forged.cookies.set('gatehouse.session', `${CANARY}-cookie`)
  const pending = await forged.open(authorizeUrl(webRequest(demo, { state: `${CANARY}-state` })))
  expect(received(pending)).toHaveProperty('returnTo')
  keepCookies(forged)
}

async function machines(): Promise<void> {
  const { access_key, secret_key } = demo.machine
  const answer = json(await askToken(portal.origin, machineFields(portal)))
  secrets.set('the machine’s access_token', answer.access_token)
  const grant = { grant_type: 'client_credentials', scope: 'orders:read' }
  await askToken(portal.origin, grant, basic(access_key, secret_key))
  await askToken(portal.origin, grant, basic(access_key, `${CANARY}-secret-key`))
}

/** An exception of ours, of which the log tells the most. */
async function fault(web: Fields): Promise<void> {
  const browser = await aliceAtWeb(portal)
  keepCookies(browser)
  const code = await getCode(browser, webRequest(demo))
  secrets.set('a code that met a fault', code)
  await db.$executeRaw`ALTER TABLE "Consent" RENAME TO "ConsentAway"`
  const met = await exchange(portal, code)
  await db.$executeRaw`ALTER TABLE "ConsentAway" RENAME TO "Consent"`
  expect(met.status).toBe(500)
  expect(met.body).not.toMatch(/Consent|prisma|SQL/i)
  secrets.set(
    'the Basic credentials',
    basic(web.client_id ?? '', web.client_secret ?? '').authorization ?? '',
  )
}

function expectNone(where: string): void {
  expect(where).not.toContain(CANARY)
  const found = [...secrets].filter(([, value]) => where.includes(value)).map(([what]) => what)
  expect(found).toEqual([])
}

describe('E13, N22: nothing secret', () => {
  test('is in what the portal prints, at the most talkative level', async () => {
    expect(secrets.size).toBeGreaterThan(18)
    for (const [what, value] of secrets) expect([what, value.length > 10]).toEqual([what, true])
    await expect.poll(() => portal.output()).toContain('"msg":"fault"')
    // The start prints the two curl lines of the demo once, on purpose.
    const lines = portal
      .output()
      .split('\n')
      .filter((line) => !line.startsWith('  curl '))
    expect(lines.length).toBeGreaterThan(40)
    expectNone(lines.join('\n'))
  })

  test('is in the audit log', async () => {
    await expect
      .poll(() => db.auditEntry.count({ where: { event: 'login.failed' } }))
      .toBeGreaterThan(0)
    const entries = await db.auditEntry.findMany()
    const events = new Set(entries.map(({ event }) => event))
    for (const event of ['code.issued', 'token.issued', 'token.refused', 'token.revoked', 'logout'])
      expect(events).toContain(event)
    expectNone(
      JSON.stringify(entries, (_name, value) => (typeof value === 'bigint' ? `${value}` : value)),
    )
  })

  test('is in the metrics', async () => {
    const { status, body } = await ask(portal.origin, { path: '/metrics' })
    expect(status).toBe(200)
    expectNone(body)
  })
})

describe('D19: secrets at rest', () => {
  test('are not in the bytes of the SQLite files', () => {
    const files = readdirSync(portal.dataDir).filter((name) => name.startsWith('gatehouse.db'))
    const bytes = Buffer.concat(files.map((name) => readFileSync(join(portal.dataDir, name))))
    // What is no secret is found, so the bytes are the right ones.
    expect(bytes.includes(demo.machine.access_key)).toBe(true)
    const found = [...secrets].filter(([, value]) => bytes.includes(value)).map(([what]) => what)
    expect(found).toEqual([])
    expect(bytes.includes('PRIVATE KEY')).toBe(false)
  })

  test('are not in any row of a PostgreSQL, where there are hashes instead', async () => {
    const DATABASE_URL = await freshDatabase.postgres()
    const other = await openPortal({ env: { DATABASE_URL } })
    const dump = await everyRow(DATABASE_URL)
    await other.stop()
    expect(dump).toContain(other.demo().machine.access_key)
    for (const [what, value] of secretsOf(other.demo()))
      expect([what, dump.includes(value)]).toEqual([what, false])
    expect(dump).not.toContain('PRIVATE KEY')
    expect(dump.match(/\$argon2id\$/g)).toHaveLength(3)
    expect(dump.match(/"secretHash":"[\w-]{43}"/g)).toHaveLength(3)
  })

  test('are returned by no endpoint', async () => {
    const { access_token } = json(await askToken(portal.origin, machineFields(portal)))
    const { client_id, client_secret } = demo.machine
    const told = await Promise.all([
      ask(portal.origin, { path: '/.well-known/openid-configuration' }),
      ask(portal.origin, { path: '/oidc/.well-known/jwks.json' }),
      ask(portal.origin, { path: '/readyz' }),
      post('/oidc/token/introspection', { client_id, client_secret, token: access_token }),
    ])
    expect(told.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const bodies = told.map(({ body }) => body).join('\n')
    for (const [what, value] of secretsOf(demo))
      expect([what, bodies.includes(value)]).toEqual([what, false])
    expect(bodies).not.toMatch(/hash|argon2|"d":/i)
  })
})
