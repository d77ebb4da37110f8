import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashPassword } from '../../lib/accounts/passwords'
import type { Op } from '../../lib/context/op'
import { createOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import type { Database } from '../../lib/store/database'
import { createUser } from '../../lib/store/users'
import { ask } from '../support/ask'
import { freshDatabase, KINDS } from '../support/databases'
import { formOf, formWith, OldBrowser, type Page } from '../support/old-browser'
import { type Oracle, startOracle } from '../support/oracle'
import { type Portal, startPortal } from '../support/portal'
import { freePort } from '../support/postgres'
import { STAND_IN_SECRET, type StandIn, startStandIn } from '../support/stand-in'

/**
 * docs/attacks.md, M30 and M32: signing in through a second Gatehouse, npm's oidc-provider and a
 * stand-in that lies. Whatever goes wrong ends at a page of ours, with nobody signed in.
 */

const PASSWORD = 'a fresh and unguessable phrase'
const SESSION = 'gatehouse.session'
const ORACLE_SECRET = 'the-secret-of-the-first-client'

let house: Portal
let houseOp: Op & { db: Database }
let oracle: Oracle
let standIn: StandIn
const ports = { open: 0, closed: 0, dead: 0 }

const callback = (port: number, id: string) => `http://localhost:${port}/api/auth/callback/${id}`

beforeAll(async () => {
  for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort()
  standIn = await startStandIn()
  oracle = await startOracle(await freePort(), callback(ports.open, 'oracle'))
  house = await startPortal({ args: ['--demo'] })
  houseOp = await createOp(readConfig({ ...house.env, LOG_LEVEL: 'silent' }))
  await houseOp.changePolicy(async (tx) => {
    const redirectUris = [callback(ports.open, 'house')]
    await tx.application.update({ where: { id: 'app_demo_web' }, data: { redirectUris } })
  })
  await new Promise((resolve) => setTimeout(resolve, 1_050)) // a snapshot is a second old
})

afterAll(async () => {
  standIn.stop()
  oracle.stop()
  await houseOp.close()
  await house.stop()
})

function settings(): Record<string, string> {
  const { client_id, client_secret } = house.demo().web
  const openId = { kind: 'oidc', clientId: 'portal', clientSecret: 'env:STAND_IN_SECRET' }
  const providers = [
    { ...openId, id: 'stand-in', name: 'Stand-in', issuer: standIn.origin, domains: ['in.test'] },
    { ...openId, id: 'dead', name: 'Dead End', issuer: `http://localhost:${ports.dead}` },
    { ...openId, id: 'mixed-up', name: 'Mixed Up', issuer: `${standIn.origin}/elsewhere` },
    { ...openId, id: 'github', kind: 'github', url: standIn.origin },
    {
      ...openId,
      ...{ id: 'house', name: 'Other House', issuer: house.origin },
      ...{ clientId: client_id, clientSecret: 'env:HOUSE_SECRET' },
    },
    {
      ...openId,
      ...{ id: 'oracle', name: 'Oracle', issuer: oracle.subject.issuer },
      ...{ clientId: 'first', clientSecret: 'env:ORACLE_SECRET' },
    },
  ]
  const hosts = [standIn.origin, house.origin, oracle.subject.issuer]
  return {
    UPSTREAM_PROVIDERS: JSON.stringify(providers),
    OUTBOUND_HOSTS: [...hosts.map((url) => new URL(url).host), `localhost:${ports.dead}`].join(),
    STAND_IN_SECRET,
    HOUSE_SECRET: client_secret,
    ORACLE_SECRET,
    TRUSTED_PROXIES: '1',
  }
}

/** Sends the provider form of a page; ends at the provider's address, or at a page of ours. */
function leave(browser: OldBrowser, page: Page, provider: string): Promise<Page> {
  return browser.submit(formWith(page, 'name="provider"'), {}, ['provider', provider])
}

/** The stand-in asks nothing: its answer is the address back. */
async function backFrom(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' })
  return response.headers.get('location') ?? ''
}

describe.each(KINDS)('sign-in through another provider on %s', (kind) => {
  let open: Portal
  let closed: Portal
  let db: Op & { db: Database }
  let passwordHash = ''
  let people = 0

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

  /** A person whom the stand-in knows, and here nobody yet. */
  function stranger(more: Record<string, unknown> = {}): string {
    people += 1
    const sub = `person-${people}`
    const email = `${sub}@in.test`
    standIn.script = { person: { sub, name: `Person ${people}`, email, ...more } }
    return sub
  }

  async function resident(email: string): Promise<string> {
    const user = { name: 'Resident', email, emailVerified: true, adminRole: null, passwordHash }
    return db.write((tx) => createUser(tx, user, db.now()))
  }

  const browserAt = (portal = open) => new OldBrowser(portal.origin)
  const identityOf = (subject: string) =>
    db.db.identity.findFirst({ where: { subject }, include: { user: true } })
  const eventsOf = async (actorId: string) =>
    (await db.db.auditEntry.findMany({ where: { actorId }, orderBy: { seq: 'asc' } })).map(
      ({ event, detail }) => ({ event, detail }),
    )
  const userCount = () => db.db.user.count()

  async function goThrough(browser: OldBrowser, path = '/login', provider = 'stand-in') {
    const there = await leave(browser, await browser.open(path), provider)
    return browser.open(await backFrom(there.url))
  }

  async function withPassword(email: string): Promise<OldBrowser> {
    const browser = browserAt()
    await browser.signIn(await browser.open('/login'), { email, password: PASSWORD })
    expect(browser.cookies.has(SESSION)).toBe(true)
    return browser
  }

  async function confirmed(email: string): Promise<OldBrowser> {
    const browser = await withPassword(email)
    const page = await browser.open('/account/security/identities')
    expect(page.url).toContain('/account/confirm?')
    expect((await browser.submit(page, { password: PASSWORD })).url).toContain('/identities')
    return browser
  }

  function refused(browser: OldBrowser, page: Page, problem: string, words: string) {
    expect(page.status).toBe(200)
    const { pathname, searchParams } = new URL(page.url)
    expect([pathname, searchParams.get('problem')]).toEqual(['/login', problem])
    expect(page.html).toContain('role="alert"')
    expect(page.html).toContain(words)
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('gatehouse'))).toEqual([])
  }

  describe('M30: who one is here', () => {
    test('a first visit makes an account, the second finds it, and both go on where one was going', async () => {
      const sub = stranger({ email_verified: true, given_name: 'Per', family_name: 'Son' })
      const browser = browserAt()
      const page = await goThrough(browser, '/login?returnTo=%2Faccount%2Fsecurity')
      expect(new URL(page.url).pathname).toBe('/account/security')
      expect(browser.cookies.has(SESSION)).toBe(true)
      const first = await identityOf(sub)
      expect(first).toMatchObject({ provider: standIn.origin, emailVerified: true })
      expect(first?.user).toMatchObject({
        name: `Person ${people}`,
        email: `${sub}@in.test`,
        emailVerified: true,
        adminRole: null,
        profile: { given_name: 'Per', family_name: 'Son' },
      })
      const again = browserAt(closed)
      await goThrough(again)
      expect(again.cookies.has(SESSION)).toBe(true)
      expect((await identityOf(sub))?.userId).toBe(first?.userId)
      const method = { method: 'upstream', issuer: standIn.origin }
      expect(await eventsOf(first?.userId ?? '')).toEqual([
        { event: 'user.registered', detail: method },
        { event: 'login.succeeded', detail: method },
        { event: 'login.succeeded', detail: method },
      ])
      const session = await db.db.session.findFirst({ where: { userId: first?.userId ?? '' } })
      expect(session).toMatchObject({ acr: 'pwd', amr: ['fed'] })
    })

    test('an address that the provider does not vouch for stays unverified', async () => {
      const sub = stranger()
      await goThrough(browserAt())
      expect((await identityOf(sub))?.user).toMatchObject({
        email: `${sub}@in.test`,
        emailVerified: false,
      })
      // Where there is no mail server a letter is printed, by whichever instance was first.
      const printed = () => open.output() + closed.output()
      await vi.waitFor(() => expect(printed()).toContain(`Mail to ${sub}@in.test`), 10_000)
    })

    test('eight first visits at the same moment make one account', async () => {
      const sub = stranger({ email_verified: true })
      const before = await userCount()
      const browsers = Array.from({ length: 8 }, () => browserAt())
      const ways = await Promise.all(
        browsers.map(async (browser) => leave(browser, await browser.open('/login'), 'stand-in')),
      )
      const backs = await Promise.all(ways.map(({ url }) => backFrom(url)))
      await Promise.all(browsers.map((browser, at) => browser.open(backs[at] ?? '')))
      expect(browsers.filter(({ cookies }) => cookies.has(SESSION))).toHaveLength(8)
      expect(await userCount()).toBe(before + 1)
      const userId = (await identityOf(sub))?.userId ?? ''
      expect(await db.db.session.count({ where: { userId } })).toBe(8)
    })

    test.each(['open', 'closed'])(
      '%s registration: a verified address leads into no account',
      async (name) => {
        const browser = browserAt(name === 'open' ? open : closed)
        const sub = stranger({ email_verified: true })
        const userId = await resident(`${sub}@in.test`)
        const page = await goThrough(browser)
        refused(browser, page, 'address_taken', 'connect Stand-in under Security')
        expect(await db.db.identity.count({ where: { userId } })).toBe(0)
        expect(await identityOf(sub)).toBeNull()
      },
    )

    test.each(['open', 'closed'])(
      '%s registration: nor does an unverified one, and nothing says whose it is',
      async (name) => {
        const browser = browserAt(name === 'open' ? open : closed)
        const sub = stranger()
        await resident(`${sub}@in.test`.toUpperCase())
        const page = await goThrough(browser)
        refused(browser, page, 'unknown', 'no account here for this Stand-in account')
        expect(await identityOf(sub)).toBeNull()
      },
    )

    test('closed registration: an unknown person is told so, and no account is made', async () => {
      const sub = stranger({ email_verified: true })
      const before = await userCount()
      const browser = browserAt(closed)
      const page = await goThrough(browser, '/login?returnTo=%2Faccount')
      refused(browser, page, 'unknown', 'no account here for this Stand-in account')
      expect(new URL(page.url).searchParams.get('returnTo')).toBe('/account')
      expect([await identityOf(sub), await userCount()]).toEqual([null, before])
    })

    test('M1: a disabled account looks like none', async () => {
      const sub = stranger()
      await goThrough(browserAt())
      const { userId = '' } = (await identityOf(sub)) ?? {}
      await db.db.user.update({ where: { id: userId }, data: { disabledAt: new Date() } })
      const browser = browserAt()
      refused(browser, await goThrough(browser), 'unknown', 'no account here')
      const failures = await db.db.auditEntry.findMany({ where: { event: 'login.failed' } })
      expect(failures.at(-1)?.detail).toMatchObject({ method: 'upstream', problem: 'unknown' })
    })

    test('M2: unvouched addresses cannot be tried out without end', async () => {
      const problems = []
      for (let i = 0; i < 5; i += 1) {
        stranger({ email: 'one-and-the-same@in.test' })
        const browser = browserAt()
        const page = await goThrough(browser)
        problems.push(new URL(page.url).searchParams.get('problem'))
      }
      expect(problems).toEqual([null, 'unknown', 'unknown', 'slow_down', 'slow_down'])
    })
  })

  describe('M30: connecting', () => {
    test('asked for while signed in and confirmed; from then on it signs in to that account', async () => {
      const sub = stranger({ email: 'quite-another@in.test', email_verified: true })
      const userId = await resident(`resident-${people}@example.org`)
      const browser = await confirmed(`resident-${people}@example.org`)
      const before = browser.cookies.get(SESSION)
      const page = await goThrough(browser, '/account/security/identities')
      expect(page.url).toContain('/account/security?done=identityLinked')
      expect(page.html).toContain('quite-another@in.test')
      // M9: the session's secret is a new one.
      expect(browser.cookies.get(SESSION)).not.toBe(before)
      expect(await identityOf(sub)).toMatchObject({ userId, user: { emailVerified: true } })
      expect((await identityOf(sub))?.user.email).toBe(`resident-${people}@example.org`)
      const events = (await eventsOf(userId)).map(({ event }) => event)
      expect(events).toContain('identity.linked')

      const elsewhere = browserAt(closed)
      await goThrough(elsewhere)
      expect((await elsewhere.open('/account')).html).toContain(`resident-${people}@example.org`)
    })

    test('the page and the action want somebody who has confirmed it', async () => {
      stranger()
      await resident(`resident-${people}@example.org`)
      const ready = await confirmed(`resident-${people}@example.org`)
      const form = await ready.open('/account/security/identities')
      expect((await leave(browserAt(), form, 'stand-in')).url).toContain('/login?returnTo=')
      const unconfirmed = await withPassword(`resident-${people}@example.org`)
      expect((await leave(unconfirmed, form, 'stand-in')).url).toContain('/account/confirm?')
    })

    test('what is somebody else’s stays theirs', async () => {
      const sub = stranger()
      await goThrough(browserAt())
      const owner = (await identityOf(sub))?.userId
      await resident(`resident-${people}@example.org`)
      const browser = await confirmed(`resident-${people}@example.org`)
      const page = await goThrough(browser, '/account/security/identities')
      expect(page.html).toContain('connected to another account here')
      expect((await identityOf(sub))?.userId).toBe(owner)
    })

    test('begun in one session, it is not finished in another', async () => {
      const sub = stranger()
      await resident(`resident-${people}@example.org`)
      const browser = await confirmed(`resident-${people}@example.org`)
      const there = await leave(
        browser,
        await browser.open('/account/security/identities'),
        'stand-in',
      )
      const other = await withPassword(`resident-${people}@example.org`)
      browser.cookies.set(SESSION, other.cookies.get(SESSION) ?? '')
      await browser.open(await backFrom(there.url))
      expect(await identityOf(sub)).toBeNull()
    })

    test('the last way in cannot be taken away; another one can, once it is confirmed', async () => {
      const sub = stranger({ email_verified: true })
      const browser = browserAt()
      await goThrough(browser)
      const { userId = '' } = (await identityOf(sub)) ?? {}
      const disconnect = async () => {
        const page = await browser.open('/account/security')
        return browser.submit(formWith(page, 'Disconnect this account'), {})
      }
      // No password: confirming is signing in there again, and it is asked to make sure.
      const question = await disconnect()
      expect(question.url).toContain('/account/confirm?')
      expect(question.html).not.toContain('type="password"')
      const there = await leave(browser, question, 'stand-in')
      const back = await browser.open(await backFrom(there.url))
      expect(standIn.asked).toMatchObject({ prompt: 'login', max_age: '0' })
      expect(back.url).toContain('/account/security')
      expect((await disconnect()).html).toContain('your only way to sign in')
      await db.db.passwordCredential.create({
        data: { userId, hash: passwordHash, changedAt: new Date() },
      })
      expect((await disconnect()).url).toContain('done=identityUnlinked')
      expect(await identityOf(sub)).toBeNull()
      expect((await eventsOf(userId)).at(-1)?.event).toBe('identity.unlinked')
    })

    test('confirming takes one’s own account there, and signing in just now', async () => {
      const sub = stranger()
      const browser = browserAt()
      await goThrough(browser)
      const { person } = standIn.script
      const confirm = '/account/confirm?returnTo=%2Faccount%2Fsecurity'
      stranger()
      expect((await goThrough(browser, confirm)).html).toContain('wasn’t the Stand-in account')
      const longAgo = Math.floor(Date.now() / 1000) - 3_600
      standIn.script = { person, idToken: { auth_time: longAgo } }
      expect((await goThrough(browser, confirm)).url).toContain('problem=not_fresh')
      standIn.script = { person, idToken: { auth_time: Math.floor(Date.now() / 1000) } }
      expect(new URL((await goThrough(browser, confirm)).url).pathname).toBe('/account/security')
      const { userId = '' } = (await identityOf(sub)) ?? {}
      // Those that failed are written a moment later.
      await expect
        .poll(async () => {
          const events = await eventsOf(userId)
          return events.filter(({ event }) => event === 'account.confirmed').length
        })
        .toBe(3)
    })
  })

  test('whose address belongs to an organisation is led there first, others are not', async () => {
    const at = async (identifier: string) => {
      const { html } = await browserAt().open(`/login?${new URLSearchParams({ identifier })}`)
      return /<button[^>]*value="stand-in"/.test(html)
    }
    expect(await at('Ann@IN.test')).toBe(true)
    expect(await at('ann@elsewhere.test')).toBe(false)
    expect(await at('ann')).toBe(false)
  })

  describe('M32: what cannot be trusted', () => {
    const lies: [string, Partial<StandIn['script']>][] = [
      ['another nonce', { idToken: { nonce: 'another' } }],
      ['no nonce', { idToken: { nonce: undefined } }],
      ['an id_token of another issuer', { idToken: { iss: 'https://evil.example' } }],
      ['an id_token for another client', { idToken: { aud: 'somebody-else' } }],
      ['an id_token that has expired', { idToken: { exp: 1_000_000_000 } }],
      ['an id_token about somebody else than userinfo', { idToken: { sub: 'somebody-else' } }],
      ['an id_token that a stranger signed', { signedByStranger: true }],
      ['an answer in another issuer’s name', { answer: { iss: 'https://evil.example' } }],
      ['an answer in nobody’s name', { answer: { iss: undefined } }],
      ['another state', { answer: { state: 'another' } }],
      ['no state', { answer: { state: undefined } }],
      ['a code that is not its own', { answer: { code: 'made-up' } }],
      ['no answer where the code is brought', { hangsUp: true }],
      ['an error of the provider', { answer: { code: undefined, error: 'server_error' } }],
    ]
    test.each(lies)('%s', async (_what, lie) => {
      const sub = stranger({ email_verified: true })
      standIn.script = { ...standIn.script, ...lie }
      const browser = browserAt()
      refused(browser, await goThrough(browser), 'failed', 'an answer we can’t trust')
      expect(await identityOf(sub)).toBeNull()
    })

    test('access_denied: somebody thought better of it, and may choose again', async () => {
      stranger()
      standIn.script.answer = { code: undefined, error: 'access_denied' }
      const browser = browserAt()
      const page = await goThrough(browser, '/login?returnTo=%2Faccount')
      refused(browser, page, 'cancelled', 'You cancelled at Stand-in')
      expect(new URL(page.url).searchParams.get('returnTo')).toBe('/account')
    })

    test('a callback works once, whatever the browser brings', async () => {
      stranger()
      const browser = browserAt()
      const there = await leave(browser, await browser.open('/login'), 'stand-in')
      const back = await backFrom(there.url)
      const replay = browserAt()
      for (const [name, value] of browser.cookies) replay.cookies.set(name, value)
      await browser.open(back)
      expect(browser.cookies.has(SESSION)).toBe(true)
      refused(replay, await replay.open(back), 'expired', 'Please start again')
      const elsewhere = browserAt()
      refused(elsewhere, await elsewhere.open(back), 'expired', 'began in another browser')
    })

    test('what was begun with one provider is not finished with another', async () => {
      stranger()
      const browser = browserAt()
      const there = await leave(browser, await browser.open('/login'), 'stand-in')
      const back = (await backFrom(there.url)).replace('/callback/stand-in', '/callback/house')
      refused(browser, await browser.open(back), 'expired', 'Please start again')
    })

    test('M11: cookies that were tampered with are no cookies', async () => {
      for (const name of [
        'gatehouse.upstream',
        'gatehouse.upstream.state',
        'gatehouse.upstream.nonce',
      ]) {
        stranger()
        const browser = browserAt()
        const there = await leave(browser, await browser.open('/login'), 'stand-in')
        expect(browser.cookies.has(name)).toBe(true)
        browser.cookies.set(name, `${browser.cookies.get(name)?.slice(0, -6)}AAAAAA`)
        const page = await browser.open(await backFrom(there.url))
        const problem = name === 'gatehouse.upstream' ? 'expired' : 'failed'
        expect(new URL(page.url).searchParams.get('problem')).toBe(problem)
        expect(browser.cookies.has(SESSION)).toBe(false)
      }
    })

    test.each([
      ['dead', 'Dead End can’t be reached'],
      ['mixed-up', 'Mixed Up can’t be reached'],
      ['nobody', 'the other provider can’t be reached'],
    ])('a provider that cannot be used: %s', async (provider, words) => {
      const browser = browserAt()
      const page = await leave(browser, await browser.open('/login'), provider)
      expect([page.status, new URL(page.url).pathname]).toEqual([200, '/login'])
      expect(page.html).toContain(words)
      expect([...browser.cookies.keys()]).toEqual([])
    })

    test('an address is never taken from the request: not for the way back, not for where to go', async () => {
      stranger()
      const browser = browserAt()
      const there = await leave(
        browser,
        await browser.open('/login?returnTo=//evil.example'),
        'stand-in',
      )
      const asked = new URL(there.url).searchParams
      expect(asked.get('redirect_uri')).toBe(callback(ports.open, 'stand-in'))
      expect(asked.get('code_challenge_method')).toBe('S256')
      expect(asked.get('scope')).toBe('openid profile email')
      for (const name of ['state', 'nonce', 'code_challenge']) {
        expect(asked.get(name)?.length).toBeGreaterThan(40)
      }
      const page = await browser.open(await backFrom(there.url))
      expect(new URL(page.url).pathname).toBe('/')
    })

    test('nothing else of next-auth can be reached', async () => {
      const steps =
        'signin signin/stand-in signout session csrf providers error verify-request _log'
      const paths = [...steps.split(' '), 'callback', 'callback/credentials', 'callback/a/b', 'x']
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
        for (const path of paths) {
          const answer = await ask(open.origin, {
            method,
            path: `/api/auth/${path}`,
            headers: {
              origin: open.origin,
              'sec-fetch-site': 'same-origin',
              'content-length': '0',
            },
          })
          expect([method, path, answer.status]).toEqual([method, path, 404])
          expect(answer.headers['set-cookie']).toBeUndefined()
        }
      }
      const posted = await ask(open.origin, {
        method: 'POST',
        path: '/api/auth/callback/stand-in?code=x&state=y',
        headers: { 'content-length': '0' },
      })
      expect(posted.status).toBe(403)
    })

    test('M13: nobody is sent to a provider by a form of another site', async () => {
      const browser = browserAt()
      const page = formWith(await browser.open('/login'), 'name="provider"')
      const body = new FormData()
      for (const [, name = '', value = ''] of page.html.matchAll(
        /<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g,
      )) {
        body.append(name, value)
      }
      body.append('provider', 'stand-in')
      const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
      const url = `${open.origin}/login`
      const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
      expect(answer.status).toBe(403)
      expect(answer.headers.getSetCookie()).toEqual([])
    })
  })

  describe('with real providers', () => {
    test('a second Gatehouse', async () => {
      const alice = house.demo().users[0] ?? { email: '', password: '' }
      const subjects = []
      for (let visit = 0; visit < 2; visit += 1) {
        const browser = browserAt()
        const there = await leave(browser, await browser.open('/login'), 'house')
        const upstream = new OldBrowser(house.origin)
        let page = await upstream.signIn(await upstream.open(there.url), alice)
        if (page.url.includes('/consent')) page = await upstream.submit(page, {})
        expect(page.url).toContain('/api/auth/callback/house?code=')
        await browser.open(page.url)
        expect(browser.cookies.has(SESSION)).toBe(true)
        expect((await browser.open('/account')).html).toContain(alice.email)
        const row = await identityOf('usr_demo_alice')
        subjects.push(row?.userId)
      }
      expect(subjects[0]).toBeDefined()
      expect(subjects[0]).toBe(subjects[1])
      expect(await identityOf('usr_demo_alice')).toMatchObject({
        provider: house.origin,
        emailVerified: true,
        user: { emailVerified: true },
      })
    })

    test('npm’s oidc-provider', async () => {
      const users = []
      for (let visit = 0; visit < 2; visit += 1) {
        const browser = browserAt()
        const there = await leave(browser, await browser.open('/login'), 'oracle')
        const upstream = new OldBrowser(oracle.subject.issuer)
        const login = await upstream.open(there.url)
        const consent = await upstream.submit(login, { login: 'delphi', password: 'x' })
        const back = consent.url.includes('/callback/')
          ? consent
          : await upstream.submit(consent, {})
        const page = await browser.open(back.url)
        expect(new URL(page.url).pathname).toBe('/')
        expect(browser.cookies.has(SESSION)).toBe(true)
        users.push((await identityOf('delphi'))?.user)
      }
      expect(users[0]).toMatchObject({ name: 'Oracle User', emailVerified: true })
      expect(users[0]?.id).toBe(users[1]?.id)
    })

    test('GitHub Enterprise Server, as the stand-in plays it: the primary address, if verified', async () => {
      people += 1
      const id = 1_000 + people
      standIn.script = {
        person: {},
        answer: { iss: undefined },
        github: {
          user: { id, login: `octo-${id}`, name: null, email: 'public@in.test' },
          emails: [
            { email: `second-${id}@in.test`, primary: false, verified: true },
            { email: `first-${id}@in.test`, primary: true, verified: true },
          ],
        },
      }
      const browser = browserAt()
      const page = await goThrough(browser, '/login', 'github')
      expect(new URL(page.url).pathname).toBe('/')
      expect(standIn.asked).toMatchObject({ scope: 'read:user user:email' })
      expect(await identityOf(String(id))).toMatchObject({
        provider: `${standIn.origin}/login/oauth`,
        user: { name: `octo-${id}`, email: `first-${id}@in.test`, emailVerified: true },
      })
    })
  })

  test('M10: on https what travels is __Host-, Secure, HttpOnly and Lax', async () => {
    const ISSUER = 'https://id.example.com'
    const PORT = String(await freePort())
    const env = { ...settings(), ISSUER, PORT, ALLOWED_HOSTS: `localhost:${PORT}` }
    const portal = await startPortal({ env })
    const page = await new OldBrowser(portal.origin).open('/login')
    const { action, inputs } = formOf(formWith(page, 'name="provider"'))
    const body = new FormData()
    for (const [name, value] of [...inputs, ['provider', 'stand-in']])
      body.append(name ?? '', value ?? '')
    const { origin } = portal
    const headers = { origin, 'sec-fetch-site': 'same-origin' }
    const answer = await fetch(action, { method: 'POST', body, headers, redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login/leave'])
    const lines = answer.headers.getSetCookie()
    expect(lines.map((line) => line.split('=')[0]).sort()).toEqual([
      '__Host-gatehouse.upstream',
      '__Host-gatehouse.upstream.nonce',
      '__Host-gatehouse.upstream.pkceCodeVerifier',
      '__Host-gatehouse.upstream.state',
    ])
    for (const line of lines) {
      expect(line).toMatch(/; Path=\/;.*Max-Age=900; Secure; HttpOnly; SameSite=lax$/i)
      expect(line).not.toMatch(/domain=/i)
    }
    await portal.stop()
  })

  test('N22: no secret of a provider, no code and no token is in the log', async () => {
    stranger()
    const browser = browserAt()
    const there = await leave(browser, await browser.open('/login'), 'stand-in')
    const back = new URL(await backFrom(there.url))
    await browser.open(back.href)
    const log = (await open.allOutput()) + (await closed.allOutput())
    const secrets = [STAND_IN_SECRET, ORACLE_SECRET, house.demo().web.client_secret]
    for (const secret of [...secrets, back.searchParams.get('code') ?? '', 'an-access-token']) {
      expect(log).not.toContain(secret)
    }
  })
})
