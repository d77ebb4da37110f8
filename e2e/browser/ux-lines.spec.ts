import { type Browser, expect, type Page, test } from '@playwright/test'
import { demo, enrolApp, newPerson, type Person } from '../support/people'
import { enterAsOwner, typeSignIn } from '../support/sign-in'

/** What people expect, line by line; the numbers are those of the list of expectations. */

const CALLBACK = 'http://localhost:4000/callback'
/** Of no verifier: these tests never exchange the code. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

const says = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

/** As the signed-in admin. */
async function create(page: Page, path: string, data: object) {
  const headers = { 'x-gatehouse-request': '1', origin: new URL(page.url()).origin }
  const answer = await page.request.post(`/api/v1${path}`, { data, headers })
  expect(answer.status()).toBeLessThan(300)
  return answer.json()
}

function asking(client_id: string, more: Record<string, string> = {}): string {
  const request = {
    ...{ client_id, redirect_uri: CALLBACK, response_type: 'code', state: 's' },
    ...{ scope: 'openid profile offline_access', code_challenge: CHALLENGE },
    ...{ code_challenge_method: 'S256', ...more },
  }
  return `/oidc/auth?${new URLSearchParams(request)}`
}

const isBack = (page: Page) => expect(page).toHaveURL(/localhost:4000\/callback\?code=/)

test('ux 20: terms and privacy are linked, a choice is remembered and said to be, prompt=consent asks again', async ({
  page,
  browser,
}) => {
  await enterAsOwner(page, '/admin/applications')
  const links = { tosUri: 'https://shop.example/terms', policyUri: 'https://shop.example/privacy' }
  const app = { name: 'Remembered', redirectUris: [CALLBACK], ...links }
  const { id } = await create(page, '/applications', { kind: 'web', ...app })
  const native = await create(page, '/applications', { kind: 'native', ...app })
  const person = await newPerson('Remy')
  const own = await browser.newPage({ locale: 'en-GB' })
  await own.goto(asking(id))
  await typeSignIn(own, person.email, person.password)
  const main = own.getByRole('main')
  await expect(main.getByText('Keep access when you’re away')).toBeVisible()
  for (const [name, href] of [
    ['Terms of service', links.tosUri],
    ['Privacy policy', links.policyUri],
  ] as const) {
    await expect(main.getByRole('link', { name })).toHaveAttribute('href', href)
  }
  await expect(main.getByText('We remember your choice')).toBeVisible()
  await own.getByRole('button', { name: 'Allow' }).click()
  await isBack(own)
  await own.goto(asking(id))
  await isBack(own)
  await own.goto(asking(id, { prompt: 'consent' }))
  await expect(own.getByRole('button', { name: 'Allow' })).toBeVisible()
  // A program that anybody could pretend to be is never remembered, and the page says so.
  for (let time = 0; time < 2; time += 1) {
    await own.goto(asking(native.id))
    await expect(main.getByText('You are asked every time')).toBeVisible()
    await own.getByRole('button', { name: 'Allow' }).click()
    await isBack(own)
  }
  await page.goto(`/admin/applications/${native.id}/consent`)
  await expect(page.getByText('You are asked every time')).toBeVisible()
  await own.close()
})

const FAULTS = [
  ['http://app.example/cb', 'http is allowed only for this machine'],
  ['https://*.app.example/cb', 'Wildcards are not allowed'],
  ['https://app.example/cb#x', 'Remove the part after #'],
  ['myapp:/cb', 'your domain name in reverse order'],
] as const

test('ux 28: a wizard by type with safe defaults; redirect URIs are checked while they are typed', async ({
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
    ...{ kind: 'native', requirePkce: true, authMethods: ['none'] },
    grantTypes: ['authorization_code', 'refresh_token'],
  })
})

const TABS = [
  ...['Overview', 'Quick start', 'Settings', 'Credentials', 'Permissions', 'Claims', 'Branding'],
  ...['Consent preview', 'Users', 'Refusals', 'Logs', 'Danger zone'],
]

