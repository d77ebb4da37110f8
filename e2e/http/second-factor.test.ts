import { describe, expect, test } from 'vitest'
import { addApp, confirmed } from '../support/add-app'
import { callApi } from '../support/api'
import { runCommand } from '../support/command'
import { authorizeUrl, exchange, received, webRequest } from '../support/flow'
import { formWith, OldBrowser } from '../support/old-browser'
import { linkIn } from '../support/smtp'
import {
  as,
  audit,
  letterTo,
  NEXT_PASSWORD,
  newPerson,
  oldMail,
  owner,
  pathOf,
  portal,
  SESSION,
  set,
  signedIn,
  startPeople,
} from '../support/two-providers'

startPeople()

async function firstRecoveryCode(browser: OldBrowser): Promise<string> {
  const made = await browser.submit(await browser.open('/account/security/recovery-codes'), {})
  return /\b[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}\b/.exec(made.html)?.[0] ?? ''
}

describe('admins need a second factor', () => {
  const on = (adminSecondFactor: boolean) => set({ security: { adminSecondFactor } })

  /** An admin with an app, and a browser that they trust: there the password alone signs in. */
  async function adminWithApp() {
    const admin = await newPerson({ adminRole: 'admin' })
    const browser = await signedIn(admin)
    const app = await addApp(browser, admin.password)
    const trusting = new OldBrowser(portal.origin)
    const asked = await trusting.signIn(await trusting.open('/login'), admin)
    expect(asked.url).toContain('/second-factor')
    await trusting.submit(formWith(asked, 'name="code"'), { code: app.next(), trust: 'yes' })
    const weak = new OldBrowser(portal.origin)
    weak.cookies.set('gatehouse.device', trusting.cookies.get('gatehouse.device') ?? '')
    await weak.signIn(await weak.open('/login'), admin)
    expect(weak.cookies.has(SESSION)).toBe(true)
    return { admin, app, trusting, weak }
  }

  test('Q7: enrolled is not proven: a password alone opens no admin page and no API, a code does', async () => {
    const { admin, app, trusting, weak } = await adminWithApp()
    // The owner stays outside: an app of their own, proven in the session that the tests use.
    const ownApp = await addApp(owner, portal.demo().admin.password)
    const proving = await owner.open('/second-factor?raise=yes')
    await owner.submit(formWith(proving, 'name="code"'), { code: ownApp.next() })
    await on(true)
    try {
      expect((await as(owner)('GET', '/settings')).status).toBe(200)
      expect((await as(trusting)('GET', '/users?limit=1')).status).toBe(200)
      const refused = await as(weak)('GET', '/users?limit=1')
      expect([refused.status, refused.json.code]).toEqual([403, 'second_factor_needed'])
      expect(refused.json.detail).toContain(`${portal.origin}/second-factor?raise=yes`)

      // Nor may whoever has only the password add a factor of their own, and prove that.
      for (const path of ['authenticator', 'passkey', 'recovery-codes', 'identities']) {
        const page = await weak.open(`/account/security/${path}`)
        expect([path, pathOf(page)]).toEqual([path, '/second-factor'])
      }

      const asked = await weak.open('/admin/users?q=person')
      expect(pathOf(asked)).toBe('/second-factor')
      expect(asked.html).not.toContain('name="trust"')
      const wrong = await weak.submit(formWith(asked, 'name="code"'), { code: '000000' })
      expect(wrong.html).toContain('This code isn’t right')
      expect((await as(weak)('GET', '/users?limit=1')).status).toBe(403)
      const page = await weak.submit(formWith(wrong, 'name="code"'), { code: app.next() })
      expect([page.status, page.url]).toEqual([200, `${portal.origin}/admin/users?q=person`])
      expect((await as(weak)('GET', '/users?limit=1')).status).toBe(200)
      expect(await audit(`event=login.second_factor&actor=${admin.id}`)).not.toEqual([])
    } finally {
      await on(false)
    }
  })

  test('Q7: whoever has none sets one up as before, and then proves it', async () => {
    const admin = await newPerson({ adminRole: 'admin' })
    const browser = await signedIn(admin)
    await on(true)
    try {
      expect((await browser.open('/admin/users')).url).toContain(
        '/account/security/factor?for=admin',
      )
      const app = await addApp(browser, admin.password)
      const asked = await browser.open('/admin/users')
      expect(pathOf(asked)).toBe('/second-factor')
      const page = await browser.submit(formWith(asked, 'name="code"'), { code: app.next() })
      expect([page.status, pathOf(page)]).toEqual([200, '/admin/users'])
    } finally {
      await on(false)
    }
  })

  test('Q7: a token counts for what its sign-in was worth', async () => {
    const { admin, weak, trusting } = await adminWithApp()
    const web = '/applications/app_demo_web/grants'
    const { json, headers } = await as(owner)('GET', web)
    const patterns = json.grants.map(({ pattern }: { pattern: string }) => pattern)
    const grants = [...patterns, 'users:read'].map((pattern) => ({ pattern }))
    const put = await as(owner)('PUT', web, { grants }, { 'if-match': headers.etag ?? '' })
    expect([put.status, put.raw]).toEqual([200, expect.any(String)])
    const tokenOf = async (browser: OldBrowser) => {
      const scope = 'openid users:read'
      const page = await browser.open(authorizeUrl(webRequest(portal.demo(), { scope })))
      const agreed = page.url.includes('/consent')
        ? await browser.submit(page, { scope: ['users:read'] })
        : page
      const { body } = await exchange(portal, received(agreed).code ?? '')
      return JSON.parse(body).access_token as string
    }
    const [weakToken, strongToken] = [await tokenOf(weak), await tokenOf(trusting)]
    const read = async (token: string) =>
      (await callApi(portal, token, 'GET', `/users/${admin.id}`)).status
    expect([await read(weakToken), await read(strongToken)]).toEqual([200, 200])
    await on(true)
    try {
      expect([await read(weakToken), await read(strongToken)]).toEqual([403, 200])
    } finally {
      await on(false)
    }
  })
})

