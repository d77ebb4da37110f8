import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newRecoveryCodes } from '../../lib/accounts/recovery-codes'
import { completeSetUp, newSetUpLink } from '../../lib/accounts/set-up'
import { confirmEnrolment, enrolTotp } from '../../lib/accounts/totp'
import type { Op } from '../../lib/context/op'
import { createOp, type OpenOp } from '../../lib/op'
import { backUp } from '../../lib/operations/backup/backup'
import { readConfig } from '../../lib/settings/config'
import { type Call, caller, machineToken } from '../support/api'
import { type Answer, ask, askToken, basic, machineFields } from '../support/ask'
import { Canaries } from '../support/canaries'
import { freshDatabase, usually } from '../support/databases'
import { everyRow } from '../support/every-row'
import { exchange, getCode, pkcePair, refresh, userinfo, webRequest } from '../support/flow'
import { temporaryFolder } from '../support/folder'
import { OldBrowser } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'
import { linkIn, type MailServer, startMailServer } from '../support/smtp'

/**
 * docs/attacks.md, N22: a portal used for everything it is for, with secrets that are known, and then
 * every place that others may come to see. (A passkey's private key never comes here.) The portal is
 * its own, because its log and its database are searched.
 */

const STEP_MS = 30_000
const ENVIRONMENT = {
  GATEHOUSE_SECRET: 'canary-master-1c9Xv7Lq0aZt5Rk3Wm8',
  CRON_SECRET: 'canary-cron-6pYb2Nf9Hd4Jx7Gs1Vu3Qe5T',
  METRICS_TOKEN: 'canary-metrics-8rKw3Zc',
}
const SMTP_PASSWORD = 'canary-smtp-4tBn7QxL'
const json = (answer: Answer) => JSON.parse(answer.body)
const tokenIn = (link: string) => new URL(link).searchParams.get('token') ?? undefined

test('a canary is found however it is written', () => {
  const canaries = new Canaries()
  canaries.keep('it', 'p+ss/w"rd of somebody')
  const written = Buffer.from('p+ss/w"rd of somebody')
  for (const neighbour of ['', 'x', 'xy', 'xyz']) {
    const within = Buffer.concat([Buffer.from(neighbour), written, Buffer.from('end')])
    for (const encoding of ['utf8', 'hex', 'base64', 'base64url'] as const)
      expect(canaries.foundIn(within.toString(encoding))).not.toEqual([])
    expect(canaries.foundIn(JSON.stringify(within.toString()))).not.toEqual([])
    expect(canaries.foundIn(new URLSearchParams({ a: written.toString() }).toString())).not.toEqual(
      [],
    )
    expect(canaries.foundIn(encodeURIComponent(within.toString()))).not.toEqual([])
  }
  expect(canaries.foundIn('p+ss/w"rd of somebod')).toEqual([])
})

