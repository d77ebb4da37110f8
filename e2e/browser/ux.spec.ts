import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { type Authenticator, addAuthenticator } from '../support/authenticator'
import { expectNoViolations } from '../support/axe'
import { demo, enrolApp, newPerson, type Person } from '../support/people'
import { type Portal, startPortal } from '../support/portal'
import { freePort } from '../support/postgres'
import { enterAsOwner, typeSignIn, typeSignInAtLeisure } from '../support/sign-in'

/** What people expect of signing in, each line as one test in a real browser. */

const submit = (page: Page) => page.locator('main button[type=submit]').first()

async function signOut(page: Page): Promise<void> {
  await page.goto('/logout')
  await submit(page).click()
  await expect(page.locator('h1')).toHaveText('You’re signed out')
}

/** Somebody with a passkey, made where it is offered after the password. */
async function withPasskey(page: Page, name: string): Promise<[Person, Authenticator]> {
  const person = await newPerson(name)
  const authenticator = await addAuthenticator(page)
  await page.goto('/login')
  await typeSignInAtLeisure(page, person.email, person.password)
  await expect(page).toHaveURL(/\/passkey/)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(page.locator('h1')).toHaveText(`Hello, ${name}.`)
  expect(await authenticator.count()).toBe(1)
  return [person, authenticator]
}

test('ux 2: passkey autofill asks the authenticator once and stays signed in, eight times of eight', async ({
  page,
}) => {
  test.slow()
  const [, authenticator] = await withPasskey(page, 'Otto')
  for (let round = 1; round <= 8; round += 1) {
    await authenticator.present(false)
    await signOut(page)
    // Only now: a page that waited for it would be answered, and then left.
    await authenticator.present(true)
    await page.goto('/login')
    await expect(page.locator('h1')).toHaveText('Hello, Otto.')
    // Whatever still runs on the page that was left had its time.
    await page.waitForTimeout(500)
    await page.reload()
    await expect(page.locator('h1')).toHaveText('Hello, Otto.')
    expect(authenticator.assertions()).toBe(round)
  }
})

type Signals = Record<'unknown' | 'accepted', object[]>

/** What the page tells the keepers of passkeys. */
async function listenToSignals(page: Page): Promise<Signals> {
  const signals: Signals = { unknown: [], accepted: [] }
  await page.exposeFunction('heard', (kind: keyof Signals, said: object) => {
    signals[kind].push(said)
  })
  await page.addInitScript(() => {
    const { heard } = window as unknown as { heard(kind: string, said: object): void }
    Object.assign(PublicKeyCredential, {
      signalUnknownCredential: async (said: object) => heard('unknown', said),
      signalAllAcceptedCredentials: async (said: object) => heard('accepted', said),
    })
  })
  return signals
}

test('ux 3: a passkey is offered after the password, "not now" and "don’t ask" are kept, and keepers learn what was deleted', async ({
  page,
  browser,
}) => {
  test.slow()
  const signals = await listenToSignals(page)
  const [person, authenticator] = await withPasskey(page, 'Pia')
  await page.goto('/account/security')
  await expect.poll(() => signals.accepted.at(-1)).toMatchObject({ rpId: 'localhost' })
  expect(signals.accepted.at(-1)).toHaveProperty('allAcceptedCredentialIds.length', 1)

  // Deleted here, but still on the device: the list says so, and a use of it does too.
  await page.locator('summary', { hasText: 'Remove' }).first().click()
  await page.getByRole('button', { name: 'Remove this passkey' }).click()
  await confirmIfAsked(page, person)
  await expect.poll(() => signals.accepted.at(-1)).toMatchObject({ allAcceptedCredentialIds: [] })
  await authenticator.present(false)
  await signOut(page)
  await authenticator.present(true)
  await page.goto('/login')
  await expect(page.getByText('This passkey doesn’t work here.')).toBeVisible()
  await expect.poll(() => signals.unknown.length).toBeGreaterThan(0)
  expect(signals.unknown[0]).toMatchObject({
    rpId: 'localhost',
    credentialId: expect.stringMatching(/./),
  })

  // Another device: not now, then never.
  const other = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage()
  await addAuthenticator(other)
  for (const never of [false, true]) {
    await other.context().clearCookies()
    await other.goto('/login')
    await typeSignInAtLeisure(other, person.email, person.password)
    await expect(other).toHaveURL(/\/passkey/)
    await expectNoViolations(other)
    if (never) await other.getByLabel('Don’t ask again on this device').check()
    await other.getByRole('button', { name: 'Not now' }).click()
    await expect(other.locator('h1')).toHaveText('Hello, Pia.')
  }
  await other.goto('/login')
  await typeSignInAtLeisure(other, person.email, person.password)
  await expect(other.locator('h1')).toHaveText('Hello, Pia.')
})

