import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, machineToken } from '../support/api'
import { ANY } from '../support/api-objects'
import { usually } from '../support/databases'
import { browser, portal, server, startMail } from '../support/mail-portal'
import { formWith, type OldBrowser, type Page } from '../support/old-browser'
import { linkIn } from '../support/smtp'

const ASK = 'Email me a sign-in code'

describe.each(usually('sqlite'))('the pages of a sign-in by mail on %s', (kind) => {
  startMail(kind)
  let token: string

  const call = (method: string, path: string, body: object) =>
    callApi(portal, token, method, path, body, ANY)
  const set = (mailSignIn: boolean) => call('PATCH', '/settings', { security: { mailSignIn } })

  beforeAll(async () => {
    token = await machineToken(portal)
    expect((await set(true)).status).toBe(200)
  })
  afterAll(() => set(false))

  async function asked(): Promise<{ page: Page; asker: OldBrowser; link: string; code: string }> {
    const email = `${crypto.randomUUID()}@example.org`
    const made = await call('POST', '/users', { name: 'Mia', email, emailVerified: true })
    expect(made.status).toBe(201)
    const asker = browser()
    const query = new URLSearchParams({ identifier: email, returnTo: '/account/security' })
    const how = await asker.open(`/login?${query}`)
    const before = server.received.length
    const page = await asker.submit(formWith(how, ASK), {})
    const mail = await server.lastTo(email, before)
    const code = /^ {2}(\d{4} \d{4})\r?$/m.exec(mail.text)?.[1] ?? ''
    return { page, asker, link: linkIn(mail), code }
  }
  const isSignedIn = ({ cookies }: OldBrowser) => cookies.has('gatehouse.session')

  test('K3, K4: a scanner and another browser spend nothing; the button in the right one signs in', async () => {
    const { page, asker, link, code } = await asked()
    expect(new URL(page.url).pathname).toBe('/login/code')
    expect(page.html).toContain('Check your mail')
    for (const method of ['HEAD', 'GET']) {
      const { status, headers } = await fetch(link, { method })
      expect([status, headers.get('set-cookie')]).toEqual([200, null])
    }
    const other = browser()
    const elsewhere = await other.open(link)
    expect(elsewhere.html).toContain('This is not the browser that asked')
    expect(elsewhere.html).toContain(code)
    expect(elsewhere.html).not.toContain('name="code"')
    expect(isSignedIn(other)).toBe(false)
    const here = await asker.open(link)
    const done = await asker.submit(formWith(here, 'name="code"'), {})
    expect([new URL(done.url).pathname, isSignedIn(asker)]).toEqual(['/account/security', true])
    expect((await other.open(link)).html).toContain('This code no longer works')
  })

  test('K4: a link that was changed, and no link without a question, is a closed page', async () => {
    const { link } = await asked()
    const changed = link.replace(/token=.{9}/, 'token=AAAAAAAAA')
    for (const path of ['/login/code', changed, '/login/code?token=x']) {
      const { status, html } = await browser().open(path)
      expect([status, html]).toEqual([200, expect.stringContaining('This code no longer works')])
    }
  })

  test('K6: a wrong code and none are a 400 at the field; after five even the right one is', async () => {
    const { page, asker, code } = await asked()
    const none = await asker.submit(formWith(page, 'name="code"'), { code: '' })
    expect([none.status, none.html]).toEqual([400, expect.stringContaining('Enter the code')])
    let last = none
    for (let guess = 0; guess < 5; guess += 1) {
      last = await asker.submit(formWith(last, 'name="code"'), { code: '1234 0000' })
      expect([last.status, last.html]).toEqual([
        400,
        expect.stringContaining('aria-invalid="true"'),
      ])
    }
    last = await asker.submit(formWith(last, 'name="code"'), { code })
    expect([last.status, isSignedIn(asker)]).toEqual([400, false])
    expect(last.html).toContain('it was tried too often')
  })

  test('K7: a fourth mail for one name has to wait, 429; nothing is offered while it is off', async () => {
    const asker = browser()
    const how = await asker.open('/login?identifier=outsider%40example.org')
    for (let at = 0; at < 3; at += 1) {
      expect((await asker.submit(formWith(how, ASK), {})).url).toContain('/login/code')
    }
    const slowed = await asker.submit(formWith(how, ASK), {})
    expect([slowed.status, slowed.html]).toEqual([429, expect.stringContaining('Please wait')])
    await set(false)
    const after = { headers: { consistency: 'higher' } }
    expect((await asker.open('/login?identifier=x', after)).html).not.toContain(ASK)
    await set(true)
  })
})
