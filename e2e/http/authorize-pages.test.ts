import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Fields } from '../support/ask'
import { ask } from '../support/ask'
import { aliceAtWeb, authorizeUrl, exchange, received, webRequest } from '../support/flow'
import { formWith, OldBrowser } from '../support/old-browser'
import type { Portal } from '../support/portal'
import { sharedPortal } from '../support/shared-portal'
import { isThorough } from '../support/thorough'

/** The pages of an authorization request, as a browser without scripts sees them. */

let portal: Portal

beforeAll(async () => {
  portal = await sharedPortal()
})

const web = (more: Fields = {}) => webRequest(portal.demo(), more)
const json = ({ body }: { body: string }) => JSON.parse(body)
const [aliceLogin, bobLogin] = [() => login(0), () => login(1)]

function login(index: number) {
  const user = portal.demo().users[index]
  if (!user) throw new Error('the demo has two users')
  return user
}

async function aliceAndBob(): Promise<OldBrowser> {
  const browser = await aliceAtWeb(portal)
  await browser.signIn(await browser.open('/login'), bobLogin())
  return browser
}

test('B24: login_hint is filled in, escaped', async () => {
  const hint = '"><script>alert(1)</script>'
  const page = await new OldBrowser(portal.origin).open(authorizeUrl(web({ login_hint: hint })))
  expect(page.html).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
})

test.each([
  ['prompt=login', { prompt: 'login' }, 'Demo web app asks you to sign in again'],
  ['max_age=0', { max_age: '0' }, 'Your last sign-in is too old for Demo web app'],
])('%s: who is signed in is filled in, and both steps say why', async (_name, asked, why) => {
  const browser = await aliceAtWeb(portal)
  const page = await browser.open(authorizeUrl(web(asked)))
  expect(page.html).toContain(`value="${aliceLogin().email}"`)
  expect(page.html).toContain(why)
  const password = await browser.submit(page, { identifier: aliceLogin().email })
  expect(password.html).toContain('type="password"')
  expect(password.html).toContain(why)
  const outsider = await new OldBrowser(portal.origin).open(authorizeUrl(web(asked)))
  expect(outsider.html).toContain('To continue to Demo web app.')
})

test('B41: the consent page of another browser’s interaction', async () => {
  const alice = await aliceAtWeb(portal)
  const page = await alice.open(authorizeUrl(web({ prompt: 'consent' })))
  const id = new URL(page.url).searchParams.get('interaction')
  const outsider = await aliceAtWeb(portal)
  const { html } = await outsider.open(`/consent?interaction=${id}`)
  expect(html).toContain('This request has expired')
})

test('B18: prompt=select_account shows the chooser, once, and the choice counts', async () => {
  const browser = await aliceAndBob()
  const page = await browser.open(authorizeUrl(web({ prompt: 'select_account' })))
  expect(new URL(page.url).pathname).toBe('/accounts')
  const done = await browser.submit(formWith(page, aliceLogin().email), {})
  const { id_token } = json(await exchange(portal, received(done).code ?? ''))
  expect(decodeJwt(id_token).sub).toBe('usr_demo_alice')
  // From now on Alice is the one who acts here.
  expect((await browser.open('/')).html.includes('Hello, Alice')).toBe(true)
})

test('B18: at the chooser one can sign in as somebody else, or leave for good', async () => {
  const browser = await aliceAtWeb(portal)
  const page = await browser.open(authorizeUrl(web({ prompt: 'select_account' })))
  const other = /href="(\/login\?returnTo=[^"]+)"/.exec(page.html)?.[1] ?? ''
  const consent = await browser.signIn(await browser.open(other), bobLogin())
  const done = consent.url.includes('/consent') ? await browser.submit(consent, {}) : consent
  const { id_token } = json(await exchange(portal, received(done).code ?? ''))
  expect(decodeJwt(id_token).sub).toBe('usr_demo_bob')
  const chooser = await browser.open('/accounts')
  const left = await browser.submit(formWith(chooser, `Remove ${aliceLogin().email}`), {})
  expect(left.html.includes(bobLogin().email)).toBe(true)
  expect(left.html.includes(aliceLogin().email)).toBe(false)
})

test('B18, M14: nobody chooses for another browser, and a foreign session is no choice', async () => {
  const browser = await aliceAtWeb(portal)
  const page = await browser.open(authorizeUrl(web({ prompt: 'select_account' })))
  const thief = await aliceAndBob()
  const stolen = await thief.open(page.url)
  expect(stolen.html.includes('This request has expired')).toBe(true)
  const html = page.html.replaceAll(/name="session" value="[^"]*"/g, 'name="session" value="ses_x"')
  const end = await browser.submit({ ...page, html }, {})
  expect(new URL(end.url).pathname).toBe('/login')
})