async function confirmIfAsked(page: Page, { password }: Person): Promise<void> {
  await expect(page).toHaveURL(/account\/confirm|done=passkeyRemoved/)
  if (!page.url().includes('/account/confirm')) return
  await page.locator('#password').fill(password)
  await page.getByRole('button', { name: 'Confirm', exact: true }).first().click()
  await page.locator('summary', { hasText: 'Remove' }).first().click()
  await page.getByRole('button', { name: 'Remove this passkey' }).click()
  await expect(page).toHaveURL(/done=passkeyRemoved/)
}

test('ux 6: one text for a wrong name and a wrong password, the name is kept, waiting is said, and the way to a new password knows who it is', async ({
  page,
}) => {
  const person = await newPerson('Quinn')
  const stranger = `nobody-${crypto.randomUUID()}@example.org`
  const texts: string[] = []
  for (const who of [person.email, stranger]) {
    await page.goto('/login')
    await typeSignIn(page, who, 'not the right password')
    const summary = page.getByRole('alert').filter({ hasText: /\S/ })
    await expect(summary).toBeFocused()
    texts.push((await summary.textContent()) ?? '')
    await expect(page.getByText(who)).toBeVisible()
  }
  expect(new Set(texts).size).toBe(1)
  expect(texts[0]).toContain("That email and password don't match")

  // The name goes along to the page for a forgotten password, and back.
  await page.getByRole('link', { name: /forgot/i }).click()
  await expect(page.locator('#identifier')).toHaveValue(stranger)
  await page.locator('main a[href^="/login"]').click()
  await expect(page.getByText(stranger)).toBeVisible()

  // After too many tries, the page says how long to wait.
  for (let attempt = 0; attempt < 12; attempt += 1) {
    await page.goto(`/login?identifier=${encodeURIComponent(stranger)}`)
    await page.locator('#password').fill('not the right password')
    await page.locator('#password').press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
    if (await page.getByText('Too many attempts').isVisible()) break
  }
  await expect(page.getByText(/Please wait \d+ (seconds|minutes)/)).toBeVisible()
})

const foreign = () => {
  const { client_id } = demo().web
  const redirect_uri = 'http://localhost:4000/callbakc'
  const fields = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's' }
  return `/oidc/auth?${new URLSearchParams(fields)}`
}

const REFERENCE = 'dl code'

test('ux 6: the protocol error page has a number and a way back; only an admin learns which redirect URI was sent, and finds the number', async ({
  page,
  browser,
}) => {
  const response = await page.goto(foreign())
  expect(response?.status()).toBe(400)
  await expect(page.locator('h1')).toHaveText('This sign-in can’t continue')
  const number = (await page.locator(REFERENCE).first().textContent()) ?? ''
  expect(number).not.toBe('')
  expect(await page.content()).not.toContain('callbakc')
  // Back to the registered place, never to the one that was sent.
  await expect(page.getByRole('link', { name: 'Go to Demo web app' })).toHaveAttribute(
    'href',
    'http://localhost:4000/',
  )
  expect(
    await page.evaluate(async () => {
      await document.fonts.ready
      return [...document.fonts].filter(({ status }) => status === 'loaded').length
    }),
  ).toBeGreaterThan(1)
  await expectNoViolations(page)
  await page.goto(`${foreign()}&ui_locales=zh-CN`)
  await expect(page.locator('h1')).toHaveText('无法继续登录')

  const baseURL = new URL(page.url()).origin
  const admin = await (await browser.newContext({ baseURL })).newPage()
  await enterAsOwner(admin, '/admin')
  await admin.goto(foreign())
  await expect(admin.getByText('http://localhost:4000/callbakc')).toBeVisible()
  await expect(admin.getByText(demo().web.redirect_uris[0] ?? '')).toBeVisible()
  await expectNoViolations(admin)
  await admin.getByRole('link', { name: 'Refused requests of this application' }).click()
  await expect(admin.getByText(number, { exact: true })).toBeVisible()
  await admin.goto(`/admin/audit?requestId=${encodeURIComponent(number)}`)
  await expect(admin.locator('table tbody tr')).toHaveCount(1)

  // A client ID that nobody has: the number is found, too.
  await page.goto('/oidc/auth?client_id=app_mistyped&redirect_uri=https://evil.test')
  const unknown = (await page.locator(REFERENCE).first().textContent()) ?? ''
  expect(await page.content()).not.toContain('evil.test')
  await expect(async () => {
    await admin.goto(`/admin/audit?requestId=${encodeURIComponent(unknown)}`)
    await expect(admin.locator('table tbody tr')).toHaveCount(1, { timeout: 1_000 })
  }).toPass()
})

