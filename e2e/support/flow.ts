import { createHash, randomBytes } from 'node:crypto'
import type { Demo } from '../../lib/operations/demo'
import { type Answer, ask, askToken, type Fields } from './ask'
import { OldBrowser, type Page } from './old-browser'
import type { AnyPortal } from './portal'

/** The code flow as an application and its user go through it. */

export const SCOPE = 'openid profile email offline_access orders:read'

export function webRequest(demo: Demo, more: Fields = {}): Fields {
  return {
    client_id: demo.web.client_id,
    redirect_uri: demo.web.redirect_uris[0] ?? '',
    response_type: 'code',
    scope: SCOPE,
    state: 'the-state',
    ...more,
  }
}

export function authorizeUrl(fields: Fields | string): string {
  return `/oidc/auth?${typeof fields === 'string' ? fields : new URLSearchParams(fields)}`
}

/** A browser in which Alice has signed in and agreed to everything the demo's web app asks for. */
export function aliceAtWeb(portal: AnyPortal): Promise<OldBrowser> {
  return atWeb(portal, portal.demo().users[0])
}

export async function atWeb(
  portal: AnyPortal,
  person = { email: '', password: '' },
): Promise<OldBrowser> {
  const browser = new OldBrowser(portal.origin)
  const login = await browser.open(authorizeUrl(webRequest(portal.demo())))
  const consent = await browser.signIn(login, person)
  if (consent.url.includes('/consent')) await browser.submit(consent, { scope: ['orders:read'] })
  return browser
}

/** The parameters that the application receives. */
export function received(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url).searchParams)
}

export async function getCode(browser: OldBrowser, fields: Fields): Promise<string> {
  const { code, ...rest } = received(await browser.open(authorizeUrl(fields)))
  if (code === undefined) throw new Error(`no code but ${JSON.stringify(rest)}`)
  return code
}

export function exchange(portal: AnyPortal, code: string, more: Fields = {}): Promise<Answer> {
  const { web } = portal.demo()
  return askToken(portal.origin, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: web.redirect_uris[0] ?? '',
    client_id: web.client_id,
    client_secret: web.client_secret,
    ...more,
  })
}

export function refresh(portal: AnyPortal, token: string, more: Fields = {}): Promise<Answer> {
  const { client_id, client_secret } = portal.demo().web
  return askToken(portal.origin, {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id,
    client_secret,
    ...more,
  })
}

export function userinfo(origin: string, token: string): Promise<Answer> {
  return ask(origin, { path: '/oidc/me', headers: { authorization: `Bearer ${token}` } })
}

export function pkcePair(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
