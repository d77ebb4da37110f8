import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, machineToken, sessionOf } from '../../support/api'
import type { Fields } from '../../support/ask'
import { authorizeUrl, pkcePair, received, webRequest } from '../../support/flow'
import { formOf, OldBrowser, type Page } from '../../support/old-browser'
import { type Portal, startNext, startPortal } from '../../support/portal'

/** How much of anything a browser or a stranger may have, in both hosts over one database. */

let direct: Portal
let next: Portal
const hosts = { direct: () => direct, next: () => next }

beforeAll(async () => {
  direct = await startPortal({ args: ['--demo'] })
  const { PORT: _own, ...shared } = direct.env
  next = await startNext(shared)
})
afterAll(async () => {
  await next.stop()
  await direct.stop()
})

const alice = () => direct.demo().users[0] ?? { email: '', password: '' }
const pathOf = ({ url }: Page) => new URL(url).pathname

describe.each(['direct', 'next'] as const)('interactions of one browser, %s', (host) => {
  const VISITS = 200
  const KEPT = 8
  const kept = ({ cookies }: OldBrowser) =>
    [...cookies.keys()].filter((name) => name.startsWith('gatehouse.int_'))

  test('200 visits to /oidc/auth leave the latest few, and the newest finishes', async () => {
    const { origin } = hosts[host]()
    const browser = new OldBrowser(origin)
    const ways: string[] = []
    for (let visit = 0; visit < VISITS; visit += 1) {
      const { status, location } = await browser.ask(authorizeUrl(webRequest(direct.demo())))
      expect([visit, status]).toEqual([visit, 303])
      expect(kept(browser).length).toBeLessThanOrEqual(KEPT)
      ways.push(location ?? '')
    }
    expect(kept(browser)).toHaveLength(KEPT)
    const login = await browser.open(ways.at(-1) ?? '')
    const asked = await browser.signIn(login, alice())
    const done = pathOf(asked) === '/consent' ? await browser.submit(asked, {}) : asked
    expect(received(done)).toMatchObject({ state: 'the-state', code: expect.any(String) })

    const resumed = (way = '') => new URL(way, origin).searchParams.get('returnTo') ?? ''
    expect(received(await browser.open(resumed(ways.at(-KEPT)))).code).toBeDefined()
    const old = await browser.open(resumed(ways.at(-KEPT - 1)))
    const foreign = await new OldBrowser(origin).open(resumed(ways.at(-KEPT + 1)))
    expect([old.status, pathOf(old)]).toEqual([400, resumed(ways.at(-KEPT - 1))])
    expect(foreign.status).toBe(old.status)
  })
})

describe('plain next start without TRUSTED_PROXIES', () => {
  const SLOWED = /Please wait \d+/

  /** The second step of the sign-in page, whose form any name can be sent with. */
  async function passwordForm(browser: OldBrowser, email: string): Promise<Page> {
    return browser.submit(await browser.open('/login'), { identifier: email })
  }

  async function send(page: Page, typed: Fields): Promise<string> {
    const { action, inputs } = formOf(page)
    const body = new FormData()
    for (const [name, value] of [...inputs, ...Object.entries(typed)]) body.append(name, value)
    const headers = {
      origin: next.origin,
      'sec-fetch-site': 'same-origin',
      'accept-language': 'en',
    }
    return (await fetch(action, { method: 'POST', body, headers, redirect: 'manual' })).text()
  }

  test('125 sign-ins under different names are slowed down as a whole; who was there before still gets in', async () => {
    const regular = new OldBrowser(next.origin)
    await regular.signIn(await regular.open('/login'), alice())
    expect(regular.cookies.has('gatehouse.session')).toBe(true)
    for (const name of ['gatehouse.session', 'gatehouse.method']) regular.cookies.delete(name)

    const form = await passwordForm(new OldBrowser(next.origin), 'n@example.com')
    const names = Array.from({ length: 125 }, (_, index) => `n${index}@example.com`)
    const answers = await Promise.all(
      names.map((identifier) => send(form, { identifier, password: 'wrong wrong wrong' })),
    )
    expect(answers.filter((html) => SLOWED.test(html))).toHaveLength(25)

    const enter = async (browser: OldBrowser, who = alice()) => {
      const page = await browser.submit(await passwordForm(browser, who.email), {
        identifier: who.email,
        password: who.password,
      })
      return SLOWED.test(page.html) ? 'slowed' : browser.cookies.has('gatehouse.session')
    }
    expect(await enter(new OldBrowser(next.origin))).toBe('slowed')
    const forged = new OldBrowser(next.origin)
    forged.cookies.set('gatehouse.known', '["usr_demo_alice"]')
    expect(await enter(forged)).toBe('slowed')
    expect(await enter(regular, direct.demo().users[1])).toBe('slowed')
    expect(await enter(regular)).toBe(true)
    // Where addresses are known, nobody is concerned.
    const elsewhere = new OldBrowser(direct.origin)
    await elsewhere.signIn(await elsewhere.open('/login'), alice())
    expect(elsewhere.cookies.has('gatehouse.session')).toBe(true)
    expect(elsewhere.cookies.has('gatehouse.known')).toBe(false)
  })

  test('letters for forgotten passwords are slowed down as a whole', async () => {
    const form = await new OldBrowser(next.origin).open('/forgot')
    const names = Array.from({ length: 25 }, (_, index) => `f${index}@example.com`)
    const answers = await Promise.all(names.map((identifier) => send(form, { identifier })))
    expect(answers.filter((html) => SLOWED.test(html))).toHaveLength(5)
  })

  test('it says at its start, and to its admins, what it cannot see', async () => {
    expect(await next.allOutput()).toMatch(/addresses of callers are not known.*TRUSTED_PROXIES/)
    expect(await direct.allOutput()).not.toContain('addresses of callers')
    for (const [portal, code, state] of [
      [next, 'callers_unknown', 'warn'],
      [direct, 'callers_known', 'ok'],
    ] as const) {
      const { json } = await callApi(portal, await machineToken(portal), 'GET', '/health')
      expect(json.data).toContainEqual(expect.objectContaining({ code, state }))
    }
  })
})