test('ux 8: a trusted device is not asked for 30 days, is in its own list, and is asked again once it is taken off', async ({
  page,
}) => {
  const person = await newPerson('Rosa')
  const app = await enrolApp(person)
  const code = (steps: number) => app.generate({ timestamp: Date.now() + steps * 30_000 })
  const atCode = async () => {
    await page.goto('/login')
    await typeSignIn(page, person.email, person.password)
  }
  await atCode()
  await page.locator('#code').fill(code(0))
  await page.getByLabel('Don’t ask again on this device for 30 days').check()
  await submit(page).click()
  await expect(page.locator('h1')).toHaveText('Hello, Rosa.')
  await signOut(page)
  await atCode()
  await expect(page.locator('h1')).toHaveText('Hello, Rosa.')
  await page.goto('/account/sessions')
  const list = page.locator('section', {
    has: page.getByRole('heading', { name: 'Trusted devices' }),
  })
  await expect(list.locator('li')).toHaveCount(1)
  await expect(list.locator('li')).toContainText(/Chrom/)
  await expect(list.locator('li')).toContainText(/until /)
  await expectNoViolations(page)
  await list.getByRole('button', { name: /^Stop trusting / }).click()
  await expect(page.getByText('The device is no longer trusted.')).toBeVisible()
  await expect(list).toBeHidden()
  await signOut(page)
  await atCode()
  await expect(page.locator('#code')).toBeVisible()
})

test('recovery codes are explained, not made, while there is no second factor', async ({
  page,
}) => {
  const person = await newPerson('Sami')
  await page.goto('/login')
  await typeSignIn(page, person.email, person.password)
  await expect(page.locator('h1')).toHaveText('Hello, Sami.')
  await page.goto('/account/security/recovery-codes')
  await expect(page.getByText('Add an authenticator app first.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show new codes' })).toBeHidden()
  await expectNoViolations(page)
  await page.getByRole('link', { name: 'Add an authenticator app' }).click()
  await expect(page).toHaveURL(/\/account\/confirm\?returnTo=/)
})

