import { afterAll, beforeAll, expect } from 'vitest'
import type { Demo } from '../../lib/operations/demo'
import { ask } from './ask'
import { aliceAtWeb, authorizeUrl, received, webRequest } from './flow'
import { type OpenPortal, openPortal } from './in-process'
import { OldBrowser, type Page } from './old-browser'

/** What the tests of the authorization endpoint share: a portal, and a browser in which Alice signed in. */

export let portal: OpenPortal
export let demo: Demo
export let alice: OldBrowser

export function startAuthorize(): void {
  beforeAll(async () => {
    portal = await openPortal()
    demo = portal.demo()
    alice = await aliceAtWeb(portal)
  })

  afterAll(() => portal.stop())
}

export const get = (fields: Record<string, string> | string) =>
  ask(portal.origin, { path: authorizeUrl(fields) })
export const web = (more: Record<string, string> = {}) => webRequest(demo, more)
export const without = (name: string) => {
  const { [name]: _gone, ...rest } = web()
  return rest
}

/** A page of the portal, or the origin of a redirect URI of the sample data. */
const OWN_OR_REGISTERED = /^\/(?!\/)|^http:\/\/localhost:\d+\/$/

/** EP: a page of ours, which leads nowhere that the request named. */
export async function expectPage(
  fields: Record<string, string> | string,
  status = 400,
): Promise<void> {
  const answer = await get(fields)
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.headers).not.toHaveProperty('location')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['referrer-policy']).toBe('no-referrer')
  expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(answer.body).toContain(answer.headers['x-request-id'])
  expect(answer.body).not.toMatch(/evil|<form|http-equiv/)
  for (const [, address] of answer.body.matchAll(/(?:href|src)="([^"]*)"/g)) {
    expect(address).toMatch(OWN_OR_REGISTERED)
  }
}

/** ER(code): back to the application, with state and iss. */
export async function expectRefusal(
  fields: Record<string, string> | string,
  error: string,
  browser: OldBrowser = new OldBrowser(portal.origin),
): Promise<Page> {
  const page = await browser.open(authorizeUrl(fields))
  expect(page.url.startsWith(`${demo.web.redirect_uris[0]}?`)).toBe(true)
  expect(page.status).toBe(303)
  expect(page.headers.get('cache-control')).toBe('no-store')
  const { error: told, error_description, ...rest } = received(page)
  expect(told).toBe(error)
  expect(error_description).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
  expect(rest).toEqual({ state: 'the-state', iss: portal.origin })
  return page
}
