import { beforeAll, expect, test } from 'vitest'
import type { Demo } from '../../lib/operations/demo'
import { loginOf, people } from '../support/access-requests'
import {
  atWeb,
  authorizeUrl,
  exchange,
  getCode,
  received,
  refresh,
  webRequest,
} from '../support/flow'
import type { OldBrowser } from '../support/old-browser'
import type { Portal } from '../support/portal'
import { sharedPortal } from '../support/shared-portal'

/** The pages of RP-initiated logout; where it leads is in e2e/in-process. */

const LOGIN = loginOf('logout-pages')

let portal: Portal
let demo: Demo

beforeAll(async () => {
  portal = await sharedPortal()
  demo = portal.demo()
  await people(portal, ['logout-pages'])
})

const uri = () => demo.web.post_logout_redirect_uris[0] ?? ''
const end = (fields: Record<string, string>) => `/oidc/session/end?${new URLSearchParams(fields)}`

async function signedIn(): Promise<{ browser: OldBrowser; hint: string }> {
  const browser = await atWeb(portal, LOGIN)
  const answer = await exchange(portal, await getCode(browser, webRequest(demo)))
  return { browser, hint: JSON.parse(answer.body).id_token }
}

async function isSignedIn(browser: OldBrowser): Promise<boolean> {
  const page = await browser.open(authorizeUrl(webRequest(demo, { prompt: 'none' })))
  return received(page).error === undefined
}

test('a request that cannot be trusted leads to the account, where one signs out', async () => {
  const browser = await atWeb(portal, LOGIN)
  const page = await browser.open(end({ id_token_hint: 'forged' }))
  expect(page.status).toBe(400)
  expect(page.html).toContain('<a href="/account">')
})

test('out of one app alone: it loses its tokens, the session stays, and the way back is a registered one', async () => {
  const browser = await atWeb(portal, LOGIN)
  const answer = await exchange(portal, await getCode(browser, webRequest(demo)))
  const { refresh_token } = JSON.parse(answer.body)
  const fields = { client_id: demo.web.client_id, post_logout_redirect_uri: uri(), state: 's' }
  const page = await browser.open(end(fields))
  expect(page.html.includes('Only Demo web app')).toBe(true)
  const left = await browser.submit(page, { reach: 'app' })
  expect(new URL(left.url).pathname).toBe('/logout/app')
  expect(left.html.includes(`href="${uri()}?state=s"`)).toBe(true)
  expect(await isSignedIn(browser)).toBe(true)
  expect(JSON.parse((await refresh(portal, refresh_token)).body).error).toBe('invalid_grant')
  // Nobody is led to where the app has not registered.
  const forged = await browser.open(
    `/logout/app?client_id=${demo.web.client_id}&post_logout_redirect_uri=https://evil.example`,
  )
  expect(forged.html.includes('href="https://evil.example')).toBe(false)
})

test('L1: no parameters: a page asks, then says that it is done', async () => {
  const { browser } = await signedIn()
  const page = await browser.open('/oidc/session/end')
  expect(page.html).toContain('Sign out of Gatehouse?')
  const done = await browser.submit(page, {})
  expect(done.html).toContain('You’re signed out')
  expect(await isSignedIn(browser)).toBe(false)
})

test('L7: a hint of another session asks first, and then goes where it was asked to', async () => {
  const { hint } = await signedIn()
  const { browser } = await signedIn()
  const fields = { id_token_hint: hint, post_logout_redirect_uri: uri(), state: 'x' }
  const page = await browser.open(end(fields))
  expect(page.html).toContain('Sign out of Gatehouse?')
  expect((await browser.submit(page, {})).url).toBe(`${uri()}?state=x`)
})
