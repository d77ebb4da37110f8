import { type Browser, expect, type Page, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expectNoViolations } from '../../support/axe'
import { asOwner, newPerson, type Person } from '../../support/people'
import { enterAs, typeSignIn } from '../../support/sign-in'
import { SCRIPT_SETTINGS, scriptWords } from '../../support/thorough'

/** A person's own account, in a real browser. Each test has a person of its own. */

const STEP_MS = 30_000

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

async function otherBrowser(browser: Browser, person: Person): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await signIn(page, person)
  return page
}

for (const javaScriptEnabled of SCRIPT_SETTINGS)
  test.describe(scriptWords(javaScriptEnabled), () => {
    test.use({ javaScriptEnabled })

    test('another browser is signed out from here', async ({ page, browser }) => {
      const person = await newPerson('Fay')
      await asOwner('DELETE', `/users/${person.id}/sessions`) // of the accepted invitation
      await signIn(page, person, '/account/sessions')
      await expect(page.getByText('You are signed in on this device only.')).toBeVisible()
      const second = await otherBrowser(browser, person)
      const third = await otherBrowser(browser, person)
      await page.goto('/account/sessions')
      await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(/Chrome on /)
      await expect(page.getByText('This device', { exact: true })).toBeVisible()
      await page
        .getByRole('button', { name: /^Sign out Chrome/ })
        .first()
        .click()
      await says(page, 'That device is signed out.')
      await expect(page.getByText('Zürich, Switzerland').first()).toBeVisible()
      await page.getByRole('button', { name: 'Sign out all other devices' }).click()
      await says(page, 'All other devices are signed out.')
      for (const other of [second, third]) {
        await other.goto('/account')
        await expect(other).toHaveURL(/\/login\?/)
      }
      await page.goto('/account/activity')
      await expect(page.getByText('You signed out all other devices')).toBeVisible()
    })
  })

test('"confirm it’s you" is asked once, with a password or a code, and remembered', async ({
  page,
  browser,
}) => {
  const person = await newPerson('Hana')
  const other = await otherBrowser(browser, person)
  await enterAs(page, person, '/account/security')
  const totp = await enrol(page, person)
  // Remembered: neither new codes nor another app ask again.
  await makeCodes(page)
  await page.goto('/account/security/authenticator')
  await expect(page.getByRole('button', { name: 'Show the QR code' })).toBeVisible()
  await other.goto('/account/email')
  await expect(other).toHaveURL(/\/account\/confirm\?/)
  await other.locator('#password').fill('not the right one')
  await other.getByRole('button', { name: 'Confirm', exact: true }).first().click()
  await expect(other.locator('#password')).toHaveAttribute('aria-invalid', 'true')
  await expectNoViolations(other)
  await other.getByText('Use a code from your authenticator app instead').click()
  // Each step of the clock is good once, and the next one is accepted already.
  await other.locator('#code').fill(totp.generate({ timestamp: Date.now() + STEP_MS }))
  await other.locator('#code').press('Enter')
  await expect(other).toHaveURL(/\/account\/email$/)
  // A code counts for changes of the factors as well; a password would not.
  await other.goto('/account/security/recovery-codes')
  await expect(other).toHaveURL(/\/account\/security\/recovery-codes$/)
  // The last app is not removed without saying what that means.
  await other.goto('/account/security')
  await other.locator('summary', { hasText: 'Remove' }).click()
  await expect(other.getByText('This is your only second factor.')).toBeVisible()
  await other.getByRole('button', { name: 'Remove this authenticator app' }).click()
  await says(other, 'The authenticator app was removed.')
  await expect(other.getByText('Add an authenticator app first')).toBeVisible()
})
