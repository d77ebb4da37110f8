import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { OPPOSITE_LOOKS } from '../support/looks'
import { enterAsOwner } from '../support/sign-in'

/** The overview, the signing keys and the audit log, in a real browser. */

const says = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

test('a key is published, looked at, and revoked when its name is typed', async ({ page }) => {
  await enterAsOwner(page, '/admin/keys')
  const rs256 = page.locator('section', { has: page.getByRole('heading', { name: 'RS256' }) })
  await expect(rs256.getByText(/The next key is published automatically/)).toBeVisible()
  await rs256.getByRole('button', { name: 'Publish the next key now' }).click()
  await says(page, 'The next key is published')
  await expect(rs256.getByText(/starts to sign on .+ UTC/)).toBeVisible()
  await rs256.getByText('Sign with it early…').click()
  await expect(rs256.getByText(/refuse new tokens for up to five minutes/)).toBeVisible()
  await rs256
    .getByRole('row', { name: /Signing/ })
    .getByRole('link')
    .click()
  await expect(page.getByText('This key is signing right now.')).toBeVisible()
  await expect(page.getByText('Users stay signed in to this portal.')).toBeVisible()
  await page.goBack()
  await rs256
    .getByRole('row', { name: /Published/ })
    .getByRole('link')
    .click()
  await expect(page.getByText('It signed nothing that is still valid.')).toBeVisible()
  await page.getByText('Revoke in an emergency…').click()
  await page.locator('#typed').fill('something')
  await page.getByRole('button', { name: 'Revoke this key' }).click()
  await expect(page.locator('#typed')).toHaveAttribute('aria-invalid', 'true')
  const kid = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.locator('#typed').fill(kid.slice(0, 8))
  await page.getByRole('button', { name: 'Revoke this key' }).click()
  await says(page, 'The key was revoked')
  await expect(rs256.getByRole('row', { name: /Revoked/ })).toContainText(kid.slice(0, 8))
  const { keys } = await (await page.request.get('/oidc/.well-known/jwks.json')).json()
  expect(keys.map((key: { kid: string }) => key.kid)).not.toContain(kid)
})

test('the log is filtered, kept as a view, followed, opened, taken home and verified', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/audit')
  await page.getByLabel('Event', { exact: true }).fill('group.*')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/event=group\.\*/)
  await page.getByText('Save as a view…').click()
  await page.getByLabel('Name of the view').fill('Groups')
  await page.getByRole('button', { name: 'Save these filters' }).click()
  await says(page, 'The view was saved.')
  await expect(page.getByRole('link', { name: 'Groups', exact: true }).last()).toHaveAttribute(
    'aria-current',
    'true',
  )

  await page.getByRole('button', { name: 'Follow live' }).click()
  const name = `Followers ${Date.now()}`
  await createGroup(page, name)
  await page.getByRole('log').getByRole('link', { name: 'group.created' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Entry \d+: group\.created$/)
  await expect(page.locator('ins', { hasText: name })).toBeVisible()
  await page.getByRole('link', { name: 'All entries of this request' }).click()
  await expect(page).toHaveURL(/requestId=/)

  const csv = page.getByRole('link', { name: 'Export CSV' })
  const file = await page.request.get((await csv.getAttribute('href')) ?? '')
  expect(file.headers()['content-type']).toBe('text/csv; charset=utf-8')
  expect((await file.text()).split('\r\n')).toHaveLength(3)

  await page.getByRole('button', { name: 'Verify the log' }).click()
  await says(page, /Whole: [\d,]+ entries/)
  await page.getByText('Delete a view').click()
  await page.getByRole('button', { name: 'Delete the view Groups' }).click()
  await says(page, 'The view was deleted.')
})

async function createGroup(page: Page, name: string): Promise<void> {
  const key = name.toLowerCase().replace(' ', '-')
  const headers = { 'x-gatehouse-request': '1', origin: new URL(page.url()).origin }
  const answer = await page.request.post('/api/v1/groups', { data: { key, name }, headers })
  expect(answer.status()).toBe(201)
}

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the log is loaded again and verified', async ({ page }) => {
    await enterAsOwner(page, '/admin/audit')
    await expect(page.getByRole('button', { name: 'Follow live' })).toBeHidden()
    await page.getByRole('link', { name: 'Load new entries' }).click()
    await page.getByRole('button', { name: 'Verify the log' }).click()
    await says(page, /Whole: [\d,]+ entries/)
  })
})

for (const [colorScheme, locale, width] of OPPOSITE_LOOKS)
  test.describe(`${colorScheme}, ${locale}, ${width} px`, () => {
    test.use({ colorScheme, locale, viewport: { width, height: 900 } })

    test('overview, keys and log have no accessibility violations', async ({ page }) => {
      await enterAsOwner(page, '/admin')
      for (const summary of await page.locator('main summary').all()) await summary.click()
      await expectNoViolations(page)
      for (const path of ['/admin/keys', '/admin/audit?result=success&actorKind=user']) {
        await page.goto(path)
        await expectNoViolations(page)
        await page.locator('a[data-row]').first().click()
        await expect(page).toHaveURL(/\/admin\/(keys|audit)\/.+/)
        await expectNoViolations(page)
      }
    })
  })