describe.each(usually('sqlite'))('N22: after everything was used on %s', (kind) => {
  const canaries = new Canaries()
  let mail: MailServer
  let portal: Portal
  let op: OpenOp
  let call: Call

  beforeAll(async () => {
    mail = await startMailServer()
    const SMTP_URL = `smtp://portal:${SMTP_PASSWORD}@127.0.0.1:${mail.port}`
    const env = { ...ENVIRONMENT, SMTP_URL, MAIL_FROM: 'id@example.com', REGISTRATION: 'open' }
    const DATABASE_URL = await freshDatabase[kind]()
    portal = await startPortal({
      args: ['--demo'],
      env: { ...env, DATABASE_URL, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'trace' },
    })
    op = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
    for (const [name, value] of Object.entries({ ...ENVIRONMENT, SMTP_PASSWORD }))
      canaries.keep(name, value)
    await exerciseEverything()
  })

  afterAll(async () => {
    await op.close()
    await portal.stop()
    await mail.close()
  })

  async function exerciseEverything(): Promise<void> {
    call = caller(portal, await machineToken(portal))
    const person = await registered()
    await forgotten(person)
    await secondFactors(person)
    await applicationFlow(person)
    await programs()
    await administration()
    await signingKeys()
    await ask(portal.origin, {
      path: '/api/scheduled',
      headers: { authorization: `Bearer ${ENVIRONMENT.CRON_SECRET}` },
    })
  }

  type Person = { id: string; email: string; password: string }

  function keepCookies(what: string, { cookies }: OldBrowser): void {
    for (const [name, value] of cookies)
      if (name !== 'gatehouse.method') canaries.keep(`${what}: the cookie ${name}`, value)
  }

  async function signedIn({ email, password }: Person): Promise<OldBrowser> {
    const browser = new OldBrowser(portal.origin)
    await browser.signIn(await browser.open('/login'), { email, password })
    keepCookies('signing in', browser)
    return browser
  }

  async function registered(): Promise<Person> {
    const person = { name: 'Cleo', email: 'cleo@example.org', password: 'canary-first-9Kd2pWq7' }
    canaries.keep('the first password', person.password)
    const browser = new OldBrowser(portal.origin)
    await browser.submit(await browser.open('/register'), person)
    const link = linkIn(await mail.lastTo(person.email))
    canaries.keep('the link to verify an address', tokenIn(link))
    await browser.signIn(await browser.open('/login'), person)
    await browser.submit(await browser.open(link), {})
    const { id } = await op.db.user.findFirstOrThrow({ where: { email: person.email } })
    return { ...person, id }
  }

  async function forgotten(person: Person): Promise<void> {
    const sent = mail.received.length
    const browser = new OldBrowser(portal.origin)
    await browser.submit(await browser.open('/forgot'), { identifier: person.email })
    const link = linkIn(await mail.lastTo(person.email, sent))
    canaries.keep('the link to a new password', tokenIn(link))
    person.password = 'canary-second-5Zx8rTn3'
    canaries.keep('the second password', person.password)
    await browser.submit(await browser.open(link), { password: person.password })
  }

  async function secondFactors(person: Person): Promise<void> {
    const enrolment = await op.write(async (tx) => {
      const made = await enrolTotp(op, tx, person, 'Phone')
      const code = totpOf(made.secret, -STEP_MS)
      expect(await confirmEnrolment(op, tx, made, code)).toBe(true)
      return made
    })
    canaries.keep('the secret of the authenticator app', enrolment.secret)
    canaries.keep('the same in hex', Secret.fromBase32(enrolment.secret).hex)
    const browser = await signedIn(person)
    const page = await browser.open('/second-factor')
    await browser.submit(page, { code: totpOf(enrolment.secret), trust: 'yes' })
    keepCookies('a trusted device', browser)
    const session = await op.sessionOf({
      headers: new Headers({ cookie: browser.cookieHeader() }),
    })
    if (!session) throw new Error('the second factor was not taken')
    const made = await newRecoveryCodes(op, session, { ip: null })
    for (const [index, code] of (made?.codes ?? []).entries()) {
      canaries.keep(`recovery code ${index}`, code)
      canaries.keep(`recovery code ${index}, bare`, code.replaceAll('-', ''))
    }
    const other = await signedIn(person)
    const asked = await other.open('/second-factor')
    await other.submit(asked, { recovery: made?.codes[0] ?? '' })
    keepCookies('a recovery code', other)
    expect(await op.db.recoveryCode.count({ where: { usedAt: { not: null } } })).toBe(1)
  }

  const totpOf = (secret: string, shift = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + shift })

  async function applicationFlow(person: Person): Promise<void> {
    const demo = portal.demo()
    const [alice] = demo.users
    if (!alice) throw new Error('nobody in the demo')
    canaries.keep('a demo password', alice.password)
    const browser = await signedIn({ ...alice, id: person.id })
    const consent = await browser.open(`/oidc/auth?${new URLSearchParams(webRequest(demo))}`)
    if (consent.url.includes('/consent')) await browser.submit(consent, { scope: ['orders:read'] })
    const { verifier, challenge } = pkcePair()
    const proved = { code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await getCode(browser, webRequest(demo, proved))
    canaries.keep('a code', code)
    canaries.keep('a verifier', verifier)
    const first = json(await exchange(portal, code, { code_verifier: verifier }))
    const next = json(await refresh(portal, first.refresh_token))
    for (const [name, all] of Object.entries({ first, next }))
      for (const kind of ['access_token', 'refresh_token', 'id_token'])
        canaries.keep(`the ${name} ${kind}`, all[kind])
    await userinfo(portal.origin, next.access_token)
    await call('POST', '/tokens/inspect', { token: next.access_token })
    // Too late: the family dies, and that is logged.
    await exchange(portal, code, { code_verifier: verifier })
    await refresh(portal, next.refresh_token)
    await browser.open(`/oidc/session/end?id_token_hint=${next.id_token}`)
  }

  async function programs(): Promise<void> {
    const { machine } = portal.demo()
    canaries.keep('the client secret of the demo', machine.client_secret)
    canaries.keep('the secret key of the demo', machine.secret_key)
    const token = json(await askToken(portal.origin, machineFields(portal))).access_token
    canaries.keep('a machine’s token', token)
    const grant = { grant_type: 'client_credentials', scope: 'orders:read' }
    const credentials = basic(machine.access_key, machine.secret_key)
    canaries.keep('credentials as Basic', credentials.authorization?.slice('Basic '.length))
    await askToken(portal.origin, grant, credentials)
    const at = `/applications/${machine.client_id}`
    const made = await call('POST', `${at}/secrets`, { name: 'new' }, { 'idempotency-key': 'once' })
    canaries.keep('a new client secret', made.json.secret)
    const key = { name: 'new', scopes: null, tokenSeconds: null, expiresAt: null, enabled: true }
    const newKey = await call('POST', `${at}/keys`, key)
    canaries.keep('a new secret key', newKey.json.secretKey)
    await askToken(portal.origin, {
      ...grant,
      client_id: newKey.json.accessKey,
      client_secret: newKey.json.secretKey,
    })
  }

  async function administration(): Promise<void> {
    const hook = { name: 'CRM', url: 'https://crm.invalid/hook', events: ['*'] }
    const made = await call('POST', '/webhooks', hook)
    canaries.keep('the secret of a webhook', made.json.secret)
    canaries.keep('the same, bare', made.json.secret.slice('whsec_'.length))
    const { headers } = await call('GET', '/settings')
    const clientSecret = 'canary-upstream-2fGh6Ty'
    canaries.keep('the secret at another provider', clientSecret)
    const acme = { kind: 'oidc', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'us' }
    const sent = { ...acme, clientSecret, domains: [] }
    const version = { 'if-match': headers.etag ?? '' }
    expect((await call('PUT', '/settings/providers/acme', sent, version)).status).toBe(200)
    const user = await call('POST', '/users', { name: 'Dora', email: 'dora@example.org' })
    const at = `/users/${user.json.id}/invitation`
    const invited = await call('POST', at, { returnLink: true })
    canaries.keep('an invitation', tokenIn(invited.json.link))
    const letter = linkIn(await mail.lastTo('dora@example.org'))
    canaries.keep('an invitation in a letter', tokenIn(letter))
  }

  async function signingKeys(): Promise<void> {
    for (const alg of ['ES256', 'RS256'] as const) {
      const { d } = (await op.signingKey(alg)).privateKey.export({ format: 'jwk' })
      canaries.keep(`the private ${alg} key`, d)
      canaries.keep(
        `the private ${alg} key in hex`,
        Buffer.from(d ?? '', 'base64url').toString('hex'),
      )
    }
  }

  test('what was printed, at the most talkative level, holds none of it', async () => {
    expect(canaries.size).toBeGreaterThan(55)
    // The start prints the two curl lines of the demo once, on purpose.
    const lines = portal
      .output()
      .split('\n')
      .filter((line) => !line.startsWith('  curl '))
    expect(lines.length).toBeGreaterThan(60)
    expect(canaries.foundIn(lines.join('\n'))).toEqual([])
  })

  test('nor do the metrics', async () => {
    const headers = { authorization: `Bearer ${ENVIRONMENT.METRICS_TOKEN}` }
    const { status, body } = await ask(portal.origin, { path: '/metrics', headers })
    expect(status).toBe(200)
    expect(canaries.foundIn(body)).toEqual([])
  })

  test('nor does the database, the audit log in it, or its files', async () => {
    const dump = await bytesOf(portal.env.DATABASE_URL ?? '')
    // What is no secret is found, so these are the right bytes.
    for (const known of [portal.demo().machine.access_key, 'token.issued', 'cleo@example.org'])
      expect(dump.includes(known)).toBe(true)
    expect(canaries.foundIn(dump)).toEqual([])
    expect(dump.includes('PRIVATE KEY')).toBe(false)
  })

  test('nor does a backup', async () => {
    const rows = await backupOf(op)
    expect(rows.includes('cleo@example.org')).toBe(true)
    expect(canaries.foundIn(rows)).toEqual([])
  })

  test('nor does a portal that was set up a moment ago', async () => {
    const env = { ...portal.env, DATABASE_URL: await freshDatabase[kind](), LOG_LEVEL: 'silent' }
    const fresh = await createOp(readConfig(env))
    const own = new Canaries()
    const token = tokenIn((await newSetUpLink(fresh)) ?? '')
    const password = 'canary-owner-7Wb4mXs9'
    own.keep('the set-up link', token)
    own.keep('the owner’s password', password)
    const owner = { name: 'Owner', email: 'owner@example.org', ip: null, userAgent: 'x' }
    const done = await completeSetUp(fresh, { ...owner, token: token ?? '', password })
    if (!done.ok) throw new Error(done.problem)
    own.keep('the session', done.started.secret)
    const rows = await backupOf(fresh)
    await fresh.close()
    expect(rows.includes('owner@example.org')).toBe(true)
    expect(own.foundIn(rows)).toEqual([])
  })
})

async function backupOf({ config }: Op): Promise<Buffer> {
  const file = join(temporaryFolder(), 'portal.backup')
  await backUp(config, file, new Date())
  return gunzipSync(readFileSync(file))
}

/** A database as somebody sees it who has stolen it. */
async function bytesOf(url: string): Promise<Buffer> {
  if (url.startsWith('postgres')) return Buffer.from(await everyRow(url))
  const path = url.slice('file:'.length)
  const files = readdirSync(dirname(path)).filter((name) => name.startsWith('gatehouse.db'))
  return Buffer.concat(files.map((name) => readFileSync(join(dirname(path), name))))
}
