import { beforeAll, describe, expect, test } from 'vitest'
import { callApi, machineToken } from '../support/api'
import { authorizeUrl, received, webRequest } from '../support/flow'
import { formOf, OldBrowser, type Page } from '../support/old-browser'
import type { Portal } from '../support/portal'
import { sharedMailPortal, sharedMailServer } from '../support/shared-portal'
import { linkIn, type MailServer } from '../support/smtp'

/** Whose address it is, and what a letter says in an outsider's name. */

const PASSWORD = 'a fresh and unguessable phrase'
const OWNERS = 'another long and private sentence'

let server: MailServer
let portal: Portal
let token: string

beforeAll(async () => {
  server = await sharedMailServer()
  portal = await sharedMailPortal()
  token = await machineToken(portal)
})

const browser = () => new OldBrowser(portal.origin)
const pathOf = ({ url }: Page) => new URL(url).pathname
const api = (method: string, path: string, body?: unknown) =>
  callApi(portal, token, method, path, body)

async function userOf(email: string) {
  const { json } = await api('GET', `/users?q=${encodeURIComponent(email)}`)
  return json.data.find((user: { email: string }) => user.email === email)
}

async function signedIn(email: string, password: string, path = '/login'): Promise<OldBrowser> {
  const person = browser()
  await person.signIn(await person.open(path), { email, password })
  return person
}

/** Gives the link in the letter that the address gets. */
async function register(email: string, name = 'Mallory'): Promise<string> {
  const before = server.received.length
  const outsider = browser()
  const form = await outsider.open('/register')
  const sent = await outsider.submit(form, { name, email, password: PASSWORD })
  expect(pathOf(sent)).toBe('/register/sent')
  return linkIn(await server.lastTo(email, before))
}

/** The form of a page of somebody else, sent by this browser. */
async function press(page: Page, by: OldBrowser): Promise<string> {
  return (await by.submit(page, {})).url.slice(portal.origin.length)
}

