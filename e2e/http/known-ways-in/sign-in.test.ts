import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiAnswer, callApi } from '../../support/api'
import type { Fields } from '../../support/ask'
import { addApp, confirmed } from '../../support/enrol'
import { authorizeUrl, exchange, received, webRequest } from '../../support/flow'
import { formWith, OldBrowser, type Page } from '../../support/old-browser'
import { type Portal, startPortal } from '../../support/portal'
import { linkIn, type MailServer, type Received, startMailServer } from '../../support/smtp'
import { STAND_IN_SECRET, type StandIn, startStandIn } from '../../support/stand-in'

/**
 * Ways in that were open once: through a provider that was replaced, a second factor that nobody was
 * asked for, codes that were guessed at leisure, an old session elsewhere, and a new mail server.
 */

const PASSWORD = 'a fresh and unguessable phrase'
const NEXT_PASSWORD = 'another unguessable phrase, and fresh'
const SESSION = 'gatehouse.session'
const FROM = 'ID <id@x.example>'

type Person = { id: string; email: string; password: string }

let portal: Portal
/** Two providers, and two mail servers: one of each may be somebody else's. */
let ours: StandIn
let theirs: StandIn
let oldMail: MailServer
let newMail: MailServer
let owner: OldBrowser
let people = 0

beforeAll(async () => {
  ours = await startStandIn()
  theirs = await startStandIn()
  oldMail = await startMailServer()
  newMail = await startMailServer()
  const mails = [oldMail, newMail].map(({ port }) => `127.0.0.1:${port}`)
  const OUTBOUND_HOSTS = [ours.host, theirs.host, ...mails].join()
  portal = await startPortal({ args: ['--demo'], env: { OUTBOUND_HOSTS } })
  owner = await signedIn(portal.demo().admin)
  await confirmed(owner, '/account/confirm', portal.demo().admin.password)
  await set({ mail: { server: oldMail.url, from: FROM }, security: { registration: 'open' } })
})

afterAll(async () => {
  await portal.stop()
  ours.stop()
  theirs.stop()
  await oldMail.close()
  await newMail.close()
})

// ---------------------------------------------------------------- what the owner does

function pagesOf(browser: OldBrowser): Fields {
  return { cookie: browser.cookieHeader(), origin: portal.origin, 'x-gatehouse-request': '1' }
}

function as(browser: OldBrowser) {
  return (method: string, path: string, body?: unknown, headers?: Fields) =>
    callApi(portal, pagesOf(browser), method, path, body, headers)
}

async function changeSettings(
  browser: OldBrowser,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiAnswer> {
  const { headers } = await as(owner)('GET', '/settings')
  return as(browser)(method, path, body, { 'if-match': headers.etag ?? '' })
}

async function set(patch: object): Promise<ApiAnswer> {
  const answer = await changeSettings(owner, 'PATCH', '/settings', patch)
  expect([answer.status, answer.raw]).toEqual([200, expect.any(String)])
  return answer
}

const common = { clientId: 'portal', clientSecret: STAND_IN_SECRET }
const openId = (issuer: string, more = {}) => ({
  ...{ kind: 'oidc', name: 'Stand-in', issuer, ...common },
  ...more,
})

async function putProvider(id: string, provider: object): Promise<void> {
  const { status } = await changeSettings(owner, 'PUT', `/settings/providers/${id}`, provider)
  expect(status).toBe(200)
}

async function newPerson(fields: object = {}): Promise<Person> {
  people += 1
  const email = `person-${people}@example.org`
  const call = as(owner)
  const { json } = await call('POST', '/users', { name: `Person ${people}`, email, ...fields })
  const invited = await call('POST', `/users/${json.id}/invitation`, { returnLink: true })
  const browser = new OldBrowser(portal.origin)
  await browser.submit(await browser.open(invited.json.link), { password: PASSWORD })
  return { id: json.id, email, password: PASSWORD }
}

async function audit(query: string) {
  const { json } = await as(owner)('GET', `/audit-events?limit=20&${query}`)
  return json.data as { detail: Record<string, unknown> }[]
}

// ---------------------------------------------------------------- what people do

async function signedIn(login: { email: string; password: string }): Promise<OldBrowser> {
  const browser = new OldBrowser(portal.origin)
  await browser.signIn(await browser.open('/login'), login)
  return browser
}

function leave(browser: OldBrowser, page: Page, provider: string): Promise<Page> {
  return browser.submit(formWith(page, 'name="provider"'), {}, ['provider', provider])
}

/** The stand-ins ask nothing: their answer is the address back. */
async function backFrom({ url }: Page): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' })
  return response.headers.get('location') ?? ''
}

