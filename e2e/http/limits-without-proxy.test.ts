import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, machineToken } from '../support/api'
import type { Fields } from '../support/ask'
import { type OpenPortal, openPortal } from '../support/in-process'
import { filledForm, OldBrowser, type Page } from '../support/old-browser'
import { type Portal, startNext } from '../support/portal'

/**
 * How much a browser or anybody unknown may have where addresses are not known. Of its own: plain
 * Next.js has no socket to look at. Beside it, on the same database, a portal that has one.
 */

let direct: OpenPortal
let next: Portal

beforeAll(async () => {
  direct = await openPortal()
  const { ISSUER: _own, ...shared } = direct.env
  next = await startNext({ ...shared, LOG_LEVEL: 'info' })
})
afterAll(async () => {
  await next.stop()
  await direct.stop()
})

const alice = () => direct.demo().users[0] ?? { email: '', password: '' }

describe('Q14: plain next start without TRUSTED_PROXIES', () => {
  const SLOWED = /Please wait \d+/

  /** The second step of the sign-in page, whose form any name can be sent with. */
  async function passwordForm(browser: OldBrowser, email: string): Promise<Page> {
    return browser.submit(await browser.open('/login'), { identifier: email })
  }

  async function send(page: Page, typed: Fields): Promise<string> {
    const { action, body } = filledForm(page, typed)
    const headers = {
      origin: next.origin,
      'sec-fetch-site': 'same-origin',
      'accept-language': 'en',
    }
    return (await fetch(action, { method: 'POST', body, headers })).text()
  }

  test('Q14: 125 sign-ins under different names are slowed down as a whole; who was there before still gets in', async () => {
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

  test('Q14: letters for forgotten passwords are slowed down as a whole', async () => {
    const form = await new OldBrowser(next.origin).open('/forgot')
    const names = Array.from({ length: 25 }, (_, index) => `f${index}@example.com`)
    const answers = await Promise.all(names.map((identifier) => send(form, { identifier })))
    expect(answers.filter((html) => SLOWED.test(html))).toHaveLength(5)
  })

  test('Q14: it says at its start, and to its admins, what it cannot see', async () => {
    expect(await next.allOutput()).toMatch(/addresses of callers are not known.*TRUSTED_PROXIES/)
    for (const [portal, code, state] of [
      [next, 'callers_unknown', 'warn'],
      [direct, 'callers_known', 'ok'],
    ] as const) {
      const { json } = await callApi(portal, await machineToken(portal), 'GET', '/health')
      expect(json.data).toContainEqual(expect.objectContaining({ code, state }))
    }
  })
})