describe('whoever has a second factor', () => {
  const PAGES = ['authenticator', 'passkey', 'recovery-codes']

  /** A browser in which the password alone signed in, because the device is trusted. */
  async function withPasswordOnly() {
    const person = await newPerson({ adminRole: 'admin' })
    const browser = await signedIn(person)
    const app = await addApp(browser, person.password)
    const recovery = await firstRecoveryCode(browser)
    const trusting = new OldBrowser(portal.origin)
    const asked = await trusting.signIn(await trusting.open('/login'), person)
    await trusting.submit(formWith(asked, 'name="code"'), { code: app.next(), trust: 'yes' })
    const weak = new OldBrowser(portal.origin)
    weak.cookies.set('gatehouse.device', trusting.cookies.get('gatehouse.device') ?? '')
    await weak.signIn(await weak.open('/login'), person)
    await confirmed(weak, '/account/confirm', person.password)
    return { person, app, recovery, weak }
  }

  test('Q106: changes their factors only after using one: a password adds and removes none', async () => {
    const { person, app, weak } = await withPasswordOnly()
    expect(pathOf(await weak.open('/account/email'))).toBe('/account/email')
    for (const path of PAGES) {
      const page = await weak.open(`/account/security/${path}`)
      expect([path, pathOf(page)]).toEqual([path, '/second-factor'])
    }
    expect(pathOf(await weak.open('/passkey?returnTo=%2Faccount'))).toBe('/account')
    const remove = formWith(await weak.open('/account/security'), 'Remove this authenticator app')
    expect(pathOf(await weak.submit(remove, {}))).toBe('/second-factor')
    const factors = await as(owner)('GET', `/users/${person.id}/factors`)
    const [{ id }] = factors.json.data
    const own = await as(weak)('DELETE', `/users/${person.id}/factors/${id}`)
    expect([own.status, own.json.code]).toEqual([409, 'conflict'])

    const asked = await weak.open('/account/security/authenticator')
    const page = await weak.submit(formWith(asked, 'name="code"'), { code: app.next() })
    expect(pathOf(page)).toBe('/account/security/authenticator')
  })

  test('Q106: a recovery code lets those through who lost their phone', async () => {
    const { person, recovery, weak } = await withPasswordOnly()
    const asked = await weak.open('/account/security/authenticator')
    const form = formWith(asked, 'name="recovery"')
    const page = await weak.submit(form, { code: '', recovery })
    expect(pathOf(page)).toBe('/account/security/authenticator')
    const remove = formWith(await weak.open('/account/security'), 'Remove this authenticator app')
    expect((await weak.submit(remove, {})).url).toContain('done=factorRemoved')
    const app = await addApp(weak, person.password)
    expect(app.next()).toMatch(/^\d{6}$/)
  })

  test('who lost it is helped by the operator at the machine, and told by letter', async () => {
    const { person, weak } = await withPasswordOnly()
    const remove = (name: string) => runCommand(portal.env, 'factors', 'remove', name)
    expect(await remove('nobody@x.example')).toMatchObject({
      status: 1,
      said: expect.stringContaining('there is no user nobody@x.example'),
    })
    const { status, said } = await remove(person.email)
    expect([status, said]).toEqual([0, expect.stringContaining('totp; they sign in with their')])
    expect((await remove(person.email)).said).toContain('has no passkey and no authenticator app')
    await letterTo(oldMail, person.email, 'was removed')
    const events = await audit(`event=user.factor_removed&targetId=${person.id}`)
    expect(events).toMatchObject([{ actorKind: 'system' }])
    const page = await weak.open('/account/security/authenticator')
    expect(pathOf(page)).toBe('/account/security/authenticator')
  })
})

