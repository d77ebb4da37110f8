import { afterAll, beforeAll, expect } from 'vitest'
import { confirmed } from './add-app'
import { type ApiAnswer, callApi } from './api'
import type { Fields } from './ask'
import { formWith, OldBrowser, type Page } from './old-browser'
import { type Portal, startPortal } from './portal'
import { type MailServer, type ReceivedMail, startMailServer } from './smtp'
import { STAND_IN_SECRET, type StandIn, startStandIn } from './stand-in'

/** A portal with two providers and two mail servers, one of each in the hands of somebody else. */

export const PASSWORD = 'a fresh and unguessable phrase'
export const NEXT_PASSWORD = 'another unguessable phrase, and fresh'
export const SESSION = 'gatehouse.session'
export const FROM = 'ID <id@x.example>'

export type Person = { id: string; email: string; password: string }

export let portal: Portal
/** Two providers, and two mail servers: one of each may be somebody else's. */
export let ours: StandIn
export let theirs: StandIn
export let oldMail: MailServer
export let newMail: MailServer
export let owner: OldBrowser
let people = 0

/** A number that nobody had before. */
export function nextPerson(): number {
  people += 1
  return people
}

export function startPeople(): void {
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
}

// ---------------------------------------------------------------- what the owner does
export function pagesOf(browser: OldBrowser): Fields {
  return { cookie: browser.cookieHeader(), origin: portal.origin, 'x-gatehouse-request': '1' }
}

export function as(browser: OldBrowser) {
  return (method: string, path: string, body?: unknown, headers?: Fields) =>
    callApi(portal, pagesOf(browser), method, path, body, headers)
}

export async function changeSettings(
  browser: OldBrowser,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiAnswer> {
  const { headers } = await as(owner)('GET', '/settings')
  return as(browser)(method, path, body, { 'if-match': headers.etag ?? '' })
}

export async function set(patch: object): Promise<ApiAnswer> {
  const answer = await changeSettings(owner, 'PATCH', '/settings', patch)
  expect([answer.status, answer.raw]).toEqual([200, expect.any(String)])
  return answer
}

export const common = { clientId: 'portal', clientSecret: STAND_IN_SECRET }
export const openId = (issuer: string, more = {}) => ({
  kind: 'oidc',
  name: 'Stand-in',
  issuer,
  ...common,
  ...more,
})

export async function putProvider(id: string, provider: object): Promise<void> {
  const { status } = await changeSettings(owner, 'PUT', `/settings/providers/${id}`, provider)
  expect(status).toBe(200)
}

export async function newPerson(fields: object = {}): Promise<Person> {
  people += 1
  const email = `person-${people}@example.org`
  const call = as(owner)
  const { json } = await call('POST', '/users', { name: `Person ${people}`, email, ...fields })
  const invited = await call('POST', `/users/${json.id}/invitation`, { returnLink: true })
  const browser = new OldBrowser(portal.origin)
  await browser.submit(await browser.open(invited.json.link), { password: PASSWORD })
  return { id: json.id, email, password: PASSWORD }
}

export async function audit(query: string) {
  const { json } = await as(owner)('GET', `/audit-events?limit=20&${query}`)
  return json.data as { detail: Record<string, unknown> }[]
}

// ---------------------------------------------------------------- what people do

export async function signedIn(login: { email: string; password: string }): Promise<OldBrowser> {
  const browser = new OldBrowser(portal.origin)
  await browser.signIn(await browser.open('/login'), login)
  return browser
}

export function leave(browser: OldBrowser, page: Page, provider: string): Promise<Page> {
  return browser.submit(formWith(page, 'name="provider"'), {}, ['provider', provider])
}

/** The stand-ins ask nothing: their answer is the address back. */
export async function backFrom({ url }: Page): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' })
  return response.headers.get('location') ?? ''
}

export async function goThrough(browser: OldBrowser, page: Page, provider: string): Promise<Page> {
  return browser.open(await backFrom(await leave(browser, page, provider)))
}

/** The one letter to them that says so. */
export async function letterTo(server: MailServer, address: string, words: string, after = 0) {
  const isIt = ({ to, subject, text }: ReceivedMail) =>
    to.includes(address) && `${subject}\n${text}`.includes(words)
  const found = () => server.received.slice(after).filter(isIt)
  await expect.poll(() => found().length).toBe(1)
  return found()[0] as ReceivedMail
}

export const problemOf = ({ url }: Page) => new URL(url).searchParams.get('problem')
export const pathOf = ({ url }: Page) => new URL(url).pathname
export const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
