import { gzipSync } from 'node:zlib'
import { expect, type Page, test } from '@playwright/test'
import { WITH_FONTS } from '../../playwright.config'
import { expectFits, expectNoViolations } from '../../support/axe'
import { OldBrowser } from '../../support/old-browser'
import { demo, newPerson, ORIGIN } from '../../support/people'
import { enterAs, enterAsOwner, typeSignIn } from '../../support/sign-in'

/** The sign-in pages, on the way to an app and without one. */

test.use({ launchOptions: WITH_FONTS })

const SCOPE = 'openid profile offline_access orders:read orders:write'

function address(more: Record<string, string> = {}): string {
  const { client_id, redirect_uris } = demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const fields = { client_id, redirect_uri, response_type: 'code', scope: SCOPE, state: 's' }
  return `/oidc/auth?${new URLSearchParams({ ...fields, ...more })}`
}

test('our own script on sign-in and consent is at most 25 kB beyond the framework', async ({
  page,
}) => {
  const person = await newPerson('Lou')
  const scriptsOf = async (go: () => Promise<unknown>) => {
    const scripts = new Map<string, number>()
    const note = async (response: Awaited<ReturnType<typeof page.waitForResponse>>) => {
      if (response.request().resourceType() !== 'script') return
      const body = await response.body().catch(() => Buffer.alloc(0))
      scripts.set(new URL(response.url()).pathname, gzipSync(body).length)
    }
    page.on('response', note)
    await go()
    await page.waitForLoadState('networkidle')
    page.off('response', note)
    return scripts
  }
  // A page of ours that has no script of its own brings the framework and nothing else.
  const framework = await scriptsOf(() => page.goto('/nothing/here'))
  const own = (scripts: Map<string, number>) =>
    [...scripts].filter(([path]) => !framework.has(path)).reduce((sum, [, size]) => sum + size, 0)
  const login = await scriptsOf(() => page.goto(address()))
  const password = await scriptsOf(() =>
    page.goto(`/login?${new URLSearchParams({ identifier: person.email })}`),
  )
  await page.goto(address())
  await page.locator('#identifier').fill(person.email)
  await page.keyboard.press('Enter')
  await page.locator('#password').fill(person.password)
  const consent = await scriptsOf(async () => {
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/consent\?/)
  })
  const sizes = { login: own(login), password: own(password), consent: own(consent) }
  console.log('own script, gzipped bytes:', JSON.stringify(sizes))
  for (const [name, size] of Object.entries(sizes))
    expect([name, size < 25_000]).toEqual([name, true])
})

test('the method that was used last carries a badge', async ({ page }) => {
  const person = await newPerson('Mo')
  await page.goto('/login')
  await page.locator('#identifier').fill(person.email)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Last used')).toHaveCount(0)
  await page.locator('#password').fill(person.password)
  await page.keyboard.press('Enter')
  await expect(page.locator('h1')).toHaveText(/^Hello/)
  await page.goto(`/login?${new URLSearchParams({ identifier: person.email })}`)
  await expect(page.getByText('Last used')).toBeVisible()
})

test('signing out says how far it went', async ({ page }) => {
  const person = await newPerson('Quin')
  await enterAs(page, person, '/logout')
  await expect(page.getByText(`You’re signed in as ${person.email}.`)).toBeVisible()
  await page.getByLabel('All devices').check()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('All your sessions have ended on every device')).toBeVisible()
})

test('nothing is lost at 320 px, which is 1280 px at 400 %, nor in forced colours (WCAG 1.4.10)', async ({
  page,
}) => {
  const person = await newPerson('Ria')
  await page.setViewportSize({ width: 320, height: 640 })
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  const fits = async () => {
    await expect(page.locator('h1')).toBeVisible()
    await expectFits(page)
  }
  await page.goto(address())
  await fits()
  await enterAs(page, person, address())
  await expect(page).toHaveURL(/\/consent\?/)
  await fits()
  for (const path of ['', '/security', '/sessions', '/apps', '/activity', '/data', '/picture']) {
    await page.goto(`/account${path}`)
    await fits()
  }
})

test('one text for a wrong name and a wrong password, the name is kept, waiting is said, and the way to a new password knows who it is', async ({
  page,
}) => {
  const person = await newPerson('Quinn')
  const unknown = `nobody-${crypto.randomUUID()}@example.org`
  const texts: string[] = []
  for (const who of [person.email, unknown]) {
    await page.goto('/login')
    await typeSignIn(page, who, 'not the right password')
    const summary = page.getByRole('alert').filter({ hasText: /\S/ })
    await expect(summary).toBeFocused()
    texts.push((await summary.textContent()) ?? '')
    await expect(page.getByText(who)).toBeVisible()
    await expect(page.locator('#password')).toHaveValue('')
  }
  await expectNoViolations(page)
  expect(new Set(texts).size).toBe(1)
  expect(texts[0]).toContain("That email and password don't match")

  // The name goes along to the page for a forgotten password, and back.
  await page.getByRole('link', { name: /forgot/i }).click()
  await expect(page.locator('#identifier')).toHaveValue(unknown)
  await page.locator('main a[href^="/login"]').click()
  await expect(page.getByText(unknown)).toBeVisible()

  // After too many tries, made without a browser, the page says how long to wait.
  const patient = new OldBrowser(ORIGIN)
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const login = await patient.open('/login')
    const answer = await patient.signIn(login, { email: unknown, password: 'not the right one' })
    if (answer.status === 429) break
  }
  await page.goto(`/login?identifier=${encodeURIComponent(unknown)}`)
  await page.locator('#password').fill('not the right password')
  await page.locator('#password').press('Enter')
  await expect(page.getByText('Too many attempts').first()).toBeVisible()
  await expect(page.getByText(/Please wait \d+ (seconds|minutes)/)).toBeVisible()
})

const foreign = () => {
  const { client_id } = demo().web
  const redirect_uri = 'http://localhost:4000/callbakc'
  const fields = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's' }
  return `/oidc/auth?${new URLSearchParams(fields)}`
}

const REFERENCE = 'dl code'

test('the protocol error page has a number and a way back; only an admin learns which redirect URI was sent, and finds the number', async ({
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

test('every submit of the sign-in is disabled and shows progress until the answer is there', async ({
  page,
}) => {
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

test('nothing is asked twice (WCAG 3.3.7), and a code or a password can be pasted (WCAG 3.3.8)', async ({
  page,
}) => {
  await page.goto('/register')
  await page.locator('#name').fill('Wim Once')
  const email = `wim-${crypto.randomUUID()}@example.org`
  await page.locator('#email').fill(email)
  await page.locator('#password').fill('short')
  await page.locator('main button[type=submit]').click()
  await expect(page.locator('#password')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('#name')).toHaveValue('Wim Once')
  await expect(page.locator('#email')).toHaveValue(email)
  await expectNoViolations(page)
  const prevented = await page.locator('#password').evaluate((input) => {
    const pasted = new ClipboardEvent('paste', { bubbles: true, cancelable: true })
    return !input.dispatchEvent(pasted)
  })
  expect(prevented).toBe(false)
  // The name that was typed for one way in goes along to the others.
  await page.goto('/login')
  await page.locator('#identifier').fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /forgot/i }).click()
  await expect(page.locator('#identifier')).toHaveValue(email)
})