describe('an application’s people', () => {
  const REDIRECT = 'https://bob.example/callback'

  test('an app manager sees and finds what each person agreed to share, and nothing else', async () => {
    const token = await machineToken(direct)
    const { admin, users } = direct.demo()
    const etag = { 'if-match': '*' }
    await callApi(direct, token, 'PATCH', '/users/usr_demo_bob', { adminRole: 'app_manager' }, etag)
    const bob = await sessionOf(direct, users[1])
    const mine = { kind: 'web', name: 'Bob’s', redirectUris: [REDIRECT] }
    const app = (await callApi(direct, bob, 'POST', '/applications', mine)).json
    for (const [who, scope] of [
      [users[0], 'openid'],
      [admin, 'openid profile email'],
    ] as const) {
      const browser = new OldBrowser(direct.origin)
      const fields = { client_id: app.id, redirect_uri: REDIRECT, response_type: 'code', scope }
      const pkce = { code_challenge: pkcePair().challenge, code_challenge_method: 'S256' }
      const login = await browser.open(authorizeUrl({ ...fields, ...pkce }))
      const consent = await browser.signIn(login, who ?? { email: '', password: '' })
      expect(received(await browser.submit(consent, {})).code).toBeDefined()
    }

    const path = `/applications/${app.id}/people`
    const seen = async (query = '', caller: string | Fields = bob) =>
      (await callApi(direct, caller, 'GET', `${path}?count=true${query}`)).json
    const all = await seen()
    const people = Object.fromEntries(all.data.map((one: { id: string }) => [one.id, one]))
    expect(people.usr_demo_alice).toMatchObject({ name: null, email: null, granted: ['openid'] })
    expect(people.usr_demo_admin).toMatchObject({ email: admin.email, name: expect.any(String) })
    expect(JSON.stringify(all)).not.toMatch(/alice@|"Alice/)

    const aliceHidden = { data: [], page: { total: 0 } }
    for (const q of ['alice@gatehouse.example', 'ALICE@', 'alice%40gatehouse']) {
      expect(await seen(`&q=${q}`)).toMatchObject(aliceHidden)
    }
    expect((await seen('&q=usr_demo_alice')).page.total).toBe(1)
    expect((await seen(`&q=${admin.email}`)).page.total).toBe(1)
    // Neither an order nor a cursor says more.
    for (const sort of ['name', '-name', 'email', '-email']) {
      const first = await seen(`&limit=1&sort=${sort}`)
      expect(first.data[0].id).toBe('usr_demo_admin')
      const cursor = String(first.page.next).split('.')[0] ?? ''
      expect(Buffer.from(cursor, 'base64url').toString()).not.toContain('@')
    }
    expect((await seen('&q=alice%40gatehouse', token)).data).toMatchObject([
      { id: 'usr_demo_alice', email: 'alice@gatehouse.example', name: expect.any(String) },
    ])

    const page = await pageOf(bob, `/admin/applications/${app.id}/people`)
    expect(page).toContain('You see what each person agreed to share')
    expect(page).toContain('usr_demo_alice')
    expect(page).toContain('not shared')
    expect(page).not.toContain('alice@gatehouse.example')
  })

  async function pageOf({ cookie = '' }: Fields, path: string): Promise<string> {
    const headers = { cookie, 'accept-language': 'en' }
    return (await fetch(`${direct.origin}${path}`, { headers })).text()
  }
})
