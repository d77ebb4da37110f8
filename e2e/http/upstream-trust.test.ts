import { describe, expect, test } from 'vitest'
import { ask } from '../support/ask'
import { usually } from '../support/databases'
import { formOf, formWith, OldBrowser } from '../support/old-browser'
import { startPortal } from '../support/portal'
import { freePort } from '../support/postgres'
import { STAND_IN_SECRET, type StandIn } from '../support/stand-in'
import {
  backFrom,
  browserAt,
  callback,
  closed,
  goThrough,
  identityOf,
  leave,
  nextPerson,
  ORACLE_SECRET,
  op,
  open,
  oracle,
  outsider,
  partner,
  ports,
  refused,
  SESSION,
  settings,
  standIn,
  startProviders,
  startUpstream,
} from '../support/upstream'

startProviders()

describe.each(usually('postgres'))('what is trusted of another provider on %s', (kind) => {
  startUpstream(kind)

  describe('M32: what cannot be trusted', () => {
    const lies: [string, Partial<StandIn['script']>][] = [
      ['another nonce', { idToken: { nonce: 'another' } }],
      ['no nonce', { idToken: { nonce: undefined } }],
      ['an id_token of another issuer', { idToken: { iss: 'https://evil.example' } }],
      ['an id_token for another client', { idToken: { aud: 'somebody-else' } }],
      ['an id_token that has expired', { idToken: { exp: 1_000_000_000 } }],
      ['an id_token about somebody else than userinfo', { idToken: { sub: 'somebody-else' } }],
      ['an id_token that an outsider signed', { signedByAnother: true }],
      ['an answer in another issuer’s name', { answer: { iss: 'https://evil.example' } }],
      ['an answer in nobody’s name', { answer: { iss: undefined } }],
      ['another state', { answer: { state: 'another' } }],
      ['no state', { answer: { state: undefined } }],
      ['a code that is not its own', { answer: { code: 'made-up' } }],
      ['no answer where the code is brought', { hangsUp: true }],
      ['an error of the provider', { answer: { code: undefined, error: 'server_error' } }],
    ]
    test.each(lies)('%s', async (_what, lie) => {
      const sub = outsider({ email_verified: true })
      standIn.script = { ...standIn.script, ...lie }
      const browser = browserAt()
      refused(browser, await goThrough(browser), 'failed', 'is not valid, so we stopped')
      expect(await identityOf(sub)).toBeNull()
    })

    test('access_denied: somebody thought better of it, and may choose again', async () => {
      outsider()
      standIn.script.answer = { code: undefined, error: 'access_denied' }
      const browser = browserAt()
      const page = await goThrough(browser, '/login?returnTo=%2Faccount')
      refused(browser, page, 'cancelled', 'You cancelled the sign-in at Stand-in')
      expect(new URL(page.url).searchParams.get('returnTo')).toBe('/account')
    })

    test('a callback works once, whatever the browser brings', async () => {
      outsider()
      const browser = browserAt()
      const there = await leave(browser, await browser.open('/login'), 'stand-in')
      const back = await backFrom(there.url)
      const replay = browserAt()
      for (const [name, value] of browser.cookies) replay.cookies.set(name, value)
      await browser.open(back)
      expect(browser.cookies.has(SESSION)).toBe(true)
      refused(replay, await replay.open(back), 'expired', 'Please start again')
      const elsewhere = browserAt()
      refused(elsewhere, await elsewhere.open(back), 'expired', 'was started in another browser')
    })

    test('what was begun with one provider is not finished with another', async () => {
      outsider()
      const browser = browserAt()
      const there = await leave(browser, await browser.open('/login'), 'stand-in')
      const back = (await backFrom(there.url)).replace('/callback/stand-in', '/callback/partner')
      refused(browser, await browser.open(back), 'expired', 'Please start again')
    })

    test('M11: cookies that were tampered with are no cookies', async () => {
      for (const name of [
        'gatehouse.upstream',
        'gatehouse.upstream.state',
        'gatehouse.upstream.nonce',
      ]) {
        outsider()
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
      outsider()
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
      const alice = op.demo().users[0] ?? { email: '', password: '' }
      const subjects = []
      for (let visit = 0; visit < 2; visit += 1) {
        const browser = browserAt()
        const there = await leave(browser, await browser.open('/login'), 'partner')
        const upstream = new OldBrowser(op.origin)
        let page = await upstream.signIn(await upstream.open(there.url), alice)
        if (page.url.includes('/consent')) page = await upstream.submit(page, {})
        expect(page.url).toContain('/api/auth/callback/partner?code=')
        await browser.open(page.url)
        expect(browser.cookies.has(SESSION)).toBe(true)
        expect((await browser.open('/account')).html).toContain(alice.email)
        const row = await identityOf('usr_demo_alice')
        subjects.push(row?.userId)
      }
      expect(subjects[0]).toBeDefined()
      expect(subjects[0]).toBe(subjects[1])
      expect(await identityOf('usr_demo_alice')).toMatchObject({
        provider: op.origin,
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
      const id = 1_000 + nextPerson()
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
    // A connection that is being read keeps the portal from stopping.
    await answer.text()
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
    outsider()
    const browser = browserAt()
    const there = await leave(browser, await browser.open('/login'), 'stand-in')
    const back = new URL(await backFrom(there.url))
    await browser.open(back.href)
    const log = (await open.allOutput()) + (await closed.allOutput())
    const secrets = [STAND_IN_SECRET, ORACLE_SECRET, partner.secret ?? '']
    for (const secret of [...secrets, back.searchParams.get('code') ?? '', 'an-access-token']) {
      expect(log).not.toContain(secret)
    }
  })
})
