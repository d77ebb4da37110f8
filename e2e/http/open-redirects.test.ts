import { describe, expect, test } from 'vitest'
import { ask } from '../support/ask'
import { aliceLogin, portal, startFlows, web } from '../support/authorize-flows'
import { aliceAtWeb, authorizeUrl } from '../support/flow'
import { OldBrowser } from '../support/old-browser'

startFlows()

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
  const SLIPPERY = [
    '//evil.example',
    '/\\evil.example',
    '/%09/evil.example',
    '/\t/evil.example',
    'https:evil.example',
    'https://evil.example',
    'javascript:alert(1)',
  ]

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