test('ux 29: an application has all its tabs, its own ids in the samples, its log, and goes by its name', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/applications')
  const name = `Tabbed ${Date.now()}`
  const app = { kind: 'web', name, redirectUris: ['https://tabbed.example/callback'] }
  const { id } = await create(page, '/applications', app)
  await page.goto(`/admin/applications/${id}`)
  const tabs = page.getByRole('navigation', { name: 'Sections of this application' })
  await expect(tabs.getByRole('link')).toHaveText(TABS)
  const discovery = page.locator('dd', { hasText: '/.well-known/openid-configuration' })
  await expect(discovery.getByRole('button', { name: 'Copy' })).toBeVisible()
  for (const sample of ['next', 'express', 'python', 'go', 'curl']) {
    await page.goto(`/admin/applications/${id}/quick-start?with=${sample}`)
    await expect(page.locator('pre', { hasText: id }).first()).toBeVisible()
  }
  for (const tab of TABS.slice(2, -2)) {
    await tabs.getByRole('link', { name: tab }).click()
    await expect(tabs.locator('[aria-current=page]')).toHaveText(tab)
  }
  await tabs.getByRole('link', { name: 'Logs' }).click()
  await page.getByRole('link', { name: /application\.created/ }).click()
  await expect(page).toHaveURL(/\/admin\/audit\/aud_[\w-]+$/)
  await page.goto(`/admin/applications/${id}/danger`)
  await page.getByText('Delete…').click()
  await page.locator('#typed').fill('Tabbed')
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.locator('#typed')).toHaveAttribute('aria-invalid', 'true')
  await page.locator('#typed').fill(name)
  await page.getByRole('button', { name: 'Delete' }).click()
  await says(page, 'The application was deleted.')
})

/** Signed in at a browser of their own, with an authenticator app, and with consent to an application. */
async function settled(browser: Browser, person: Person): Promise<Page> {
  const own = await browser.newPage({ locale: 'en-GB' })
  await own.goto('/account')
  await typeSignIn(own, person.email, person.password)
  await expect(own).toHaveURL(/\/account$/)
  await enrolApp(person)
  const { client_id } = demo().web
  await own.goto(asking(client_id, { scope: 'openid orders:read' }))
  await own.getByRole('button', { name: 'Allow' }).click()
  await isBack(own)
  return own
}

test('ux 33: a user is invited; another is seen with factors, sessions, grants and permissions, and locked', async ({
  page,
  browser,
}) => {
  await enterAsOwner(page, '/admin/users/new')
  await page.getByLabel('Name', { exact: true }).fill('Ines Invited')
  await page.getByLabel('Email', { exact: true }).fill(`ines-${Date.now()}@list.example`)
  await page.getByLabel('Send an invitation by mail').check()
  await page.getByRole('button', { name: 'Create' }).click()
  await says(page, 'The user was added, and the invitation was sent.')

  const person = await newPerson('Lotte')
  const own = await settled(browser, person)
  await page.goto(`/admin/users/${person.id}/permissions`)
  const orders = page.getByRole('row').filter({ has: page.getByText('orders:read') })
  await expect(orders).toContainText(/clerk/i) // the role that it comes from
  await expect(orders.getByRole('link', { name: /^Why\?/ })).toBeVisible()
  await page.getByRole('link', { name: 'Sign-in and devices' }).click()
  for (const [button, told] of [
    ['Send a password reset', 'The mail was sent.'],
    ['Remove Phone', 'The sign-in method was removed.'],
    ['Remove: Demo web app', 'The application’s access was removed.'],
    [/^End: /, 'The session was ended.'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).first().click()
    await says(page, told)
  }
  await own.goto('/account')
  await expect(own).toHaveURL(/\/login/)
  await page.goto(`/admin/users/${person.id}`)
  await page.getByLabel('Can sign in').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await says(page, 'The user was saved.')
  await typeSignIn(own, person.email, person.password)
  await expect(own.getByRole('alert', { name: /email and password don't match/ })).toBeVisible()
  await own.close()
})

test('ux 35: a delivery that failed is tried again and can be sent again; the health page says what is wrong and what to do', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/webhooks')
  const name = `Nobody there ${Date.now()}`
  const hook = { name, url: 'https://hooks.gatehouse.invalid/x', events: ['demo.loaded'] }
  const { id } = await create(page, '/webhooks', hook)
  await create(page, `/webhooks/${id}/test`, {})
  const delivery = page.locator('summary', { hasText: 'webhook.test' })
  await expect(async () => {
    await page.goto(`/admin/webhooks/${id}?state=waiting`)
    await expect(delivery).toContainText(/Waiting.*1 try/, { timeout: 1_000 })
  }).toPass()
  await delivery.click()
  await page.getByRole('button', { name: 'Send again: webhook.test' }).click()
  await says(page, 'The event was sent again')
  await page.locator('summary', { hasText: 'webhook.test' }).click()
  await page.getByRole('link', { name: 'The outbox shows when it is tried again' }).click()
  const message = page
    .getByRole('listitem')
    .filter({ hasText: `to ${name}` })
    .first()
  await expect(message).toContainText('next try')

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