async function goThrough(browser: OldBrowser, page: Page, provider: string): Promise<Page> {
  return browser.open(await backFrom(await leave(browser, page, provider)))
}

/** The one letter to them that says so. */
async function letterTo(server: MailServer, address: string, words: string, after = 0) {
  const isIt = ({ to, subject, text }: Received) =>
    to.includes(address) && `${subject}\n${text}`.includes(words)
  const found = () => server.received.slice(after).filter(isIt)
  await expect.poll(() => found().length, { timeout: 15_000 }).toBe(1)
  return found()[0] as Received
}

const problemOf = ({ url }: Page) => new URL(url).searchParams.get('problem')
const pathOf = ({ url }: Page) => new URL(url).pathname
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds

describe('a provider that is replaced under its id', () => {
  const visitor = (sub: string) => ({ person: { sub, name: sub, email: `${sub}@in.test` } })

  test('it is asked at its own endpoints at once, and told apart by kind, issuer and client', async () => {
    await putProvider('moves', openId(theirs.origin))
    const before = await leave(new OldBrowser(portal.origin), await login(), 'moves')
    expect(before.url).toMatch(new RegExp(`^${theirs.origin}/authorize`))

    await putProvider('moves', { ...common, kind: 'github', url: ours.origin })
    const github = await leave(new OldBrowser(portal.origin), await login(), 'moves')
    expect(github.url).toMatch(new RegExp(`^${ours.origin}/login/oauth/authorize`))

    await putProvider('moves', openId(ours.origin))
    const openid = await leave(new OldBrowser(portal.origin), await login(), 'moves')
    expect(openid.url).toMatch(new RegExp(`^${ours.origin}/authorize`))

    await putProvider('moves', openId(ours.origin, { clientId: 'another' }))
    const another = await leave(new OldBrowser(portal.origin), await login(), 'moves')
    expect(new URL(another.url).searchParams.get('client_id')).toBe('another')
  })

  test.each([
    ['another issuer', () => openId(ours.origin, { clientSecret: 'for-ours-alone' })],
    [
      'another kind',
      () => ({ ...common, kind: 'github', url: ours.origin, clientSecret: 'for-ours-alone' }),
    ],
    [
      'another client',
      () => openId(theirs.origin, { clientId: 'other', clientSecret: 'for-ours-alone' }),
    ],
  ])(
    'a sign-in under way ends when it comes back to %s: no code goes out, no secret, nobody is in',
    async (_what, replacement) => {
      theirs.script = { ...visitor('under-way'), idToken: { iss: ours.origin } }
      await putProvider('moves', openId(theirs.origin))
      const browser = new OldBrowser(portal.origin)
      const back = await backFrom(await leave(browser, await login(browser), 'moves'))
      await putProvider('moves', replacement())
      const shown = [ours, theirs].map(({ secrets }) => secrets.length)
      const page = await browser.open(back)
      expect([page.status, pathOf(page), problemOf(page)]).toEqual([200, '/login', 'failed'])
      expect(page.html).toContain('an answer we can’t trust')
      expect(browser.cookies.has(SESSION)).toBe(false)
      expect([ours, theirs].map(({ secrets }) => secrets.length)).toEqual(shown)
      expect(theirs.secrets).not.toContain('for-ours-alone')
    },
  )

  async function login(browser = new OldBrowser(portal.origin)): Promise<Page> {
    return browser.open('/login')
  }
})

