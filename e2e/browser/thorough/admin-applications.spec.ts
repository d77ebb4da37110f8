import { expect, type Page, test } from '@playwright/test'
import { askToken } from '../../support/ask'
import { asOwner } from '../../support/people'
import { enterAsOwner } from '../../support/sign-in'

/** Applications in a real browser: from the wizard to the danger zone. */

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

test('a machine is granted a scope, and an access key is narrower, used and deleted', async ({
  page,
}) => {
  await enterAsOwner(page, LIST)
  await follow(page, 'Create an application')
  await follow(page, 'Machine application')
  await page.getByLabel('Name').fill('Nightly')
  await press(page, 'Create')
  await follow(page, 'Grant permissions')
  await page.getByLabel('See your orders').check()
  await page.getByLabel('Create and change orders').check()
  await press(page, 'Grant selected')
  await says(page, 'The permissions were saved.')
  await page.getByLabel('Edit orders:write').click()
  await page.locator('#condition').fill('request.grant_type ==')
  await press(page, 'Save')
  await expect(page.locator('#condition')).toHaveAttribute('aria-invalid', 'true')
  await page.locator('#effect').selectOption('deny')
  await page.locator('#condition').fill('')
  await press(page, 'Save')
  await says(page, 'The permissions were saved.')

  await follow(page, 'Credentials')
  await follow(page, 'Create an access key')
  await page.getByLabel('Name').fill('export')
  await page.getByLabel('Only these scopes').fill('orders:read')
  await page.getByLabel('Token lifetime in seconds').fill('600')
  await press(page, 'Create an access key')
  const client_id = await shown(page, /^ak_/)
  const client_secret = await shown(page, /^ghsk_/)
  const { body } = await askToken(new URL(page.url()).origin, {
    grant_type: 'client_credentials',
    client_id,
    client_secret,
    scope: 'orders:read orders:write',
  })
  expect(JSON.parse(body)).toMatchObject({ scope: 'orders:read', expires_in: 600 })
  await page.getByLabel('Edit export').click()
  expect(await page.content()).not.toContain(client_secret)
  await page.getByLabel('It can get tokens').uncheck()
  await press(page, 'Save')
  await says(page, 'The access key was saved.')
  expect(await tokenError(page, client_id, client_secret)).toBe('invalid_client')
  await page.getByLabel('Edit export').click()
  await page.getByText('Delete…').click()
  await press(page, 'Delete')
  await says(page, 'The access key was deleted.')
})

const FAULTS = [
  ['http://app.example/cb', 'http is allowed only for this machine'],
  ['https://*.app.example/cb', 'Wildcards are not allowed'],
  ['https://app.example/cb#x', 'Remove the part after #'],
  ['myapp:/cb', 'your domain name in reverse order'],
] as const

test('a wizard by type with safe defaults; redirect URIs are checked while they are typed', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/applications/new')
  const types = page.getByRole('main').getByRole('heading', { level: 3 })
  await expect(types).toHaveText([
    ...['Web application', 'Single-page application', 'Native application'],
    ...['Device', 'Machine application', 'API'],
  ])
  await page.getByRole('link', { name: 'API', exact: true }).click()
  await expect(page.locator('h1')).toHaveText('Add an API')
  await page.goto('/admin/applications/new')
  await page.getByRole('link', { name: 'Native application' }).click()
  await expect(page.getByText('A loopback redirect URI may use any port')).toBeVisible()
  await page.getByLabel('Name').fill('Pocket')
  const uris = page.getByLabel('Redirect URIs', { exact: true })
  for (const [typed, told] of FAULTS) {
    await uris.fill(typed)
    await expect(page.getByText(told)).toBeVisible()
  }
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(uris).toHaveAccessibleDescription(/domain name in reverse order/)
  await uris.fill('http://127.0.0.1/callback\ncom.example.app:/callback')
  await expect(page.getByText('Valid: 2')).toBeVisible()
  await page.getByRole('button', { name: 'Create' }).click()
  await says(page, 'The application was created.')
  const id = await page.getByRole('status').locator('code', { hasText: /^app_/ }).textContent()
  const made = await page.request.get(`/api/v1/applications/${id}`)
  expect(await made.json()).toMatchObject({
    kind: 'native',
    pkce: 'required',
    authMethods: ['none'],
    grantTypes: ['authorization_code', 'refresh_token'],
  })
})

const TABS = [
  ...['Overview', 'Quick start', 'Settings', 'Credentials', 'Permissions', 'Claims', 'Branding'],
  ...['Consent preview', 'Users', 'Refusals', 'Logs', 'Danger zone'],
]

test('an application has all its tabs, its own ids in the samples, and its log', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/applications')
  const name = `Tabbed ${Date.now()}`
  const app = { kind: 'web', name, redirectUris: ['https://tabbed.example/callback'] }
  const { id } = await asOwner('POST', '/applications', app)
  await page.goto(`/admin/applications/${id}`)
  const tabs = page.getByRole('navigation', { name: 'Sections of this application' })
  await expect(tabs.getByRole('link')).toHaveText(TABS)
  const discovery = page.locator('dd', { hasText: '/.well-known/openid-configuration' })
  await expect(discovery.getByRole('button', { name: 'Copy' })).toBeVisible()
  for (const sample of ['next', 'express', 'python', 'go', 'curl']) {
    const path = `/admin/applications/${id}/quick-start?with=${sample}`
    expect(await (await page.request.get(path)).text(), sample).toContain(id)
  }
  for (const tab of TABS.slice(2, -2)) {
    await tabs.getByRole('link', { name: tab }).click()
    await expect(tabs.locator('[aria-current=page]')).toHaveText(tab)
  }
  await tabs.getByRole('link', { name: 'Logs' }).click()
  await page.getByRole('link', { name: /application\.created/ }).click()
  await expect(page).toHaveURL(/\/admin\/audit\/aud_[\w-]+$/)
})