describe('wrong codes', () => {
  test('Q10: five are told of by letter and locked everywhere; a reset by mail does not open it, a recovery code does', async () => {
    const person = await newPerson()
    const browser = await signedIn(person)
    const app = await addApp(browser, person.password)
    const recovery = await firstRecoveryCode(browser)

    const guesser = new OldBrowser(portal.origin)
    let page = await guesser.signIn(await guesser.open('/login'), person)
    for (let i = 0; i < 5; i += 1) {
      page = await guesser.submit(formWith(page, 'name="code"'), { code: `00000${i}` })
      expect(page.html).toContain('This code isn’t right')
    }
    const letter = await letterTo(oldMail, person.email, 'Wrong codes for your account')
    expect(letter.text).toContain('a passkey or a recovery code')
    page = await guesser.submit(formWith(page, 'name="code"'), { code: app.next() })
    expect(page.html).toContain('Please wait 1 minute,')

    // The same lock where the person is asked again who they are.
    const confirm = await browser.open('/account/confirm')
    const locked = await browser.submit(formWith(confirm, 'value="code"'), { code: app.next() })
    expect(locked.html).toContain('Too many attempts')

    const forgot = new OldBrowser(portal.origin)
    await forgot.submit(await forgot.open('/forgot'), { identifier: person.email })
    const link = linkIn(await letterTo(oldMail, person.email, 'The link works once, for 30'))
    await forgot.submit(await forgot.open(link), { password: NEXT_PASSWORD })
    const again = new OldBrowser(portal.origin)
    const login = { email: person.email, password: NEXT_PASSWORD }
    const asked = await again.signIn(await again.open('/login'), login)
    const still = await again.submit(formWith(asked, 'name="code"'), { code: app.next() })
    expect(still.html).toContain('Too many wrong codes')
    expect(again.cookies.has(SESSION)).toBe(false)

    const last = await again.signIn(await again.open('/login'), login)
    await again.submit(formWith(last, 'name="recovery"'), { code: '', recovery })
    expect(again.cookies.has(SESSION)).toBe(true)
  })
})
