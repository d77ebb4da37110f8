import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Demo } from '../../lib/demo'
import { ask, FORM } from '../support/ask'
import { aliceAtWeb, authorizeUrl, exchange, getCode, received, webRequest } from '../support/flow'
import type { OldBrowser } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'

/** attack-list.md, section K (L1 to L9): RP-initiated logout. */

let portal: Portal
let demo: Demo

beforeAll(async () => {
  portal = await startPortal({ args: ['--demo'] })
  demo = portal.demo()
})

afterAll(() => portal.stop())

const uri = () => demo.web.post_logout_redirect_uris[0] ?? ''
const end = (fields: Record<string, string>) => `/oidc/session/end?${new URLSearchParams(fields)}`

async function signedIn(): Promise<{ browser: OldBrowser; hint: string }> {
  const browser = await aliceAtWeb(portal)
  const answer = await exchange(portal, await getCode(browser, webRequest(demo)))
  return { browser, hint: JSON.parse(answer.body).id_token }
}

async function isSignedIn(browser: OldBrowser): Promise<boolean> {
  const page = await browser.open(authorizeUrl(webRequest(demo, { prompt: 'none' })))
  return received(page).error === undefined
}

test('L1: no parameters: a page asks, then says that it is done', async () => {
  const { browser } = await signedIn()
  const page = await browser.open('/oidc/session/end')
  expect(page.html).toContain('Sign out of Gatehouse?')
  expect(await isSignedIn(browser)).toBe(true)
  const done = await browser.submit(page, {})
  expect(done.html).toContain('You’re signed out')
  expect(await isSignedIn(browser)).toBe(false)
})

test('L2, L9: a hint of this session, a registered address and state: at once, and with nothing else', async () => {
  const { browser, hint } = await signedIn()
  const state = 's'.repeat(128)
  const page = await browser.open(
    end({ id_token_hint: hint, post_logout_redirect_uri: uri(), state }),
  )
  expect(page.url).toBe(`${uri()}?state=${state}`)
  expect(page.status).toBe(303)
  expect(await isSignedIn(browser)).toBe(false)
})

test('L2: without state there is none', async () => {
  const { browser, hint } = await signedIn()
  const page = await browser.open(end({ id_token_hint: hint, post_logout_redirect_uri: uri() }))
  expect(page.url).toBe(uri())
})

test('only a hint: signed out, and a page that says so', async () => {
  const { browser, hint } = await signedIn()
  expect((await browser.open(end({ id_token_hint: hint }))).html).toContain('You’re signed out')
  expect(await isSignedIn(browser)).toBe(false)
})

describe('no redirect and no logout', () => {
  test.each<[string, (hint: string) => Record<string, string>]>([
    [
      'L3: an unregistered address',
      (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: 'https://evil.example/' }),
    ],
    [
      'L3: a registered one with a query added',
      (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: `${uri()}?foo=bar` }),
    ],
    ['L3: an address without a hint', () => ({ post_logout_redirect_uri: uri() })],
    [
      'L4: a hint without a signature',
      (hint) => ({ id_token_hint: unsigned(hint), post_logout_redirect_uri: uri() }),
    ],
    ['L4: garbage for a hint', () => ({ id_token_hint: 'x', post_logout_redirect_uri: uri() })],
    [
      'L6: client_id of another application',
      (hint) => ({ id_token_hint: hint, client_id: demo.spa.client_id }),
    ],
  ])('%s', async (_what, fields) => {
    const { browser, hint } = await signedIn()
    const page = await browser.open(end(fields(hint)))
    expect(page.status).toBe(400)
    expect(page.url.startsWith(portal.origin)).toBe(true)
    expect(await isSignedIn(browser)).toBe(true)
  })
})

test('L2, L7: a hint of another session asks first, and then goes where it was asked to', async () => {
  const { hint } = await signedIn()
  const { browser } = await signedIn()
  const page = await browser.open(
    end({ id_token_hint: hint, post_logout_redirect_uri: uri(), state: 'x' }),
  )
  expect(page.html).toContain('Sign out of Gatehouse?')
  expect(await isSignedIn(browser)).toBe(true)
  const done = await browser.submit(page, {})
  expect(done.url).toBe(`${uri()}?state=x`)
  expect(await isSignedIn(browser)).toBe(false)
})

test('L8: a POST is taken up by the GET that follows', async () => {
  const body = new URLSearchParams({ state: 'x' }).toString()
  const answer = await ask(portal.origin, {
    method: 'POST',
    path: '/oidc/session/end',
    headers: FORM,
    body,
  })
  expect([answer.status, answer.headers.location]).toEqual([303, '/oidc/session/end?state=x'])
})

test('D24: a registered origin may call the token endpoint from a browser, others may not', async () => {
  const preflight = (origin: string, path: string) =>
    ask(portal.origin, { method: 'OPTIONS', path, headers: { origin } })
  const ours = await preflight('http://localhost:4001', '/oidc/token')
  expect(ours.headers['access-control-allow-origin']).toBe('http://localhost:4001')
  expect(ours.headers).not.toHaveProperty('access-control-allow-credentials')
  for (const origin of ['https://evil.example', 'null', 'http://localhost:4000']) {
    const { headers } = await preflight(origin, '/oidc/token')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(headers.vary).toBe('Origin')
  }
})

function unsigned(token: string): string {
  const [, payload] = token.split('.')
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`
}