test('signing out of one account leaves the others, and nobody is signed in until one is chosen', async () => {
  const browser = await aliceAndBob()
  await browser.submit(await browser.open('/logout'), { reach: 'here' })
  expect((await browser.open('/')).html.includes('Sign in once')).toBe(true)
  const chooser = await browser.open('/accounts')
  expect(chooser.html.includes(aliceLogin().email)).toBe(true)
  expect(chooser.html.includes(bobLogin().email)).toBe(false)
  await browser.submit(chooser, {})
  await browser.submit(await browser.open('/logout'), { reach: 'all' })
  expect((await browser.open('/accounts')).html.includes(aliceLogin().email)).toBe(false)
})

test('A15: every redirect of a flow is 303, for GET and for POST', async () => {
  const browser = await aliceAtWeb(portal)
  await browser.open(authorizeUrl(web({ prompt: 'none' })))
  await browser.open(authorizeUrl(web({ response_type: 'token' })))
  const body = new URLSearchParams(web())
  await browser.open('/oidc/auth', { method: 'POST', body })
  await browser.open('/oidc/session/end', { method: 'POST', body: new URLSearchParams() })
  await browser.submit(await browser.open('/logout'), {})
  // Login, its onward page, consent, code, code, error, parked request, code, logout, signed out.
  expect(browser.redirects.length).toBeGreaterThanOrEqual(10)
  expect(new Set(browser.redirects)).toEqual(new Set([303]))
})

describe('A16: no page of ours leads away', () => {
  const OTHERS = [
    '/%09/evil.example',
    '/\t/evil.example',
    'https:evil.example',
    'https://evil.example',
    'javascript:alert(1)',
  ]
  // The pages ask the function of lib/browser/return-to.test.ts, which has seen them all.
  const SLIPPERY = ['//evil.example', '/\\evil.example', ...(isThorough ? OTHERS : [])]

  test.each(SLIPPERY)('login, asked for by the URL: %j', async (returnTo) => {
    const browser = new OldBrowser(portal.origin)
    const page = await browser.open(`/login?${new URLSearchParams({ returnTo })}`)
    expect(page.html).not.toMatch(/(?:href|action|content)="[^"]*(?:evil|javascript:)/)
    const { email: identifier } = aliceLogin()
    const next = await browser.open(`/login?${new URLSearchParams({ returnTo, identifier })}`)
    expect(next.html.includes('name="returnTo" value="/"')).toBe(true)
    const done = await browser.signIn(page, aliceLogin())
    expect(done.url).toBe(`${portal.origin}/`)
  })

  test('login, with the form’s own field changed', async () => {
    const browser = new OldBrowser(portal.origin)
    const { email: identifier, password } = aliceLogin()
    const page = await browser.open(`/login?${new URLSearchParams({ identifier })}`)
    const html = page.html.replace(
      'name="returnTo" value="/"',
      'name="returnTo" value="//evil.example"',
    )
    expect(html === page.html).toBe(false)
    const done = await browser.submit({ ...page, html }, { identifier, password })
    expect(done.url).toBe(`${portal.origin}/`)
  })

  test.each(SLIPPERY)('the onward page, preferences and logout: %j', async (returnTo) => {
    const browser = await aliceAtWeb(portal)
    const onward = await browser.open(`/login/continue?${new URLSearchParams({ to: returnTo })}`)
    expect(onward.url).toBe(`${portal.origin}/`)
    const body = new URLSearchParams({ returnTo, theme: 'dark' })
    const preferred = await browser.open('/preferences', { method: 'POST', body })
    expect(preferred.url).toBe(`${portal.origin}/`)
    const names = ['returnTo', 'callbackUrl', 'to', 'request']
    const query = new URLSearchParams(names.map((name) => [name, returnTo]))
    const question = await browser.open(`/logout?${query}`)
    expect(question.html).not.toMatch(/(?:href|action|content)="[^"]*(?:evil|javascript:)/)
    const done = await browser.submit(question, {})
    expect(new URL(done.url).origin + new URL(done.url).pathname).toBe(`${portal.origin}/logout`)
  })

  test('logout, with the form’s own field changed', async () => {
    const browser = await aliceAtWeb(portal)
    const page = await browser.open('/logout')
    const changed = page.html.replace(
      'name="request" value=""',
      'name="request" value="//evil.example"',
    )
    expect(changed).not.toBe(page.html)
    const done = await browser.submit({ ...page, html: changed }, {})
    expect(new URL(done.url).origin).toBe(portal.origin)
  })
})

test('A17: Referrer-Policy: no-referrer on every page', async () => {
  const paths = [
    '/',
    '/login',
    '/login/continue?to=/',
    '/logout',
    '/consent?interaction=int_unknown',
    '/setup?token=unknown',
    '/no-such-page',
    '/oidc/auth?client_id=nobody',
    '/oidc/auth/int_0123456789abcdef',
    '/oidc/session/end?id_token_hint=x',
    authorizeUrl(web({ prompt: 'none' })),
    authorizeUrl(web({ prompt: 'none', response_mode: 'form_post' })),
  ]
  for (const path of paths) {
    const { headers } = await ask(portal.origin, { path })
    expect([path, headers['referrer-policy']]).toEqual([path, 'no-referrer'])
  }
})