describe('admins need a second factor', () => {
  const on = (adminSecondFactor: boolean) => set({ security: { adminSecondFactor } })

  /** An admin with an app, and a browser that they trust: there the password alone signs in. */
  async function adminWithApp() {
    const admin = await newPerson({ adminRole: 'admin' })
    const browser = await signedIn(admin)
    const app = await addApp(browser, admin.password)
    const trusting = new OldBrowser(portal.origin)
    const asked = await trusting.signIn(await trusting.open('/login'), admin)
    expect(asked.url).toContain('/second-factor')
    await trusting.submit(formWith(asked, 'name="code"'), { code: app.next(), trust: 'yes' })
    const weak = new OldBrowser(portal.origin)
    weak.cookies.set('gatehouse.device', trusting.cookies.get('gatehouse.device') ?? '')
    await weak.signIn(await weak.open('/login'), admin)
    expect(weak.cookies.has(SESSION)).toBe(true)
    return { admin, app, trusting, weak }
  }

  test('enrolled is not proven: a password alone opens no admin page and no API, a code does', async () => {
    const { admin, app, trusting, weak } = await adminWithApp()
    // The owner stays outside: an app of their own, proven in the session that the tests use.
    const ownApp = await addApp(owner, portal.demo().admin.password)
    const proving = await owner.open('/second-factor?raise=yes')
    await owner.submit(formWith(proving, 'name="code"'), { code: ownApp.next() })
    await on(true)
    try {
      expect((await as(owner)('GET', '/settings')).status).toBe(200)
      expect((await as(trusting)('GET', '/users?limit=1')).status).toBe(200)
      const refused = await as(weak)('GET', '/users?limit=1')
      expect([refused.status, refused.json.code]).toEqual([403, 'second_factor_needed'])
      expect(refused.json.detail).toContain(`${portal.origin}/second-factor?raise=yes`)

      // Nor may whoever has only the password add a factor of their own, and prove that.
      for (const path of ['authenticator', 'passkey', 'recovery-codes', 'identities']) {
        const page = await weak.open(`/account/security/${path}`)
        expect([path, pathOf(page)]).toEqual([path, '/second-factor'])
      }

      const asked = await weak.open('/admin/users?q=person')
      expect(pathOf(asked)).toBe('/second-factor')
      expect(asked.html).not.toContain('name="trust"')
      const wrong = await weak.submit(formWith(asked, 'name="code"'), { code: '000000' })
      expect(wrong.html).toContain('That code isn’t right')
      expect((await as(weak)('GET', '/users?limit=1')).status).toBe(403)
      const page = await weak.submit(formWith(wrong, 'name="code"'), { code: app.next() })
      expect([page.status, page.url]).toEqual([200, `${portal.origin}/admin/users?q=person`])
      expect((await as(weak)('GET', '/users?limit=1')).status).toBe(200)
      expect(await audit(`event=login.second_factor&actor=${admin.id}`)).not.toEqual([])
    } finally {
      await on(false)
    }
  })

  test('whoever has none sets one up as before, and then proves it', async () => {
    const admin = await newPerson({ adminRole: 'admin' })
    const browser = await signedIn(admin)
    await on(true)
    try {
      expect((await browser.open('/admin/users')).url).toContain('/account/security?done=factor')
      const app = await addApp(browser, admin.password)
      const asked = await browser.open('/admin/users')
      expect(pathOf(asked)).toBe('/second-factor')
      const page = await browser.submit(formWith(asked, 'name="code"'), { code: app.next() })
      expect([page.status, pathOf(page)]).toEqual([200, '/admin/users'])
    } finally {
      await on(false)
    }
  })

  test('a token counts for what its sign-in was worth', async () => {
    const { admin, weak, trusting } = await adminWithApp()
    const web = '/applications/app_demo_web/grants'
    const { json, headers } = await as(owner)('GET', web)
    const patterns = json.grants.map(({ pattern }: { pattern: string }) => pattern)
    const grants = [...patterns, 'users:read'].map((pattern) => ({ pattern }))
    const put = await as(owner)('PUT', web, { grants }, { 'if-match': headers.etag ?? '' })
    expect([put.status, put.raw]).toEqual([200, expect.any(String)])
    const tokenOf = async (browser: OldBrowser) => {
      const scope = 'openid users:read'
      const page = await browser.open(authorizeUrl(webRequest(portal.demo(), { scope })))
      const agreed = page.url.includes('/consent')
        ? await browser.submit(page, { scope: ['users:read'] })
        : page
      const { body } = await exchange(portal, received(agreed).code ?? '')
      return JSON.parse(body).access_token as string
    }
    const [weakToken, strongToken] = [await tokenOf(weak), await tokenOf(trusting)]
    const read = async (token: string) =>
      (await callApi(portal, token, 'GET', `/users/${admin.id}`)).status
    expect([await read(weakToken), await read(strongToken)]).toEqual([200, 200])
    await on(true)
    try {
      expect([await read(weakToken), await read(strongToken)]).toEqual([403, 200])
    } finally {
      await on(false)
    }
  })
})

