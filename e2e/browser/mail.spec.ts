import { expect, type Page, test } from '@playwright/test'
import { MAIL_PORT } from '../playwright.config'
import { expectNoViolations } from '../support/axe'
import { typeSignIn } from '../support/sign-in'
import { linkIn, type MailServer, startMailServer } from '../support/smtp'
import { SCRIPT_SETTINGS, scriptWords } from '../support/thorough'

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

async function forget(page: Page, email: string): Promise<string> {
  const before = server.received.length
  await page.goto(`/login?${new URLSearchParams({ returnTo: '/logout', identifier: email })}`)
  await page.locator('main a[href^="/forgot"]').click()
  await page.locator('#identifier').fill(email)
  await submit(page)
  await expect(page).toHaveURL(/\/forgot\/sent\?returnTo=/)
  return linkIn(await server.lastTo(email, before))
}

for (const javaScriptEnabled of SCRIPT_SETTINGS) {
  test.describe(scriptWords(javaScriptEnabled), () => {
    test.use({ javaScriptEnabled, locale: 'en-GB' })

    test('from a new account to a new password, and on to where one was going', async ({
      page,
    }) => {
      const email = newAddress()
      const link = await register(page, email)
      await page.goto(link)
      await expect(page.getByText(email)).toBeVisible()
      await expect(page.getByText('If it wasn’t you')).toBeVisible()
      await expectNoViolations(page)
      await page.getByRole('link', { name: 'Sign in to confirm' }).click()
      await expect(page.locator('#identifier')).toHaveValue(email)
      await typeSignIn(page, email, PASSWORD)
      await expect(page).toHaveURL(link)
      await submit(page)
      await expect(page.locator('h1')).toHaveText('Your email address is confirmed')

      await page.goto(await forget(page, email))
      await page.locator('#password').fill('too short')
      await submit(page)
      await expect(page.locator('#password')).toHaveAttribute('aria-invalid', 'true')
      await expect(page.locator('#password')).toHaveAccessibleDescription(/15 characters/)
      await expectNoViolations(page)
      await page.locator('#password').fill(NEXT_PASSWORD)
      await submit(page)
      await expect(page.locator('h1')).toHaveText('Your password was changed')
      await page.getByRole('link', { name: 'Sign in' }).click()
      await typeSignIn(page, email, NEXT_PASSWORD)
      await expect(page).toHaveURL(/\/logout$/)
      await expect(page.getByText(email)).toBeVisible()
    })
  })
}
