import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { askToken } from '../support/ask'
import { type Portal, startPortal } from '../support/portal'

/** From the set-up link of an empty portal to a first token, and to why a scope was refused. */

const SHOTS = fileURLToPath(new URL('../results/first-token', import.meta.url))
const PASSWORD = 'nine patient otters upstream'

let portal: Portal
test.beforeAll(async () => {
  portal = await startPortal()
})
test.afterAll(() => portal.stop())

test('set-up link, API, machine with an access key, a scope, a token, and why the other was refused', async ({
  page,
}) => {
  test.slow()
  let shots = 0
  const shoot = (name: string) => {
    shots += 1
    const path = join(SHOTS, `${String(shots).padStart(2, '0')}-${name}.png`)
    return page.screenshot({ path, fullPage: true })
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click()
  const started = Date.now()

  // The first admin.
  await page.goto(/http\S+\/setup\?token=\S+/.exec(portal.output())?.[0] ?? '')
  await page.getByLabel('Your name').fill('Olga Owner')
  await page.getByLabel('Email').fill('olga@example.org')
  await page.locator('#password').fill(PASSWORD)
  await press('Create the account')
  await follow('Open the admin pages')
  await expect(page.locator('h1')).toHaveText('Overview')
  await shoot('overview')

  // An API with two items.
  await follow('APIs')
  await follow('Create a space')
  await page.getByLabel('Name').fill('Shop')
  await page.getByLabel('Key').fill('shop')
  await press('Create')
  await follow('APIs')
  await follow('Add an API')
  await page.getByLabel('Prefix').fill('orders')
  await page.getByLabel('Name').fill('Orders')
  await page.getByLabel('Audience').fill('https://orders.example.com')
  await press('Create')
  for (const [key, sentence] of [
    ['orders:read', 'See orders'],
    ['orders:write', 'Change orders'],
  ] as const) {
    await follow('Add a permission')
    await page.getByLabel('Permission', { exact: true }).fill(key)
    await page.getByLabel('Description in English').fill(sentence)
    await press('Create')
    await expect(page.getByText(sentence)).toBeVisible()
  }
  await shoot('api')

  // A machine, one scope, an access key.
  await follow('Applications')
  await follow('Create an application')
  await follow('Machine application')
  await page.getByLabel('Name').fill('Nightly export')
  await press('Create')
  await expect(page.getByText('It won’t be shown again.')).toBeVisible()
  await shoot('secret-once')
  await follow('Grant permissions')
  await page.getByLabel('See orders').check()
  await press('Grant selected')
  await follow('Credentials')
  await follow('Create an access key')
  await page.getByLabel('Name').fill('export job')
  await press('Create an access key')
  await expect(page.getByText('It won’t be shown again.')).toBeVisible()
  const accessKey = (await page.locator('code', { hasText: /^ak_/ }).first().textContent()) ?? ''
  const secretKey =
    (await page
      .locator('code', { hasText: /^ghsk_/ })
      .first()
      .textContent()) ?? ''
  await shoot('access-key-once')

  // The token.
  const asked = 'orders:read orders:write'
  const answer = await askToken(portal.origin, {
    grant_type: 'client_credentials',
    client_id: accessKey,
    client_secret: secretKey,
    scope: asked,
  })
  const token = JSON.parse(answer.body)
  expect(token).toMatchObject({
    scope: 'orders:read',
    scope_rejected: 'orders:write',
    scope_rejected_reasons: [{ scope: 'orders:write', code: 'client_not_granted' }],
  })
  await page.goto(`${portal.origin}/admin/tools/token`)
  await page.locator('#token').fill(token.access_token)
  await press('Verify with this portal')
  await expect(page.getByText('https://orders.example.com').first()).toBeVisible()
  await shoot('token')

  // Why not the other one?
  await follow('Simulator')
  await page.getByLabel('Application or access key').fill(accessKey)
  await page.getByLabel('Scopes').fill(asked)
  await press('Simulate')
  await expect(page.getByText('orders:write').first()).toBeVisible()
  await shoot('why')
  process.stdout.write(
    `from set-up link to first token and its reason: ${Math.round((Date.now() - started) / 1000)} s\n`,
  )
})
