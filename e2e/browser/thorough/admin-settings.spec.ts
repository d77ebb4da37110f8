import { expect, type Page, test } from '@playwright/test'
import { asOwner, demo } from '../../support/people'
import { enterAs, enterAsOwner } from '../../support/sign-in'

/** Settings and webhooks, in a real browser; what others would notice is not left changed. */

const says = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

test('a webhook is made, its secret seen once; it is tried, its secret replaced, and it goes', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/webhooks')
  await page.getByRole('link', { name: 'Create a webhook' }).first().click()
  await page.getByLabel('Name').fill('Browser hook')
  await page.getByLabel('URL').fill('https://127.0.0.1/hook')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.locator('#url')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('#name')).toHaveValue('Browser hook')
  await page.getByLabel('URL').fill('https://hooks.gatehouse.invalid/hook')
  await page.getByLabel('Events', { exact: true }).fill('nothing.at_all')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.locator('#events-error')).toContainText('No event has this name')
  await page.getByLabel('Events', { exact: true }).fill('demo')
  await page.getByRole('option', { name: /^demo\.loaded/ }).click()
  for (const event of ['user.*', 'login.failed']) await page.getByLabel(event).uncheck()
  await page.getByRole('button', { name: 'Create' }).click()
  await says(page, 'It won’t be shown again')
  await expect(page.getByText(/^whsec_/)).toBeVisible()
  // The form is gone: what is left is the secret, and where to go.
  await expect(page.getByLabel('URL')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Create' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to the webhook' }).click()
  await expect(page.getByLabel('demo.loaded')).toBeChecked()
  await expect(page.getByLabel('user.*')).toHaveCount(0)
  await expect(page.getByText(/^whsec_/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await says(page, 'The test event was sent')
  await page.locator('summary', { hasText: 'webhook.test' }).click()
  await expect(page.getByText('"type": "webhook.test"')).toBeVisible()
  await page.getByRole('button', { name: 'Send again: webhook.test' }).click()
  await says(page, 'The event was sent again')
  await page.getByRole('button', { name: 'Create a new secret' }).click()
  await expect(page.getByText(/^whsec_/)).toBeVisible()
  await page.reload()
  await expect(page.getByText(/also signs until/)).toBeVisible()
  await page.getByText('Delete…').click()
  await page.locator('#typed').fill('Browser hook')
  await page.getByRole('button', { name: 'Delete' }).click()
  await says(page, 'Deleted.')
  await expect(page.getByText('Browser hook')).toHaveCount(0)
})

