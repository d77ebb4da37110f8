import { expect, type Page, test } from '@playwright/test'
import { askToken } from '../support/ask'
import { enterAsOwner } from '../support/sign-in'

/** An application in a real browser: from the wizard to the danger zone. */

const LIST = '/admin/applications'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string) =>
  page.getByRole('link', { name, exact: true }).first().click()
const says = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

/** The one code of the page that looks like this. */
async function shown(page: Page, like: RegExp): Promise<string> {
  const code = page.getByRole('status').locator('code', { hasText: like })
  return (await code.first().textContent()) ?? ''
}

async function tokenError(page: Page, id: string, secret: string): Promise<string> {
  const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const { body } = await askToken(new URL(page.url()).origin, fields)
  return JSON.parse(body).error
}

async function createWebApp(page: Page, name: string): Promise<{ id: string; secret: string }> {
  await follow(page, 'Create an application')
  await follow(page, 'Web application')
  await page.getByLabel('Name').fill(name)
  const uris = page.getByLabel('Redirect URIs', { exact: true })
  await uris.fill('https://app.example/cb\nhttp://localhost:4000/cb')
  await press(page, 'Create')
  await says(page, 'It won’t be shown again')
  return { id: await shown(page, /^app_/), secret: await shown(page, /^ghcs_/) }
}

test('a web app is made, its secret shown once, rotated and revoked', async ({ page }) => {
  await enterAsOwner(page, LIST)
  const name = `Shop <b>${Date.now()}</b>`
  const { id, secret } = await createWebApp(page, name)
  const download = page.waitForEvent('download')
  await follow(page, 'Download gatehouse.env')
  expect((await download).suggestedFilename()).toBe('gatehouse.env')
  await follow(page, 'Open the quick start')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(page.locator('pre', { hasText: `clientId: "${id}"` })).toBeVisible()
  await expect(page.getByText('add https://app.example/api/auth/callback')).toBeVisible()
  await follow(page, 'Go')
  await expect(page.locator('pre', { hasText: 'oauth2.GenerateVerifier()' })).toContainText(id)

  await follow(page, 'Credentials')
  expect(await page.content()).not.toContain(secret)
  await expect(page.getByText(`ghcs_…${secret.slice(-4)}`)).toBeVisible()
  expect(await tokenError(page, id, secret)).toBe('unauthorized_client')
  await follow(page, 'Rotate first')
  await page.getByLabel('Name').fill('second')
  await press(page, 'Create the new secret')
  await says(page, 'New secret')
  const second = await shown(page, /^ghcs_/)
  await expect(page.getByText('stops working in 23 hours')).toBeVisible()
  for (const one of [secret, second]) {
    expect(await tokenError(page, id, one)).toBe('unauthorized_client')
  }
  await page.locator('summary[aria-label="Revoke first"]').click()
  await page.getByRole('button', { name: 'Revoke first' }).click()
  await says(page, 'The secret was revoked.')
  expect(await tokenError(page, id, secret)).toBe('invalid_client')

  await follow(page, 'Danger zone')
  await press(page, 'Disable')
  await says(page, 'The application is disabled')
  await page.getByText('Delete…').click()
  await page.locator('#typed').fill('Shop')
  await press(page, 'Delete')
  await expect(page.locator('#typed')).toHaveAttribute('aria-invalid', 'true')
  await page.locator('#typed').fill(name)
  await press(page, 'Delete')
  await says(page, 'The application was deleted.')
})
