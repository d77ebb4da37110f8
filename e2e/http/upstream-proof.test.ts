import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { confirmed } from '../support/add-app'
import type { Fields } from '../support/ask'
import { authorizeUrl, exchange, received, webRequest } from '../support/flow'
import { formWith, OldBrowser, type Page } from '../support/old-browser'
import {
  backFrom,
  common,
  goThrough,
  leave,
  newPerson,
  nextPerson,
  openId,
  ours,
  pathOf,
  portal,
  problemOf,
  putProvider,
  SESSION,
  secondsAgo,
  signedIn,
  startPeople,
  theirs,
} from '../support/two-providers'

startPeople()

describe('a provider that is replaced under its id', () => {
  const visitor = (sub: string) => ({ person: { sub, name: sub, email: `${sub}@in.test` } })

  test('Q1: it is asked at its own endpoints at once, and told apart by kind, issuer and client', async () => {
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
    'Q1: a sign-in under way ends when it comes back to %s: no code goes out, no secret, nobody is in',
    async (_what, replacement) => {
      theirs.script = { ...visitor('under-way'), idToken: { iss: ours.origin } }
      await putProvider('moves', openId(theirs.origin))
      const browser = new OldBrowser(portal.origin)
      const back = await backFrom(await leave(browser, await login(browser), 'moves'))
      await putProvider('moves', replacement())
      const shown = [ours, theirs].map(({ secrets }) => secrets.length)
      const page = await browser.open(back)
      expect([page.status, pathOf(page), problemOf(page)]).toEqual([200, '/login', 'failed'])
      expect(page.html).toContain('is not valid, so we stopped')
      expect(browser.cookies.has(SESSION)).toBe(false)
      expect([ours, theirs].map(({ secrets }) => secrets.length)).toEqual(shown)
      expect(theirs.secrets).not.toContain('for-ours-alone')
    },
  )

  async function login(browser = new OldBrowser(portal.origin)): Promise<Page> {
    return browser.open('/login')
  }
})

describe('proof through a provider', () => {
  beforeAll(async () => {
    await putProvider('partner', openId(ours.origin))
    await putProvider('hub', { ...common, kind: 'github', url: ours.origin })
  })

  /** Somebody who signs in at the provider and has no password here. */
  async function guest(): Promise<{ browser: OldBrowser; sub: string }> {
    const sub = `guest-${nextPerson()}`
    ours.script = {
      person: { sub, name: sub, email: `${sub}@in.test`, email_verified: true },
    }
    const browser = new OldBrowser(portal.origin)
    await goThrough(browser, await browser.open('/login'), 'partner')
    expect(browser.cookies.has(SESSION)).toBe(true)
    return { browser, sub }
  }

  async function guestOfHub(): Promise<OldBrowser> {
    const number = nextPerson()
    const email = `octo-${number}@in.test`
    ours.script = {
      person: {},
      answer: { iss: undefined },
      github: {
        user: { id: 1_000 + number, login: `octo-${number}` },
        emails: [{ email, primary: true, verified: true }],
      },
    }
    const browser = new OldBrowser(portal.origin)
    await goThrough(browser, await browser.open('/login'), 'hub')
    expect(browser.cookies.has(SESSION)).toBe(true)
    return browser
  }

  const CONFIRM = '/account/confirm?returnTo=%2Faccount%2Fsecurity'

  test('Q9: confirming through one needs its auth_time, and a fresh one', async () => {
    const { browser } = await guest()
    const { person } = ours.script
    const confirm = async (idToken: Record<string, unknown>) => {
      ours.script = { person, idToken }
      return goThrough(browser, await browser.open(CONFIRM), 'partner')
    }
    const silent = await confirm({ auth_time: undefined })
    expect([problemOf(silent), pathOf(silent)]).toEqual(['not_fresh', '/account/confirm'])
    expect(silent.html).toContain('get a link to set one')
    expect(problemOf(await confirm({ auth_time: secondsAgo(3_600) }))).toBe('not_fresh')
    expect(ours.asked).toMatchObject({ prompt: 'login', max_age: '0' })
    const security = await browser.open('/account/security/passkey')
    expect(pathOf(security)).toBe('/account/confirm')
    expect(pathOf(await confirm({}))).toBe('/account/security')
    expect(pathOf(await browser.open('/account/security/passkey'))).not.toBe('/account/confirm')
  })

  test('Q9: the action offers what the page shows: whoever has a password uses it', async () => {
    const offered = await (await guest()).browser.open(CONFIRM)
    const person = await newPerson()
    const browser = await signedIn(person)
    ours.script = { person: { sub: person.id, email: person.email } }
    const identities = await confirmed(browser, '/account/security/identities', person.password)
    const linked = await goThrough(browser, identities, 'partner')
    expect(linked.url).toContain('done=identityLinked')

    const elsewhere = await signedIn(person)
    expect((await elsewhere.open(CONFIRM)).html).not.toContain('name="provider"')
    ours.asked = {}
    const page = await leave(elsewhere, offered, 'partner')
    expect([pathOf(page), ours.asked]).toEqual(['/account/confirm', {}])
    const protectedPage = await elsewhere.open('/account/security/passkey')
    expect(pathOf(protectedPage)).toBe('/account/confirm')
  })

  test('Q9: GitHub cannot say when: it is no way to confirm, and the page says what is left', async () => {
    const offered = await (await guest()).browser.open(CONFIRM)
    const browser = await guestOfHub()
    const page = await browser.open(CONFIRM)
    expect(page.html).toContain('GitHub can’t confirm when you signed in there')
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
    'Q9: %s is passed on, and an old sign-in there does not meet it',
    async (_what, more, asked, age) => {
      const { browser } = await guest()
      const { person } = ours.script
      browser.cookies.clear()
      const login = await browser.open(asking(more))
      expect(login.url).toContain('/login?returnTo=')
      ours.script = { person, idToken: { auth_time: secondsAgo(age) } }
      const old = await goThrough(browser, login, 'partner')
      expect(ours.asked).toMatchObject(asked)
      expect([pathOf(old), problemOf(old)]).toEqual(['/login', 'not_fresh'])
      expect(browser.cookies.has(SESSION)).toBe(false)

      ours.script = { person, idToken: { auth_time: undefined } }
      expect(problemOf(await goThrough(browser, old, 'partner'))).toBe('not_fresh')

      const proven = secondsAgo(5)
      ours.script = { person, idToken: { auth_time: proven } }
      const consent = await goThrough(browser, old, 'partner')
      const done = consent.url.includes('/consent') ? await browser.submit(consent, {}) : consent
      const { body } = await exchange(portal, received(done).code ?? '')
      const { auth_time } = decodeJwt(JSON.parse(body).id_token)
      expect(auth_time).toBeGreaterThanOrEqual(proven)
      expect(auth_time).toBeLessThanOrEqual(secondsAgo(0))
      if (asked.max_age === '1800') expect(auth_time).toBe(proven)
    },
  )

  test('Q9: nor does going round by the front door', async () => {
    const { browser } = await guest()
    const { person } = ours.script
    for (const idToken of [{ auth_time: undefined }, { auth_time: secondsAgo(7_200) }]) {
      const waiting = await browser.open(asking({ prompt: 'login' }))
      const returnTo = new URL(waiting.url).searchParams.get('returnTo') ?? ''
      ours.script = { person, idToken }
      await goThrough(browser, await browser.open('/login'), 'partner')
      expect(pathOf(await browser.open(returnTo))).toBe('/login')
      expect(pathOf(await browser.open(asking({ max_age: '3600' })))).toBe('/login')
    }
    // An application that does not ask is content.
    expect(pathOf(await browser.open(asking({})))).not.toBe('/login')
  })

  test('Q9: one that cannot say is not offered to an application that asks, and is refused', async () => {
    const browser = await guestOfHub()
    const plain = await browser.open('/login')
    const page = await browser.open(asking({ prompt: 'login' }))
    expect(page.html).toMatch(/<button[^>]*value="partner"/)
    expect(page.html).not.toMatch(/<button[^>]*value="hub"/)
    expect(page.html).toContain('The application needs a new sign-in, and GitHub can’t')
    expect(plain.html).toMatch(/<button[^>]*value="hub"/)
    ours.asked = {}
    const refused = await leave(browser, page, 'hub')
    expect([pathOf(refused), ours.asked]).toEqual(['/login', {}])
    expect(refused.html).toContain('can’t confirm when you signed in there')
  })
})