test('the outbox shows what waits and why; a message is cancelled, and then tried again', async ({
  page,
}) => {
  const url = 'https://hooks.gatehouse.invalid/outbox'
  const fields = { name: 'Outbox hook', url, events: ['demo.loaded'] }
  const { id } = await asOwner('POST', '/webhooks', fields)
  await asOwner('POST', `/webhooks/${id}/test`)
  await enterAsOwner(page, `/admin/webhooks/${id}`)
  const delivery = page.locator('summary', { hasText: 'webhook.test' })
  await expect(async () => {
    await page.goto(`/admin/webhooks/${id}?state=waiting`)
    await expect(delivery).toContainText(/Waiting.*1 try/, { timeout: 1_000 })
  }).toPass()
  await delivery.click()
  await page.getByRole('link', { name: 'The outbox shows when it is tried again' }).click()
  await page.getByLabel('Type').selectOption('Webhook event')
  // What was cancelled does not wait any more.
  await page.getByLabel('State').selectOption('Any')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/kind=webhook/)
  const message = page.getByRole('listitem').filter({ hasText: 'to Outbox hook' })
  const reloaded = async (text: string | RegExp) => {
    await page.reload()
    await expect(message).toContainText(text, { timeout: 1_000 })
  }
  await expect(() => reloaded(/Waiting.*1 try · \S+.*next try/)).toPass()
  await message.getByRole('button', { name: 'Cancel: webhook.test' }).click()
  await says(page, 'The message was cancelled')
  await expect(page).toHaveURL(/kind=webhook/)
  await expect(message).toContainText(/Cancelled.*cancelled by an admin/)
  await expect(message.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  await message.getByRole('button', { name: 'Try again: webhook.test' }).click()
  await says(page, 'The message is sent again now')
  await expect(() => reloaded(/Waiting.*1 try/)).toPass()
  await expect(page.getByRole('main')).not.toContainText('whsec_')
  await message.getByRole('link', { name: 'to Outbox hook' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Outbox hook')
})

test('settings are saved, say what the environment fixes, and refuse what cannot be', async ({
  page,
}) => {
  // A session of its own: that of the other tests has not been confirmed.
  await enterAs(page, demo().admin, '/admin/settings')
  await expect(
    page.getByText('The environment variable REGISTRATION sets this value'),
  ).toBeVisible()
  await expect(page.locator('#registration')).toHaveCount(0)
  await page.locator('#passwordLength').fill('9')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('#passwordLength')).toHaveAttribute('aria-invalid', 'true')
  await page.locator('#passwordLength').fill('15')
  await page.locator('#confirmMinutes').fill('11')
  await page.getByRole('button', { name: 'Save' }).click()
  await says(page, 'The settings were saved and are in effect now.')
  await expect(page.locator('#confirmMinutes')).toHaveValue('11')

  await page.getByRole('link', { name: 'Sign-in providers' }).click()
  await page.getByRole('link', { name: 'Add a provider' }).click()
  await page.getByRole('link', { name: 'Confirm it’s you' }).click()
  await expect(page).toHaveURL(/\/account\/confirm\?/)
  await page.locator('#password').fill(demo().admin.password)
  await page.locator('#password').press('Enter')
  await expect(page).toHaveURL(/\/admin\/settings\/providers\/new$/)
  await page.locator('#id').fill('inside')
  await page.locator('#name').fill('Inside')
  await page.locator('#clientId').fill('portal')
  await page.locator('#clientSecret').fill('a secret that does not come back')
  await page.locator('#issuer').fill('https://169.254.169.254')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.locator('#issuer')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('#clientSecret')).toHaveValue('')
  await page.locator('#kind').selectOption('github')
  await expect(page.locator('#issuer')).toBeHidden()
  await expect(page.locator('#url')).toBeVisible()

  await page.goto('/admin/settings/mail')
  await expect(page.getByText('The environment variable SMTP_URL sets this value')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Outbox' })).toBeVisible()
  await page.getByRole('button', { name: 'Send a test mail' }).click()
  await says(page, /The server accepted the mail|The mail was not sent/)
})

test('a colour that cannot be read is told while it is chosen, and refused when it is sent (WCAG 1.4.3)', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/settings/branding')
  await expect(page.locator('#light')).toBeHidden()
  await page.getByLabel('Use your own colours').check()
  await page.locator('#light').fill('#0b4b9a')
  await expect(page.getByText(/#0b4b9a · Contrast [\d.]+:1, easy to read/)).toBeVisible()
  await page.locator('#light').fill('#ffee00')
  await expect(page.getByText(/#ffee00 · Contrast 1\.\d:1, too low/)).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.locator('#light')).toHaveAttribute('aria-invalid', 'true')
  expect((await page.request.get('/branding.css')).status()).toBe(200)
  await expect(page.locator('link[href^="/branding.css"]')).toHaveCount(0)
})

test('client registration: a scope of the portal is refused at its field; a token is shown once', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/settings/registration')
  await page.locator('#scopes').fill('openid\nusers:write')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('#scopes')).toHaveAttribute('aria-invalid', 'true')
  await page.locator('#scopes').fill('openid\nemail')
  await page.locator('#mode').selectOption('token')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toContainText('The settings were saved')
  await page.locator('#tokenName').fill('A partner')
  await page.getByRole('button', { name: 'Create an initial access token' }).click()
  const shown = page.getByText(/^ghit_[\w-]{40,}$/)
  await expect(shown).toBeVisible()
  const token = (await shown.textContent()) ?? ''
  const data = { redirect_uris: ['https://rp.example/cb'], client_name: 'By a partner' }
  const headers = { authorization: `Bearer ${token}` }
  expect((await page.request.post('/oidc/register', { data, headers })).status()).toBe(201)
  await page.reload()
  await expect(shown).toHaveCount(0)
  await expect(page.getByText('Used 1 of 1 times')).toBeVisible()
})

test('the health page says what is wrong and what to do', async ({ page }) => {
  await enterAsOwner(page, '/admin/settings')
  await page.getByRole('link', { name: 'Health' }).click()
  await expect(page).toHaveURL(/\/admin\/settings\/health$/)
  const checks = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: /OK|Warning|Error/ })
  for (const check of [
    'Issuer',
    'Cookies',
    'Clock',
    'Mail',
    'Database',
    'Migrations',
    'Signing keys',
  ])
    await expect(checks.filter({ hasText: check }).first()).toBeVisible()
  const [warning, fine] = ['Warning', 'OK'].map((state) => page.getByText(state, { exact: true }))
  await expect(checks.first()).toContainText('Warning')
  await expect(checks.filter({ hasText: 'Issuer' }).first()).toContainText(
    'What to do: Before others use',
  )
  const colour = (one = warning) =>
    one?.first().evaluate((element) => getComputedStyle(element).color) ?? ''
  expect(await colour(warning)).not.toBe(await colour(fine))
})
