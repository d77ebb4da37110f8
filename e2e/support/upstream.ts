import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { hashPassword } from '../../lib/accounts/passwords'
import { createOp, type OpenOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { createUser } from '../../lib/store/accounts/users'
import { made } from './access-requests'
import { caller, machineToken } from './api'
import { freshDatabase, type Kind } from './databases'
import { formWith, OldBrowser, type Page } from './old-browser'
import { type Oracle, startOracle } from './oracle'
import { type Portal, startPortal } from './portal'
import { freePort } from './postgres'
import { sharedPortal } from './shared-portal'
import { STAND_IN_SECRET, type StandIn, startStandIn } from './stand-in'

/** What the tests of sign-in through other providers share. */
export const PASSWORD = 'a fresh and unguessable phrase'
export const SESSION = 'gatehouse.session'
export const ORACLE_SECRET = 'the-secret-of-the-first-client'

/** A second Gatehouse, and what we are to it. */
export let op: Portal
export let partner: { id: string; secret?: string }
export let oracle: Oracle
export let standIn: StandIn
export const ports = { open: 0, closed: 0, dead: 0 }

export const callback = (port: number, id: string) =>
  `http://localhost:${port}/api/auth/callback/${id}`

export let open: Portal
export let closed: Portal
export let db: OpenOp
export let passwordHash = ''
export let people = 0

/** The other providers, once for a file. */
export function startProviders(): void {
  beforeAll(async () => {
    for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort()
    standIn = await startStandIn()
    oracle = await startOracle(await freePort(), callback(ports.open, 'oracle'))
    op = await sharedPortal()
    const api = caller(op, await machineToken(op))
    const redirectUris = [callback(ports.open, 'partner')]
    partner = await made(api, '/applications', { kind: 'web', name: 'Partner', redirectUris })
  })

  afterAll(async () => {
    standIn.stop()
    oracle.stop()
  })
}

/** The portals that people sign in to. */
export function startUpstream(kind: Kind): void {
  beforeAll(async () => {
    const env = { DATABASE_URL: await freshDatabase[kind](), ...settings() }
    open = await startPortal({ env: { ...env, PORT: String(ports.open), REGISTRATION: 'open' } })
    closed = await startPortal({ env: { ...env, PORT: String(ports.closed) } })
    db = await createOp(readConfig({ ...open.env, LOG_LEVEL: 'silent' }))
    passwordHash = await hashPassword(PASSWORD)
  })
  afterAll(async () => {
    await db.close()
    await closed.stop()
    await open.stop()
  })
  beforeEach(() => db.db.rateCounter.deleteMany({}))
}

export function settings(): Record<string, string> {
  const openId = { kind: 'oidc', clientId: 'portal', clientSecret: 'env:STAND_IN_SECRET' }
  const providers = [
    { ...openId, id: 'stand-in', name: 'Stand-in', issuer: standIn.origin, domains: ['in.test'] },
    { ...openId, id: 'dead', name: 'Dead End', issuer: `http://localhost:${ports.dead}` },
    { ...openId, id: 'mixed-up', name: 'Mixed Up', issuer: `${standIn.origin}/elsewhere` },
    { ...openId, id: 'github', kind: 'github', url: standIn.origin },
    {
      ...openId,
      id: 'partner',
      name: 'Partner',
      issuer: op.origin,
      clientId: partner.id,
      clientSecret: 'env:OTHER_SECRET',
    },
    {
      ...openId,
      id: 'oracle',
      name: 'Oracle',
      issuer: oracle.subject.issuer,
      clientId: 'first',
      clientSecret: 'env:ORACLE_SECRET',
    },
  ]
  const hosts = [standIn.origin, op.origin, oracle.subject.issuer]
  return {
    UPSTREAM_PROVIDERS: JSON.stringify(providers),
    OUTBOUND_HOSTS: [...hosts.map((url) => new URL(url).host), `localhost:${ports.dead}`].join(),
    STAND_IN_SECRET,
    OTHER_SECRET: partner.secret ?? '',
    ORACLE_SECRET,
    TRUSTED_PROXIES: '1',
  }
}

/** Sends the provider form of a page; ends at the provider's address, or at a page of ours. */
export function leave(browser: OldBrowser, page: Page, provider: string): Promise<Page> {
  return browser.submit(formWith(page, 'name="provider"'), {}, ['provider', provider])
}

/** The stand-in asks nothing: its answer is the address back. */
export async function backFrom(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' })
  return response.headers.get('location') ?? ''
}

/** A number that nobody had before. */
export function nextPerson(): number {
  people += 1
  return people
}

/** A person whom the stand-in knows, and here nobody yet. */
export function outsider(more: Record<string, unknown> = {}): string {
  const sub = `person-${nextPerson()}`
  const email = `${sub}@in.test`
  standIn.script = { person: { sub, name: `Person ${people}`, email, ...more } }
  return sub
}

export async function resident(email: string): Promise<string> {
  const user = { name: 'Resident', email, emailVerified: true, adminRole: null, passwordHash }
  return db.write((tx) => createUser(tx, user, db.now()))
}

export const browserAt = (portal = open) => new OldBrowser(portal.origin)
export const identityOf = (subject: string) =>
  db.db.identity.findFirst({ where: { subject }, include: { user: true } })
export const eventsOf = async (actorId: string) =>
  (await db.db.auditEntry.findMany({ where: { actorId }, orderBy: { seq: 'asc' } })).map(
    ({ event, detail }) => ({ event, detail }),
  )
export const userCount = () => db.db.user.count()

export async function goThrough(browser: OldBrowser, path = '/login', provider = 'stand-in') {
  const there = await leave(browser, await browser.open(path), provider)
  return browser.open(await backFrom(there.url))
}

export async function withPassword(email: string): Promise<OldBrowser> {
  const browser = browserAt()
  await browser.signIn(await browser.open('/login'), { email, password: PASSWORD })
  expect(browser.cookies.has(SESSION)).toBe(true)
  return browser
}

export async function confirmed(email: string): Promise<OldBrowser> {
  const browser = await withPassword(email)
  const page = await browser.open('/account/security/identities')
  expect(page.url).toContain('/account/confirm?')
  expect((await browser.submit(page, { password: PASSWORD })).url).toContain('/identities')
  return browser
}

export function refused(browser: OldBrowser, page: Page, problem: string, words: string) {
  expect(page.status).toBe(200)
  const { pathname, searchParams } = new URL(page.url)
  expect([pathname, searchParams.get('problem')]).toEqual(['/login', problem])
  expect(page.html).toContain('role="alert"')
  expect(page.html).toContain(words)
  expect([...browser.cookies.keys()].filter((name) => name.startsWith('gatehouse'))).toEqual([])
}
