import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  newPerson,
  op,
  PASSWORD,
  pathOf,
  portal,
  rowOf,
  server,
  signedIn,
  startAccounts,
} from '../support/accounts'
import { addApp } from '../support/add-app'
import { ask } from '../support/ask'
import { usually } from '../support/databases'
import { authorizeUrl, webRequest } from '../support/flow'
import { formWith, OldBrowser, type Page } from '../support/old-browser'
import { formsIn, noticesOn, titleOf, toldOn } from '../support/page-forms'

/** An admin in the account of a user, on the pages and without script. */

const REASON = 'Ticket 4711: an application is missing'
const BANNER = 'You are in the account of somebody else'
const REFUSED = 'You can’t do this in the account of somebody else'
/** What users have at all. */
const PAGES = [
  '/account',
  '/account/home',
  '/account/picture',
  '/account/security',
  '/account/security/password',
  '/account/sessions',
  '/account/apps',
  '/account/access',
  '/account/activity',
  '/account/data',
  '/account/confirm',
  '/verify',
  '/device',
  '/login',
  '/login?identifier=somebody@example.org',
  '/accounts',
]
/** These prove who somebody is, or show what only they see. */
const SHUT = [
  '/account/email',
  '/account/delete',
  '/account/data/download',
  '/account/security/authenticator',
  '/account/security/passkey',
  '/account/security/identities',
]

/** Each form that would change something, as if it were alone: not the one that leaves the account. */
function changesOn(page: Page): Page[] {
  const forms = page.html.match(/<form[\s\S]*?<\/form>/g) ?? []
  return forms
    .filter((form) => !form.includes('>End<') && !form.includes('action="/preferences"'))
    .filter((form) => /^<form[^>]*method="post"/i.test(form))
    .map((html) => ({ ...page, html }))
}