describe('wrong codes', () => {
  test('five are told of by letter and locked everywhere; a reset by mail does not open it, a recovery code does', async () => {
    const person = await newPerson()
    const browser = await signedIn(person)
    const app = await addApp(browser, person.password)
    const made = await browser.submit(await browser.open('/account/security/recovery-codes'), {})
    const [recovery = ''] = /\b[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}\b/.exec(made.html) ?? []

    const guesser = new OldBrowser(portal.origin)
    let page = await guesser.signIn(await guesser.open('/login'), person)
    for (let i = 0; i < 5; i += 1) {
      page = await guesser.submit(formWith(page, 'name="code"'), { code: `00000${i}` })
      expect(page.html).toContain('That code isn’t right')
    }
    const letter = await letterTo(oldMail, person.email, 'Wrong codes for your account')
    expect(letter.text).toContain('a passkey or a recovery code')
    page = await guesser.submit(formWith(page, 'name="code"'), { code: app.next() })
    expect(page.html).toContain('Please wait 1 minutes')

    // The same lock where the person is asked again who they are.
    const confirm = await browser.open('/account/confirm')
    const locked = await browser.submit(formWith(confirm, 'value="code"'), { code: app.next() })
    expect(locked.html).toContain('Too many attempts')

    const forgot = new OldBrowser(portal.origin)
    await forgot.submit(await forgot.open('/forgot'), { identifier: person.email })
    const link = linkIn(await letterTo(oldMail, person.email, 'The link works once, for 30'))
    await forgot.submit(await forgot.open(link), { password: NEXT_PASSWORD })
    const again = new OldBrowser(portal.origin)
    const login = { email: person.email, password: NEXT_PASSWORD }
    const asked = await again.signIn(await again.open('/login'), login)
    const still = await again.submit(formWith(asked, 'name="code"'), { code: app.next() })
    expect(still.html).toContain('Too many wrong codes')
    expect(again.cookies.has(SESSION)).toBe(false)

    const last = await again.signIn(await again.open('/login'), login)
    await again.submit(formWith(last, 'name="recovery"'), { code: '', recovery })
    expect(again.cookies.has(SESSION)).toBe(true)
  })
})