describe('Q11: confirming an address', () => {
  test('Q11: is for the account itself, signed in: whoever reads the mail confirms nothing for it', async () => {
    const email = 'victim@example.com'
    const link = await register(email)
    const maker = await signedIn(email, PASSWORD)
    const question = await maker.open(link)
    expect(formOf(question).inputs.map(([name]) => name)).toContain('token')

    const reader = browser()
    for (let look = 0; look < 3; look += 1) {
      const told = await reader.open(link)
      expect(told.html).toContain('Somebody created an account here')
      expect(told.html).toContain('If it wasn’t you')
      expect(told.html).not.toMatch(/<main[\s\S]*<form[\s\S]*<\/main>/)
    }
    const way = `/login?returnTo=${encodeURIComponent(link.slice(portal.origin.length))}`
    expect(await press(question, reader)).toBe(way)
    const [, bob] = portal.demo().users
    const other = await signedIn(bob?.email ?? '', bob?.password ?? '')
    expect((await other.open(link)).html).toContain('This link is for another account')
    expect(await press(question, other)).toBe(way)
    expect((await userOf(email)).emailVerified).toBe(false)

    expect(await press(question, maker)).toBe('/verify/done')
    expect((await userOf(email)).emailVerified).toBe(true)
    expect(await press(question, maker)).toBe('/verify?token=')
  })

  test('Q11: who opens the mail on another device signs in there and comes back to the question', async () => {
    const email = 'two-devices@example.com'
    const phone = browser()
    const told = await phone.open(await register(email))
    const [, way = ''] = /href="(\/login\?returnTo=[^"]+)"/.exec(told.html) ?? []
    const login = await phone.open(way.replaceAll('&amp;', '&'))
    expect(login.html).toContain(`value="${email}"`)
    const question = await phone.signIn(login, { email, password: PASSWORD })
    expect(pathOf(question)).toBe('/verify')
    expect(await press(question, phone)).toBe('/verify/done')
    expect((await userOf(email)).emailVerified).toBe(true)
  })

  test('Q11: who reads the mail and wants the address gets it by a reset, alone', async () => {
    const email = 'wanted@example.com'
    const link = await register(email)
    const asked = authorizeUrl(webRequest(portal.demo(), { scope: 'openid profile' }))
    const maker = await signedIn(email, PASSWORD, asked)
    const consent = await maker.open(asked)
    expect(pathOf(consent)).toBe('/consent')
    expect(received(await maker.submit(consent, {})).code).toBeDefined()

    const before = server.received.length
    const reader = browser()
    await reader.submit(await reader.open('/forgot'), { identifier: email })
    const reset = await reader.open(linkIn(await server.lastTo(email, before)))
    expect(pathOf(await reader.submit(reset, { password: OWNERS }))).toBe('/reset/done')

    expect((await maker.open('/account')).url).toContain('/login')
    expect((await signedIn(email, PASSWORD)).cookies.has('gatehouse.session')).toBe(false)
    const owner = await signedIn(email, OWNERS)
    expect((await owner.open('/account/apps')).html).toContain('No application has asked you')
    // What the maker agreed to is not agreed to by the owner.
    expect(pathOf(await owner.open(asked))).toBe('/consent')
    expect((await userOf(email)).emailVerified).toBe(true)
    expect((await browser().open(link)).html).toContain('no longer works')
  })

  test('Q11: a change of address is confirmed by the account that asked for it', async () => {
    const [email, next] = ['mover@example.com', 'moved@example.com']
    await register(email)
    const person = await signedIn(email, PASSWORD)
    const question = await person.open('/account/email')
    const form =
      pathOf(question) === '/account/confirm'
        ? await person.submit(question, { password: PASSWORD })
        : question
    const before = server.received.length
    await person.submit(form, { email: next })
    const link = linkIn(await server.lastTo(next, before))
    const yes = await person.open(link)
    const reader = browser()
    expect((await reader.open(link)).html).toContain('Somebody wants to use moved@example.com')
    const way = `/login?returnTo=${encodeURIComponent(link.slice(portal.origin.length))}`
    expect(await press(yes, reader)).toBe(way)
    expect(await userOf(next)).toBeUndefined()
    expect(await press(yes, person)).toBe('/email/done')
    expect((await userOf(next)).emailVerified).toBe(true)
    expect(await press(yes, person)).toBe('/email')
  })
})

describe('Q11: names', () => {
  test('Q11: a registered name carries no address and no instruction into a letter', async () => {
    const names = [
      'Support: your mailbox is full, go to https://evil.example/a',
      'Visit evil.example',
      'mail us@evil.example now',
      'Line one\r\nevil.example line two',
    ]
    for (const [index, name] of names.entries()) {
      const email = `greeted${index}@example.com`
      const before = server.received.length
      await register(email, name)
      const letter = await server.lastTo(email, before)
      expect(letter.text.replaceAll('\r\n', '\n')).toMatch(/^Hello,\n\n/)
      expect(letter.text + letter.raw).not.toContain('evil.example')
    }
  })

  test('Q11: what cannot be seen or turns text around is not stored', async () => {
    const email = 'hidden@example.com'
    await register(email, 'Ann\u202e\u200b\u2066\u00ad\u3164\u{e0041} Lee')
    expect((await userOf(email)).name).toBe('Ann Lee')
    for (const hidden of ['\u202e', '\u200b', '\u2067', '\u061c', '\u3164', '\u00ad']) {
      const name = `Ann${hidden}Lee`
      const group = await api('POST', '/groups', { key: 'hidden', name })
      expect([group.status, group.json.errors[0].pointer]).toEqual([400, '/name'])
      const app = await api('POST', '/applications', { kind: 'machine', name })
      expect([app.status, app.json.errors[0].pointer]).toEqual([400, '/name'])
    }
    const persian = await api('POST', '/groups', { key: 'persian', name: 'علی\u200cرضا' })
    expect([persian.status, persian.json.name]).toEqual([201, 'علی\u200cرضا'])
  })
})