describe.each(usually('sqlite'))('impersonation on %s', (kind) => {
  startAccounts(kind)
  let admin: OldBrowser
  let user: Awaited<ReturnType<typeof newPerson>>
  let theirs: OldBrowser

  beforeAll(async () => {
    const login = await newPerson('owner')
    admin = await signedIn(login)
    const app = await addApp(admin, PASSWORD)
    const asked = await admin.open('/second-factor?raise=yes')
    await admin.submit(formWith(asked, 'name="code"'), { code: app.next() })
    user = await newPerson()
    theirs = await signedIn(user)
  })
  afterAll(() => set('off'))

  const set = (impersonation: string) =>
    api('PATCH', '/settings', { security: { impersonation } }, { 'if-match': '*' })
  const page = () => `/admin/users/${user.id}/impersonation`

  /** The browser of the admin, in the account. */
  async function inside(mode: 'read_only' | 'full' = 'read_only'): Promise<OldBrowser> {
    await set(mode)
    const browser = new OldBrowser(portal.origin)
    for (const [name, value] of admin.cookies) browser.cookies.set(name, value)
    const form = formWith(await browser.open(page()), 'name="reason"')
    const home = await browser.submit(form, { reason: REASON, mode })
    expect(pathOf(home)).toBe('/account/home')
    return browser
  }
  const end = async (browser: OldBrowser, at = '/account') =>
    browser.submit(formWith(await browser.open(at), '>End<'), {})

  test('begins with a reason on the page of the user, and ends there', async () => {
    await set('off')
    expect((await admin.open(`/admin/users/${user.id}`)).html).not.toContain('See what they see')
    expect((await admin.open(page())).html).toContain('You can’t open this account')
    await set('read_only')
    expect((await admin.open(`/admin/users/${user.id}`)).html).toContain(`href="${page()}"`)
    const form = formWith(await admin.open(page()), 'name="reason"')
    const refused = await admin.submit(form, { reason: '' })
    expect(refused.html).toContain('id="reason-error"')

    const browser = await inside()
    for (const path of ['/', '/account', '/docs', '/admin', '/nowhere']) {
      const seen = await browser.open(path)
      expect([path, seen.html.includes(BANNER)]).toEqual([path, true])
      expect([path, seen.html.includes('You can look, and change nothing.')]).toEqual([path, true])
    }
    expect((await browser.open('/account')).html).toContain(user.email)
    expect((await browser.open('/admin')).status).toBe(403)
    const back = await end(browser)
    expect([pathOf(back), noticesOn(back)]).toEqual([page(), ['You left the account.']])
    expect(back.html).not.toContain(BANNER)

    const activity = (await theirs.open('/account/activity')).html
    expect(activity).toContain('An admin opened your account to look at it')
    expect(activity).toContain(REASON)
    const isTold = () => server.received.some(({ to }) => to.includes(user.email))
    await expect.poll(isTold).toBe(true)
  })

  test('Q242: no form and no action of any page changes anything while it only looks', async () => {
    const browser = await inside()
    const before = await rowsOf()
    for (const path of PAGES) {
      const seen = await browser.open(path)
      for (const form of changesOn(seen)) {
        const [{ fields = [] } = {}] = formsIn(form)
        const names = fields.map(({ name }) => name)
        const typed = Object.fromEntries(names.map((name) => [name, 'x']))
        const answer = await browser.submit(form, typed)
        expect([path, names, answer.status, titleOf(answer)]).toEqual([path, names, 403, REFUSED])
      }
    }
    for (const path of SHUT) expect([path, (await browser.open(path)).status]).toEqual([path, 403])
    expect(await rowsOf()).toEqual(before)
    expect((await browser.open('/account')).html).toContain(BANNER)
  })

  test('Q242: with changes it saves a profile, says who did it, and proves nothing for the user', async () => {
    const browser = await inside('full')
    const form = formWith(await browser.open('/account'), 'name="given_name"')
    const wrong = await browser.submit(form, { name: '' })
    expect([wrong.status, toldOn(wrong).map(({ field }) => field)]).toEqual([200, ['name']])
    expect((await browser.submit(form, { name: 'Ann B' })).url).toContain('done=profile')
    expect((await rowOf(user))?.name).toBe('Ann B')
    const entry = await op.db.auditEntry.findFirst({
      where: { event: 'profile.changed', actorId: user.id },
    })
    expect(entry?.detail).toMatchObject({ impersonator: expect.stringContaining('usr_') })
    const done = 'done by an admin in your account'
    expect((await theirs.open('/account/activity')).html).toContain(done)

    const password = formWith(await browser.open('/account/security/password'), 'name="next"')
    const typed = { current: PASSWORD, next: 'seven quiet herons by the weir' }
    expect((await browser.submit(password, typed)).status).toBe(403)
    const confirm = formWith(await browser.open('/account/confirm'), 'type="password"')
    expect((await browser.submit(confirm, { password: PASSWORD })).status).toBe(403)
    for (const path of SHUT) expect([path, (await browser.open(path)).status]).toEqual([path, 403])
    const asked = await browser.open(authorizeUrl(webRequest(portal.demo())))
    expect([pathOf(asked), titleOf(asked)]).toEqual([
      '/impersonated',
      'You can’t open applications as this user',
    ])
    await end(browser)
  })

  test('Q244: the cookie that was kept is nobody’s after the end, and signing out leaves the account', async () => {
    const browser = await inside()
    const kept = new OldBrowser(portal.origin)
    for (const [name, value] of browser.cookies) kept.cookies.set(name, value)
    await browser.submit(formWith(await browser.open('/logout'), 'value="everywhere"'), {
      reach: 'everywhere',
    })
    expect(pathOf(await browser.open('/admin'))).toBe('/admin')
    expect(pathOf(await theirs.open('/account'))).toBe('/account')
    expect(pathOf(await kept.open('/account'))).toBe('/login')
    const headers = { cookie: kept.cookieHeader(), 'x-gatehouse-request': '1' }
    expect((await ask(portal.origin, { path: '/api/v1/users', headers })).status).toBe(401)
  })

  test('Q246: another site opens no account and ends none', async () => {
    await set('read_only')
    const from = async (browser: OldBrowser, at: Page) => {
      const [form] = formsIn(at)
      const body = new FormData()
      for (const [name, value] of form?.hidden ?? []) body.append(name, value)
      body.append('reason', REASON)
      const headers = {
        cookie: browser.cookieHeader(),
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      }
      const answer = await fetch(at.url, { method: 'POST', body, headers, redirect: 'manual' })
      return answer.status
    }
    const open = () => op.db.impersonation.count({ where: { userId: user.id, endedAt: null } })
    expect(await from(admin, formWith(await admin.open(page()), 'name="reason"'))).toBe(403)
    expect(await open()).toBe(0)
    const browser = await inside()
    expect(await from(browser, formWith(await browser.open('/account'), '>End<'))).toBe(403)
    expect(await open()).toBe(1)
    await end(browser)
    expect(await open()).toBe(0)
  })

  /** What the account consists of. */
  async function rowsOf() {
    const where = { userId: user.id }
    return [
      await rowOf(user),
      await op.db.session.findMany({ where, orderBy: { id: 'asc' } }),
      await op.db.accessRequest.count({ where }),
      await op.db.oneTimeLink.count({ where }),
      await op.db.totpCredential.count({ where }),
      await op.db.passwordCredential.findMany({ where }),
    ]
  }
})
