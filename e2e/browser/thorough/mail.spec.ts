import { expect, type Page, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { MAIL_PORT } from '../../playwright.config'
import { expectNoViolations } from '../../support/axe'
import { typeSignIn } from '../../support/sign-in'
import { linkIn, type MailServer, startMailServer } from '../../support/smtp'
import { SCRIPT_SETTINGS, scriptWords } from '../../support/thorough'

/** What goes by mail, in a real browser: register, confirm the address, forget the password. */

const PASSWORD = 'correct horse battery staple'
const NEXT_PASSWORD = 'another horse another staple'

// One mail server for the file, so one worker.
test.describe.configure({ mode: 'serial' })

let server: MailServer

test.beforeAll(async () => {
  server = await startMailServer({ port: MAIL_PORT })
})

test.afterAll(() => server.close())

const submit = (page: Page) => page.locator('main button[type=submit]').click()
const newAddress = () => `nell-${crypto.randomUUID()}@example.org`

async function register(page: Page, email: string): Promise<string> {
  await page.goto('/login?returnTo=%2Flogout')
  await page.locator('main a[href^="/register"]').click()
  await page.locator('#name').fill('Nell New')
  await page.locator('#email').fill(email)
  await page.locator('#password').fill(PASSWORD)
  await submit(page)
  await expect(page).toHaveURL(/\/register\/sent\?returnTo=/)
  return linkIn(await server.lastTo(email))
}

for (const javaScriptEnabled of SCRIPT_SETTINGS) {
  test.describe(scriptWords(javaScriptEnabled), () => {
    test.use({ javaScriptEnabled, locale: 'en-GB' })

    test('another address counts once its link is used', async ({ page, browser }) => {
      const [email, next] = [newAddress(), newAddress()]
      await register(page, email)
      await page.goto('/account')
      await typeSignIn(page, email, PASSWORD)
      await expect(page.getByRole('link', { name: 'Confirm your email address' })).toBeVisible()
      await page.getByRole('link', { name: 'Change email address' }).click()
      await page.locator('#password').fill(PASSWORD)
      await submit(page)
      await page.locator('#email').fill('nonsense')
      await submit(page)
      await expect(page.locator('#email')).toHaveAttribute('aria-invalid', 'true')
      await expectNoViolations(page)
      const before = server.received.length
      await page.locator('#email').fill(next)
      await submit(page)
      await expect(page.getByRole('status').filter({ hasText: 'We sent a link' })).toBeVisible()
      await expect(page.getByText(email)).toBeVisible()
      const link = linkIn(await server.lastTo(next, before))
      const elsewhere = await browser.newPage()
      await elsewhere.goto(link)
      await expect(elsewhere.getByRole('link', { name: 'Sign in to continue' })).toBeVisible()
      await expect(elsewhere.locator('main form')).toHaveCount(0)
      await elsewhere.close()
      await page.goto(link)
      await submit(page)
      await expect(page.locator('h1')).toHaveText('Your email address was changed')
      await page.getByRole('link', { name: 'Go to your account' }).click()
      await expect(page.getByText(`${next} (verified)`)).toBeVisible()
      const told = await server.lastTo(email, before)
      expect(told.subject).toBe('Your account uses another email address now')
    })
  })
}

test('a factor is changed after "confirm it’s you", remembered for 10 minutes; "It wasn’t me" in the mail signs out everywhere', async ({
  page,
  browser,
}) => {
  const email = newAddress()
  await page.goto(await register(page, email))
  await page.getByRole('link', { name: 'Sign in to confirm' }).click()
  await typeSignIn(page, email, PASSWORD)
  await expect(page).toHaveURL(/\/verify\?/)
  await submit(page)
  await expect(page.locator('h1')).toHaveText('Your email address is confirmed')
  for (const path of ['security/authenticator', 'security/passkey', 'email']) {
    await page.goto(`/account/${path}`)
    await expect(page).toHaveURL(/\/account\/confirm\?/)
  }
  await page.goto('/account/security/authenticator')
  await expect(page.getByText(/we won’t ask again for 1\d minutes/)).toBeVisible() // 11, while another test sets it
  await page.locator('#password').fill(PASSWORD)
  await submit(page)
  await page.getByRole('button', { name: 'Show the QR code' }).click()
  const secret = (await page.locator('[data-secret]').getAttribute('data-secret')) ?? ''
  const before = server.received.length
  await page.locator('#code').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await page.getByRole('button', { name: 'Add the app' }).click()
  await expect(page).toHaveURL(/\/recovery-codes\?done=factorAdded/)
  await page.goto('/account/security/passkey')
  await expect(page).toHaveURL(/\/account\/security\/passkey$/)

  const notice = await server.lastTo(email, before)
  expect(notice.subject).toBe('A sign-in method was added')
  const elsewhere = await browser.newPage({ locale: 'en-GB' })
  await elsewhere.goto(linkIn(notice))
  await expect(elsewhere.locator('h1')).toHaveText('It wasn’t you?')
  await expectNoViolations(elsewhere)
  await page.goto('/account')
  await expect(page).toHaveURL(/\/account$/) // opening the link has changed nothing
  await elsewhere.getByRole('button', { name: 'Secure my account' }).click()
  await expect(elsewhere.locator('h1')).toHaveText('Everybody was signed out')
  await elsewhere.close()
  await page.goto('/account')
  await expect(page).toHaveURL(/\/login/)
  await page.goto(linkIn(await server.lastTo(email, server.received.indexOf(notice) + 1)))
  await page.locator('#password').fill(NEXT_PASSWORD)
  await submit(page)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await typeSignIn(page, email, NEXT_PASSWORD)
  await expect(page).toHaveURL(/\/second-factor/) // the mail alone opens nothing
})
