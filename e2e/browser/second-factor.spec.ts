import { expect, type Page, test } from '@playwright/test'
import type { TOTP } from 'otpauth'
import { addAuthenticator } from '../support/authenticator'
import { expectNoViolations } from '../support/axe'
import { demo, enrolApp, newPerson, type Person } from '../support/people'
import { typeSignIn, typeSignInAtLeisure } from '../support/sign-in'

/** The page between two factors, in a real browser: within a sign-in, and because an app asks. */

let person: Person
let totp: TOTP

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  person = await newPerson('Fay')
  totp = await enrolApp(person)
})

/** Each step of the clock is good once: this one, the next, the one before. */
const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 })

const toApp = (more: Record<string, string> = {}) => {
  const { client_id, redirect_uris } = demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const fields = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's' }
  return `/oidc/auth?${new URLSearchParams({ ...fields, ...more })}`
}

async function atSecondFactor(page: Page): Promise<void> {
  await page.goto(toApp())
  await typeSignIn(page, person.email, person.password)
  await expect(page).toHaveURL(/\/second-factor\?/)
}

for (const [colorScheme, locale, width] of [
  ['light', 'en', 390],
  ['dark', 'zh-CN', 390],
  ['dark', 'en', 1440],
  ['light', 'zh-CN', 1440],
] as const) {
  test.describe(`${colorScheme}, ${locale}, ${width} px`, () => {
    test.use({ colorScheme, locale, viewport: { width, height: 900 } })

    test('axe finds nothing, with and without a mistake', async ({ page }) => {
      await atSecondFactor(page)
      await expectNoViolations(page)
      await page.locator('main button[type=submit]').first().click()
      await expect(page.locator('[aria-invalid=true]')).toBeVisible()
      await expectNoViolations(page)
    })
  })
}

test('M7: between the two factors nobody is signed in', async ({ page }) => {
  await atSecondFactor(page)
  await page.goto('/account')
  await expect(page).toHaveURL(/\/login\?/)
  const silent = await page.request.get(toApp({ prompt: 'none' }), { maxRedirects: 0 })
  expect(silent.headers().location).toContain('error=login_required')
})

for (const javaScriptEnabled of [false, true]) {
  test.describe(`${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test('the code leads back to the app; a trusted device is not asked again', async ({
      page,
    }) => {
      await atSecondFactor(page)
      await page.locator('#code').fill(code(javaScriptEnabled ? 1 : 0))
      await page.getByLabel('Don’t ask again on this device for 30 days').check()
      await page.locator('main button[type=submit]').first().click()
      await expect(page).toHaveURL(/\/consent\?|localhost:4000\/callback\?code=/)
      await page.goto('/logout')
      await page.locator('main button[type=submit]').click()
      await expect(page.locator('h1')).toHaveText('You’re signed out')
      await page.goto('/login?returnTo=%2Faccount%2Fsessions')
      await typeSignIn(page, person.email, person.password)
      await expect(page).toHaveURL(/\/account\/sessions/)
      const trusted = page.getByRole('button', { name: /^Stop trusting / })
      await trusted.first().click()
      await expect(page.getByRole('status').first()).toContainText('no longer trusted')
    })
  })
}

test('a passkey is a second factor too, and answers an app that asks for more', async ({
  page,
}) => {
  const gina = await newPerson('Gina')
  const authenticator = await addAuthenticator(page)
  await page.goto('/login')
  await typeSignInAtLeisure(page, gina.email, gina.password)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(page).toHaveURL(/:3987\/$/)
  expect(await authenticator.count()).toBe(1)
  await page.goto(toApp({ acr_values: 'phr' }))
  await expect(page).toHaveURL(/\/second-factor\?interaction=/)
  await expect(page.locator('#code')).toHaveCount(0)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/consent\?|localhost:4000\/callback\?code=/)
})
