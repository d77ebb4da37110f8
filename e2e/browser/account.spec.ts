import { type APIRequestContext, type Browser, expect, type Page, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expectNoViolations } from '../support/axe'
import { demo, newPerson, type Person } from '../support/people'
import { enterAs, typeSignIn } from '../support/sign-in'
import { SCRIPT_SETTINGS, scriptWords } from '../support/thorough'

/** A person's own account, in a real browser. Each test has a person of its own. */

/** At the page, as this browser: the list of devices names it. */
async function signIn(page: Page, { email, password }: Person, goingTo = '/account') {
  await page.goto(goingTo)
  await typeSignIn(page, email, password)
  await expect(page).not.toHaveURL(/\/login/)
}

async function confirm(page: Page, { password }: Person) {
  await expect(page).toHaveURL(/\/account\/confirm\?/)
  await page.locator('#password').fill(password)
  await page.getByRole('button', { name: 'Confirm', exact: true }).first().click()
  await expect(page).not.toHaveURL(/\/account\/confirm/)
}

const says = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

/** From the security page to the list of recovery codes. */
async function enrol(page: Page, person: Person): Promise<TOTP> {
  await page.goto('/account/security')
  await page.getByRole('link', { name: 'Add an authenticator app' }).click()
  await confirm(page, person)
  await page.getByRole('button', { name: 'Show the QR code' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expectNoViolations(page)
  const secret = (await page.locator('[data-secret]').getAttribute('data-secret')) ?? ''
  const link = await page.getByRole('link', { name: /Open in an app/ }).getAttribute('href')
  expect(link).toContain(`secret=${secret}`)
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await page.locator('#code').fill('000000')
  await page.getByRole('button', { name: 'Add the app' }).click()
  await expect(page.locator('#code')).toHaveAttribute('aria-invalid', 'true')
  await page.locator('#code').fill(totp.generate())
  await page.locator('#name').fill('My phone')
  await page.getByRole('button', { name: 'Add the app' }).click()
  await expect(page).toHaveURL(/\/recovery-codes\?done=factorAdded/)
  return totp
}

async function makeCodes(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Show new codes' }).click()
  const list = page.getByRole('list', { name: 'Your recovery codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  return list.getByRole('listitem').allInnerTexts()
}

const SCOPE = 'openid profile offline_access orders:read orders:write'

async function atApp(page: Page, more: Record<string, string> = {}) {
  const { client_id, redirect_uris } = demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const fields = { client_id, redirect_uri, response_type: 'code', scope: SCOPE, state: 's' }
  await page.goto(`/oidc/auth?${new URLSearchParams({ ...fields, ...more })}`)
}

async function askToken(request: APIRequestContext, form: Record<string, string>) {
  const { client_id, client_secret } = demo().web
  return (await request.post('/oidc/token', { form: { client_id, client_secret, ...form } })).json()
}

/** The person agrees to everything; gives the app's tokens. */
async function connectApp(page: Page, request: APIRequestContext) {
  await atApp(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(/^http:\/\/localhost:4000\/callback\?code=/)
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const redirect_uri = demo().web.redirect_uris[0] ?? ''
  return askToken(request, { grant_type: 'authorization_code', code, redirect_uri })
}

const refresh = (request: APIRequestContext, refresh_token: string) =>
  askToken(request, { grant_type: 'refresh_token', refresh_token })

async function otherBrowser(browser: Browser, person: Person): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await signIn(page, person)
  return page
}

test('without a session every page of the account leads to the sign-in, and back', async ({
  page,
  request,
}) => {
  for (const path of ['', '/security', '/sessions', '/apps', '/activity', '/confirm']) {
    const answer = await request.get(`/account${path}`)
    expect(answer.url()).toMatch(/\/login\?returnTo=%2Faccount/)
  }
  await signIn(page, await newPerson('Bea'), '/account/activity')
  await expect(page).toHaveURL(/\/account\/activity$/)
})

for (const javaScriptEnabled of SCRIPT_SETTINGS)
  test.describe(scriptWords(javaScriptEnabled), () => {
    test.use({ javaScriptEnabled })

    test('the profile is changed, and what cannot be is said', async ({ page }) => {
      const person = await newPerson('Carol')
      await enterAs(page, person, '/account')
      await expect(page.locator('h1')).toHaveText('Profile')
      await page.locator('#name').fill('Carol Clerk')
      await page.locator('#zoneinfo').fill('Mars/Olympus')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.locator('#zoneinfo')).toHaveAttribute('aria-invalid', 'true')
      await expect(page.locator('#name')).toHaveValue('Carol Clerk')
      await page.locator('#zoneinfo').fill('Asia/Shanghai')
      await page.getByRole('button', { name: 'Save' }).click()
      await says(page, 'Your profile was saved.')
      await page.goto('/')
      await expect(page.locator('h1')).toHaveText('Hello, Carol Clerk.')
      await page.getByRole('link', { name: 'Manage your account' }).click()
      await expect(page.locator('#zoneinfo')).toHaveValue('Asia/Shanghai')
    })

    test('an authenticator app and recovery codes; one of them at the second factor, once', async ({
      page,
      browser,
    }) => {
      const person = await newPerson('Dora')
      await enterAs(page, person, '/account/security')
      await enrol(page, person)
      const [code = ''] = await makeCodes(page)
      await expectNoViolations(page)
      await page.getByLabel('I saved them in a safe place').check()
      await page.getByRole('button', { name: 'Done' }).click()
      await says(page, /new recovery codes are active/)
      await expect(page.getByText('My phone', { exact: true })).toBeVisible()
      await expect(page.getByText('10 of 10 left')).toBeVisible()
      // Shown once: the page has them no more.
      await page.goto('/account/security/recovery-codes')
      await expect(page.getByRole('list', { name: 'Your recovery codes' })).toHaveCount(0)
      await expect(page.getByText(code)).toHaveCount(0)

      for (const works of [true, false]) {
        const context = await browser.newContext({ javaScriptEnabled })
        const fresh = await context.newPage()
        await atApp(fresh, { acr_values: 'mfa' })
        await typeSignIn(fresh, person.email, person.password)
        await expect(fresh).toHaveURL(/\/second-factor\?/)
        await fresh.getByText('Use a recovery code instead').click()
        await fresh.locator('#recovery').fill(code.toUpperCase())
        await fresh.getByRole('button', { name: 'Continue' }).click()
        if (works) await expect(fresh).toHaveURL(/\/consent\?/)
        else await expect(fresh.locator('#recovery')).toHaveAttribute('aria-invalid', 'true')
        await context.close()
      }
      await page.goto('/account/security')
      await expect(page.getByText('9 of 10 left')).toBeVisible()
      await page.goto('/account/activity')
      await expect(page.getByText('You used a recovery code as second factor')).toBeVisible()
    })

    test('the password is changed: here stays, elsewhere is signed out', async ({
      page,
      browser,
    }) => {
      const person = await newPerson('Erin')
      await enterAs(page, person, '/account/security')
      const elsewhere = await otherBrowser(browser, person)
      await page.getByRole('link', { name: 'Change password' }).click()
      await page.locator('#current').fill('not the right one')
      await page.locator('#next').fill('seven quiet herons by the weir')
      await page.getByRole('button', { name: 'Change password' }).click()
      await expect(page.locator('#current')).toHaveAttribute('aria-invalid', 'true')
      await page.locator('#current').fill(person.password)
      await page.locator('#next').fill('seven quiet herons by the weir')
      await page.getByRole('button', { name: 'Change password' }).click()
      await says(page, /Your password was changed/)
      await page.reload()
      await expect(page.locator('h1')).toHaveText('Security')
      await elsewhere.goto('/account')
      await expect(elsewhere).toHaveURL(/\/login\?/)
    })

    test('a scope is unticked, then the app is removed; its refresh learns both', async ({
      page,
      request,
    }) => {
      const person = await newPerson('Gwen')
      await enterAs(page, person, '/account/apps')
      await expect(page.getByText('No application has asked you')).toBeVisible()
      const tokens = await connectApp(page, request)
      expect(tokens).toMatchObject({ scope: SCOPE })
      await page.goto('/account/apps')
      await expect(page.getByText(/last used/)).toBeVisible()
      await page.locator('summary', { hasText: 'Remove this application' }).click()
      await expectNoViolations(page)
      await page.locator('summary', { hasText: 'Remove this application' }).click()
      await page.getByLabel('Create and change orders').uncheck()
      await page.getByRole('button', { name: /^Save choices/ }).click()
      await says(page, /^Saved/)
      await expect(page.getByLabel('Create and change orders')).not.toBeChecked()
      await expect(page.getByLabel('See your orders')).toBeChecked()
      const less = await refresh(request, tokens.refresh_token)
      expect(less).toMatchObject({ scope_rejected: 'orders:write' })
      await page.getByRole('button', { name: 'Pause Demo web app' }).click()
      await says(page, /^Paused/)
      await expect(page.getByText(/^You paused it/)).toBeVisible()
      expect(await refresh(request, less.refresh_token)).toMatchObject({ error: 'invalid_grant' })
      await page.getByRole('button', { name: 'Resume Demo web app' }).click()
      await says(page, /^Resumed/)
      await page.locator('summary', { hasText: 'Remove this application' }).click()
      await page.getByRole('button', { name: 'Remove Demo web app' }).click()
      await says(page, /The application was removed/)
      await expect(page.getByText('No application has asked you')).toBeVisible()
      expect(await refresh(request, less.refresh_token)).toMatchObject({ error: 'invalid_grant' })
    })
  })

test('M31: fields that nobody may set are not set', async ({ page, request, baseURL }) => {
  const person = await newPerson('Ida')
  await enterAs(page, person, '/account')
  const inputs = await page
    .locator('main form input')
    .evaluateAll((all: HTMLInputElement[]) => all.map(({ name, value }) => [name, value]))
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`)
  const answer = await request.post('/account', {
    headers: {
      cookie: cookie.join('; '),
      origin: new URL(baseURL ?? '').origin,
      'sec-fetch-site': 'same-origin',
    },
    multipart: { ...Object.fromEntries(inputs), email: 'x@example.org', adminRole: 'owner' },
    maxRedirects: 0,
  })
  expect(answer.status()).toBe(303)
  await page.goto('/')
  await expect(page.getByText(person.email)).toBeVisible()
  await expect(page.getByText('You are an admin of this portal.')).toHaveCount(0)
})
