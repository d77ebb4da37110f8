import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { temporaryFolder } from '../support/folder'
import { type Portal, startPortal } from '../support/portal'
import { linkIn, type MailServer, type ReceivedMail, startMailServer } from '../support/smtp'

/** A sign-in by mail, in a real browser: what its action changes must not take its own form away. */

test.use({ locale: 'en-GB' })

let server: MailServer
let portal: Portal

test.beforeAll(async () => {
  server = await startMailServer()
  const file = join(temporaryFolder(), 'portal.json')
  writeFileSync(file, '{"version":1,"settings":{"security":{"mailSignIn":true}}}')
  const mail = { SMTP_URL: server.url, MAIL_FROM: 'id@example.com' }
  portal = await startPortal({ args: ['--demo'], env: { ...mail, GATEHOUSE_CONFIG: file } })
})
test.afterAll(async () => {
  await portal.stop()
  await server.close()
})

const submit = (page: Page) => page.locator('main button[type=submit]').click()

async function ask(page: Page, who: 0 | 1): Promise<ReceivedMail> {
  const identifier = portal.demo().users[who]?.email ?? ''
  const before = server.received.length
  const query = new URLSearchParams({ identifier, returnTo: '/account/security' })
  await page.goto(`${portal.origin}/login?${query}`)
  await page.getByRole('button', { name: 'Email me a sign-in code' }).click()
  await expect(page.locator('h1')).toHaveText('Check your mail')
  return server.lastTo(identifier, before)
}

test('a wrong code is said at the field; the right one leads on', async ({ page }) => {
  const mail = await ask(page, 0)
  await page.locator('#code').fill('1234 5678')
  await submit(page)
  await expect(page.locator('#code')).toHaveAccessibleDescription(/isn’t right/)
  await expectNoViolations(page)
  await page.locator('#code').fill(/^ {2}(\d{4} \d{4})\r?$/m.exec(mail.text)?.[1] ?? '')
  await submit(page)
  await expect(page).toHaveURL(`${portal.origin}/account/security`)
})

test('K3: the link signs in where it was asked for, and says elsewhere how to go on', async ({
  page,
  browser,
}) => {
  const link = linkIn(await ask(page, 1))
  const other = await browser.newPage()
  await other.goto(link)
  await expect(other.locator('h1')).toHaveText('This is not the browser that asked')
  await expectNoViolations(other)
  await page.goto(link)
  await expect(page.locator('h1')).toHaveText('Sign in to your account')
  await expectNoViolations(page)
  await submit(page)
  await expect(page).toHaveURL(`${portal.origin}/account/security`)
  await other.reload()
  await expect(other.locator('h1')).toHaveText('This code no longer works')
})