describe('proof through a provider', () => {
  beforeAll(async () => {
    await putProvider('house', openId(ours.origin))
    await putProvider('hub', { ...common, kind: 'github', url: ours.origin })
  })

  /** Somebody who signs in at the provider and has no password here. */
  async function guest(): Promise<{ browser: OldBrowser; sub: string }> {
    people += 1
    const sub = `guest-${people}`
    ours.script = {
      person: { sub, name: sub, email: `${sub}@in.test`, email_verified: true },
    }
    const browser = new OldBrowser(portal.origin)
    await goThrough(browser, await browser.open('/login'), 'house')
    expect(browser.cookies.has(SESSION)).toBe(true)
    return { browser, sub }
  }

  async function guestOfHub(): Promise<OldBrowser> {
    people += 1
    const email = `octo-${people}@in.test`
    ours.script = {
      person: {},
      answer: { iss: undefined },
      github: {
        user: { id: 1_000 + people, login: `octo-${people}` },
        emails: [{ email, primary: true, verified: true }],
      },
    }
    const browser = new OldBrowser(portal.origin)
    await goThrough(browser, await browser.open('/login'), 'hub')
    expect(browser.cookies.has(SESSION)).toBe(true)
    return browser
  }

  const CONFIRM = '/account/confirm?returnTo=%2Faccount%2Fsecurity'

  test('confirming through one needs its auth_time, and a fresh one', async () => {
    const { browser } = await guest()
    const { person } = ours.script
    const confirm = async (idToken: Record<string, unknown>) => {
      ours.script = { person, idToken }
      return goThrough(browser, await browser.open(CONFIRM), 'house')
    }
    const silent = await confirm({ auth_time: undefined })
    expect([problemOf(silent), pathOf(silent)]).toEqual(['not_fresh', '/account/confirm'])
    expect(silent.html).toContain('choose one by mail')
    expect(problemOf(await confirm({ auth_time: secondsAgo(3_600) }))).toBe('not_fresh')
    expect(ours.asked).toMatchObject({ prompt: 'login', max_age: '0' })
    const security = await browser.open('/account/security/passkey')
    expect(pathOf(security)).toBe('/account/confirm')
    expect(pathOf(await confirm({}))).toBe('/account/security')
    expect(pathOf(await browser.open('/account/security/passkey'))).not.toBe('/account/confirm')
  })

  test('the action offers what the page shows: whoever has a password uses it', async () => {
    const offered = await (await guest()).browser.open(CONFIRM)
    const person = await newPerson()
    const browser = await signedIn(person)
    ours.script = { person: { sub: person.id, email: person.email } }
    const identities = await confirmed(browser, '/account/security/identities', person.password)
    const linked = await goThrough(browser, identities, 'house')
    expect(linked.url).toContain('done=identityLinked')

    const elsewhere = await signedIn(person)
    expect((await elsewhere.open(CONFIRM)).html).not.toContain('name="provider"')
    ours.asked = {}
    const page = await leave(elsewhere, offered, 'house')
    expect([pathOf(page), ours.asked]).toEqual(['/account/confirm', {}])
    const protectedPage = await elsewhere.open('/account/security/passkey')
    expect(pathOf(protectedPage)).toBe('/account/confirm')
  })

  test('GitHub cannot say when: it is no way to confirm, and the page says what is left', async () => {
    const offered = await (await guest()).browser.open(CONFIRM)
    const browser = await guestOfHub()
    const page = await browser.open(CONFIRM)
    expect(page.html).toContain('GitHub can’t tell us when you signed in there')
    expect(page.html).toContain('href="/forgot"')
    expect(page.html).not.toContain('name="provider"')
    ours.asked = {}
    expect(pathOf(await leave(browser, offered, 'hub'))).toBe('/account/confirm')
    expect(ours.asked).toEqual({})
    // Nor is having just come from there a proof that adds a passkey.
    const offer = await browser.open('/passkey')
    const added = await browser.submit(formWith(offer, 'value="no"'), { answer: 'yes' })
    expect(pathOf(added)).not.toBe('/account/security')
  })

  const asking = (more: Fields) =>
    authorizeUrl(webRequest(portal.demo(), { scope: 'openid', ...more }))

  test.each([
    ['prompt=login', { prompt: 'login' }, { prompt: 'login', max_age: '0' }, 3_600],
    ['max_age=0', { max_age: '0' }, { prompt: 'login', max_age: '0' }, 3_600],
    ['max_age=1800', { max_age: '1800' }, { max_age: '1800' }, 3_600],
  ] as const)(
    '%s is passed on, and an old sign-in there does not meet it',
    async (_what, more, asked, age) => {
      const { browser } = await guest()
      const { person } = ours.script
      browser.cookies.clear()
      const login = await browser.open(asking(more))
      expect(login.url).toContain('/login?returnTo=')
      ours.script = { person, idToken: { auth_time: secondsAgo(age) } }
      const old = await goThrough(browser, login, 'house')
      expect(ours.asked).toMatchObject(asked)
      expect([pathOf(old), problemOf(old)]).toEqual(['/login', 'not_fresh'])
      expect(browser.cookies.has(SESSION)).toBe(false)

      ours.script = { person, idToken: { auth_time: undefined } }
      expect(problemOf(await goThrough(browser, old, 'house'))).toBe('not_fresh')

      const proven = secondsAgo(5)
      ours.script = { person, idToken: { auth_time: proven } }
      const consent = await goThrough(browser, old, 'house')
      const done = consent.url.includes('/consent') ? await browser.submit(consent, {}) : consent
      const { body } = await exchange(portal, received(done).code ?? '')
      const { auth_time } = decodeJwt(JSON.parse(body).id_token)
      expect(auth_time).toBeGreaterThanOrEqual(proven)
      expect(auth_time).toBeLessThanOrEqual(secondsAgo(0))
      if (asked.max_age === '1800') expect(auth_time).toBe(proven)
    },
  )

  test('nor does going round by the front door', async () => {
    const { browser } = await guest()
    const { person } = ours.script
    for (const idToken of [{ auth_time: undefined }, { auth_time: secondsAgo(7_200) }]) {
      const waiting = await browser.open(asking({ prompt: 'login' }))
      const returnTo = new URL(waiting.url).searchParams.get('returnTo') ?? ''
      ours.script = { person, idToken }
      await goThrough(browser, await browser.open('/login'), 'house')
      expect(pathOf(await browser.open(returnTo))).toBe('/login')
      expect(pathOf(await browser.open(asking({ max_age: '3600' })))).toBe('/login')
    }
    // An application that does not ask is content.
    expect(pathOf(await browser.open(asking({})))).not.toBe('/login')
  })

  test('one that cannot say is not offered to an application that asks, and is refused', async () => {
    const browser = await guestOfHub()
    const plain = await browser.open('/login')
    const page = await browser.open(asking({ prompt: 'login' }))
    expect(page.html).toMatch(/<button[^>]*value="house"/)
    expect(page.html).not.toMatch(/<button[^>]*value="hub"/)
    expect(page.html).toContain('The app wants you to prove now that it’s you. GitHub can’t')
    expect(plain.html).toMatch(/<button[^>]*value="hub"/)
    ours.asked = {}
    const refused = await leave(browser, page, 'hub')
    expect([pathOf(refused), ours.asked]).toEqual(['/login', {}])
    expect(refused.html).toContain('it doesn’t count here')
  })
})