test.describe('breached passwords', () => {
  const BREACHED = 'seven breached lanterns'
  const hash = createHash('sha1').update(BREACHED).digest('hex').toUpperCase()
  const asked: string[] = []
  let service: Server
  let portal: Portal

  test.beforeAll(async () => {
    const port = await freePort()
    service = createServer((request, response) => {
      asked.push(request.url ?? '')
      const isAsked = request.url === `/range/${hash.slice(0, 5)}`
      response.end(`${'0'.repeat(35)}:0\r\n${isAsked ? `${hash.slice(5)}:12\r\n` : ''}`)
    })
    await new Promise<void>((resolve) => service.listen(port, '127.0.0.1', resolve))
    const host = `127.0.0.1:${port}`
    portal = await startPortal({
      args: ['--demo'],
      env: { BREACHED_PASSWORDS_URL: `http://${host}`, OUTBOUND_HOSTS: host },
    })
  })
  test.afterAll(async () => {
    await portal.stop()
    service.close()
  })

  async function signIn(browser: Browser, who: { email: string; password: string }, path: string) {
    const page = await (await browser.newContext({ baseURL: portal.origin })).newPage()
    await page.goto(path)
    await typeSignIn(page, who.email, who.password)
    return page
  }

  test('ux 9: a common password is always refused; a breached one once an admin asks for it, and only five characters of its hash leave', async ({
    browser,
  }) => {
    test.slow()
    const { admin, users } = portal.demo()
    const [alice] = users
    if (!alice) throw new Error('the sample data has no users')
    const page = await signIn(browser, alice, '/account/security/password')
    await expect(page).toHaveURL(/account\/confirm|security\/password/)
    if (page.url().includes('/account/confirm')) {
      await page.locator('#password').fill(alice.password)
      await page.getByRole('button', { name: 'Confirm', exact: true }).first().click()
    }
    let current = alice.password
    const change = async (next: string) => {
      await page.goto('/account/security/password')
      await page.locator('#current').fill(current)
      await page.locator('#next').fill(next)
      await submit(page).click()
    }
    await change('passwordpassword')
    await expect(page.getByText('This password is easy to guess.').first()).toBeVisible()

    // Off by default: nobody is asked.
    await change(BREACHED)
    await expect(page).toHaveURL(/done=/)
    expect(asked).toEqual([])
    current = BREACHED

    const settings = await signIn(browser, admin, '/admin/settings')
    await settings.getByLabel('Refuse passwords that are known from a data breach').check()
    await settings.getByRole('button', { name: 'Save' }).click()
    await expect(settings.getByText('The settings were saved')).toBeVisible()
    await expectNoViolations(settings)
    await change('nine unheard marmots 31')
    await expect(page).toHaveURL(/done=/)
    current = 'nine unheard marmots 31'
    await change(BREACHED)
    await expect(page.getByText('known from a data breach').first()).toBeVisible()
    await expectNoViolations(page)
    expect(asked).toHaveLength(2)
    for (const path of asked) expect(path).toMatch(/^\/range\/[0-9A-F]{5}$/)

    // Without an answer the password is accepted, and the log says so.
    service.closeAllConnections()
    service.close()
    await change(BREACHED)
    await expect(page).toHaveURL(/done=/)
    expect(await portal.allOutput()).toContain('breached passwords did not answer')
  })
})

test.describe('ux 14', () => {
  /** Presses the button, which must be disabled and show that it is working, however fast the answer. */
  async function expectBusy(page: Page, name: string | RegExp): Promise<void> {
    const before = busy
    const button = page.getByRole('button', { name }).first()
    await button.evaluate((element: HTMLButtonElement) => {
      const { sawBusy } = window as unknown as { sawBusy(): void }
      new MutationObserver(() => {
        if (element.disabled && element.querySelector('svg') !== null) sawBusy()
      }).observe(element, { attributes: true, childList: true })
    })
    await button.click()
    await expect.poll(() => busy).toBeGreaterThan(before)
  }

  let busy = 0

  test('ux 14: every submit of the sign-in is disabled and shows progress until the answer is there', async ({
    page,
  }) => {
    test.slow()
    await page.exposeFunction('sawBusy', () => {
      busy += 1
    })
    const person = await newPerson('Tilda')
    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeEnabled()
    await page.locator('#identifier').fill(person.email)
    await expectBusy(page, 'Continue')
    await expect(page.locator('#password')).toBeVisible()
    await page.locator('#password').fill(person.password)
    await expectBusy(page, 'Sign in')
    await expect(page.locator('h1')).toHaveText('Hello, Tilda.')
    const { client_id, redirect_uris } = demo().web
    const redirect_uri = redirect_uris[0] ?? ''
    const asked = { client_id, redirect_uri, response_type: 'code', state: 's' }
    const scope = 'openid orders:read'
    await page.goto(`/oidc/auth?${new URLSearchParams({ ...asked, scope })}`)
    await expectBusy(page, 'Cancel')
    // A page that is still leaving would take the next one with it.
    await expect(page.getByText('back at the app')).toBeVisible()
    await page.goto('/forgot?identifier=somebody@example.org')
    await expectBusy(page, /reset|send/i)
    await expect(page).toHaveURL(/sent/)
    await page.goto('/logout')
    await expectBusy(page, 'Sign out')
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('ux 14: name, password and consent work without JavaScript', async ({ page }) => {
      const person = await newPerson('Uma')
      const { client_id, redirect_uris } = demo().web
      const redirect_uri = redirect_uris[0] ?? ''
      const asked = { client_id, redirect_uri, response_type: 'code', state: 's' }
      await page.goto(`/oidc/auth?${new URLSearchParams({ ...asked, scope: 'openid profile' })}`)
      await typeSignIn(page, person.email, person.password)
      await page.getByRole('button', { name: 'Allow' }).click()
      await expect(page).toHaveURL(/localhost:4000\/callback\?code=/)
    })
  })
})
