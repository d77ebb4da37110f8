import { expect, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { demo } from '../../support/people'
import { enterAsOwner } from '../../support/sign-in'

/** Attributes of users in tokens, and why an application was refused, in a real browser. */

test('an attribute is defined, filled in, mapped to a claim, previewed and removed', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/settings/attributes')
  await page.getByRole('link', { name: 'Define an attribute' }).first().click()
  await page.getByLabel('Key', { exact: true }).fill('cost centre')
  await page.getByLabel('Name', { exact: true }).fill('Cost centre')
  await page.getByLabel('Type').selectOption('Number')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.locator('#key')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Key', { exact: true }).fill('cost_centre')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('link', { name: 'Cost centre' })).toBeVisible()

  await page.goto('/admin/users/usr_demo_bob/edit')
  await page.getByLabel('Cost centre').fill('many')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('#attribute-cost_centre')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Cost centre').fill('4711')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').first()).toBeVisible()
  await expect(page.getByLabel('Cost centre')).toHaveValue('4711')

  await page.goto(`/admin/applications/${demo().web.client_id}/claims`)
  await page.getByLabel('Claim for “Cost centre”').fill('sub')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('This claim has a meaning of its own').first()).toBeVisible()
  await page.getByLabel('Claim for “Cost centre”').fill('cost_centre')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/done=/)
  await page.locator('#user').fill('bob@gatehouse.example')
  await page.getByRole('option', { name: /^Bob/ }).click()
  await page.getByRole('button', { name: 'Show the claims' }).click()
  await expect(page.getByRole('region', { name: 'Userinfo' })).toContainText('"cost_centre": 4711')
  await expectNoViolations(page)

  await page.getByLabel('Claim for “Cost centre”').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.goto('/admin/settings/attributes/cost_centre')
  await page.getByText('Remove this attribute').last().click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('link', { name: 'Cost centre' })).toHaveCount(0)
})

test('an application that sends no PKCE: the page says so, and the setting lets it in', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/applications/new')
  await page.getByRole('link', { name: 'Web application' }).click()
  await page.getByLabel('Name').fill('Older shop')
  await page.getByLabel('Redirect URIs', { exact: true }).fill('https://older.example/callback')
  await page.getByRole('button', { name: 'Create' }).click()
  const code = page.locator('code', { hasText: /^app_/ }).first()
  const id = (await code.textContent()) ?? ''
  const base = `/admin/applications/${id}`
  const ask = (redirectUri: string) =>
    page.request.get('/oidc/auth', {
      params: { client_id: id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
      maxRedirects: 0,
    })
  await page.goto(`${base}/settings`)
  const setting = page.locator('select[name="pkce"]')
  await setting.selectOption('required')
  const form = page.locator('form', { has: setting })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The application was saved.')).toBeVisible()
  await ask('https://older.example/callback')
  await ask('https://older.example/calback')
  // The audit log is written in batches.
  await expect(async () => {
    await page.goto(`${base}/refusals`)
    const unregistered = page.getByRole('heading', { name: 'Redirect URI is not registered' })
    await expect(unregistered).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(page.getByText('lacks “l”, at position 26')).toBeVisible()
  await expect(page.locator('mark').first()).toHaveText('l')
  await expect(page.getByRole('heading', { name: 'PKCE is missing' })).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Change the setting' }).click()
  await expect(page.getByText('The application was saved.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change the setting' })).toHaveCount(0)
  const answer = await ask('https://older.example/callback')
  expect(answer.headers().location).not.toContain('error')
  await page.goto(`${base}/settings`)
  await expect(page.getByText('PKCE is not required.')).toBeVisible()
})