describe('the mail server and the providers', () => {
  const mail = (server: MailServer, more = {}) => ({
    mail: { server: server.url, from: FROM, ...more },
  })
  const toOwner = (server: MailServer, after: number, words: string) =>
    letterTo(server, portal.demo().admin.email, words, after)

  test('a change of the mail server is written to every owner through the old one as well', async () => {
    const second = await newPerson({ adminRole: 'owner' })
    const before = [oldMail.received.length, newMail.received.length] as const
    await set(mail(newMail, { password: 'canary-mail-password' }))
    for (const [server, after] of [
      [oldMail, before[0]],
      [newMail, before[1]],
    ] as const) {
      for (const address of [portal.demo().admin.email, second.email]) {
        const letter = await letterTo(server, address, 'The mail server was changed', after)
        expect(letter.text).toContain(`Before: 127.0.0.1:${oldMail.port}`)
        expect(letter.text).toContain(`Now: 127.0.0.1:${newMail.port}`)
        expect(letter.text).toContain(`Changed by: ${portal.demo().admin.email}`)
        expect(letter.text).toContain(`sent through: 127.0.0.1:${server.port}`)
        expect(letter.raw).not.toContain('canary-mail-password')
      }
    }
    const [entry] = await audit('event=settings.changed')
    expect(entry?.detail).toEqual({
      before: { mail: { server: oldMail.url, from: FROM, passwordSet: false } },
      after: { mail: { server: newMail.url, from: FROM, passwordSet: true } },
      mailPasswordChanged: true,
    })

    // Taken away: the one that is left behind says so.
    const last = newMail.received.length
    await set({ mail: null })
    expect((await toOwner(newMail, last, 'Now: none')).subject).toBe('The mail server was changed')
    await set(mail(oldMail))
  })

  test('so is a change of a provider; what stays the same is not told', async () => {
    const start = oldMail.received.length
    await putProvider('told', openId(theirs.origin, { clientSecret: 'canary-provider' }))
    const added = await toOwner(oldMail, start, 'What: told')
    expect(added.subject).toBe('A sign-in provider was changed')
    expect(added.text).toContain('Before: none')
    expect(added.text).toContain(`Now: oidc, ${theirs.host}`)

    await putProvider('told', openId(theirs.origin, { clientSecret: 'canary-provider' }))
    const second = oldMail.received.length
    const gone = await changeSettings(owner, 'DELETE', '/settings/providers/told')
    expect(gone.status).toBe(200)
    expect((await toOwner(oldMail, second, 'What: told')).text).toContain('Now: none')
    const told = oldMail.received.slice(start).filter(({ to, subject }) => {
      return to.includes(portal.demo().admin.email) && subject === added.subject
    })
    expect(told).toHaveLength(2)
    const saved = await audit('event=settings.provider_saved')
    expect(saved.map(({ detail }) => detail.secretChanged).slice(0, 2)).toEqual([false, true])
    expect(JSON.stringify([saved, told])).not.toContain('canary-provider')
  })

  test('who changes them has just confirmed who they are: the API says so, the pages ask', async () => {
    const boss = await newPerson({ adminRole: 'owner' })
    const browser = await signedIn(boss)
    const calls = [
      ['PATCH', '/settings', mail(newMail)],
      ['PUT', '/settings/providers/late', openId(theirs.origin)],
      ['DELETE', '/settings/providers/house', undefined],
    ] as const
    for (const [method, path, body] of calls) {
      const refused = await changeSettings(browser, method, path, body)
      expect([refused.status, refused.json.code]).toEqual([403, 'confirmation_needed'])
      expect(refused.json.detail).toContain(`${portal.origin}/account/confirm`)
    }
    const { json } = await as(owner)('GET', '/settings')
    expect(json.mail.server).toBe(oldMail.url)
    expect(json.providers.map(({ id }: { id: string }) => id)).toContain('house')
    // Other settings are no way in.
    const other = { branding: { name: 'Gatehouse' } }
    expect((await changeSettings(browser, 'PATCH', '/settings', other)).status).toBe(200)

    const page = await browser.open('/admin/settings/mail')
    expect(page.html).toContain('<fieldset disabled=""')
    const [, way = ''] = /href="(\/account\/confirm\?[^"]+)"/.exec(page.html) ?? []
    const back = await browser.submit(formWith(await browser.open(way), 'type="password"'), {
      password: boss.password,
    })
    expect(pathOf(back)).toBe('/admin/settings/mail')
    expect(back.html).not.toContain('<fieldset disabled=""')
    const typed = { server: oldMail.url, from: 'New <new@x.example>', password: '' }
    const saved = await browser.submit(formWith(back, 'name="server"'), typed)
    expect(saved.url).toContain('done=settingsSaved')

    // A form that was open for too long leads to the question, and back to the form.
    const late = await signedIn(boss)
    const asked = await late.submit(formWith(saved, 'name="server"'), typed)
    expect(pathOf(asked)).toBe('/account/confirm')
    expect(new URL(asked.url).searchParams.get('returnTo')).toContain('/admin/settings/mail')
    const adding = await late.open('/admin/settings/providers/new')
    expect(adding.html).toContain('href="/account/confirm?returnTo=%2Fadmin%2Fsettings%2Fproviders')
    expect(adding.html).not.toContain('name="clientSecret"')
  })
})
