import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { asOwner, demo } from '../../support/people'
import { enterAsOwner } from '../../support/sign-in'

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
  await page.goto('/admin/audit')
  const view = page.getByRole('link', { name: 'Groups', exact: true }).last()
  await view.click()
  await expect(view).toHaveAttribute('aria-current', 'true')
  await expect(page.getByLabel('Event', { exact: true })).toHaveValue('group.*')

  await page.getByRole('button', { name: 'Follow live' }).click()
  const name = `Followers ${Date.now()}`
  const { id } = await asOwner('POST', '/groups', {
    key: name.toLowerCase().replace(' ', '-'),
    name,
  })
  // Other tests make groups in the same moment.
  const { data } = await asOwner('GET', `/audit-events?targetId=${id}`)
  const entry = page.getByRole('log').locator(`a[href="/admin/audit/${data[0].id}"]`)
  await expect(entry).toHaveText('group.created')
  await entry.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Entry \d+: group\.created$/)
  await expect(page.locator('ins', { hasText: name })).toBeVisible()
  await page.getByRole('link', { name: 'All entries of this request' }).click()
  await expect(page).toHaveURL(/requestId=/)

  const csv = page.getByRole('link', { name: 'Export CSV' })
  const file = await page.request.get((await csv.getAttribute('href')) ?? '')
  expect(file.headers()['content-type']).toBe('text/csv; charset=utf-8')
  expect((await file.text()).split('\r\n')).toHaveLength(3)

  await page.getByRole('button', { name: 'Verify the log' }).click()
  await says(page, /The log is intact. [\d,]+ entries/)
  await page.getByText('Delete a view').click()
  await page.getByRole('button', { name: 'Delete the view Groups' }).click()
  await says(page, 'The view was deleted.')
})

test('the log is filtered by the names of users and things, and an entry shows before and after', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/audit')
  const name = `Diffed ${Date.now()}`
  const group = await asOwner('POST', '/groups', { key: `diffed-${Date.now()}`, name })
  const any = { 'if-match': '*' }
  await asOwner('PATCH', `/groups/${group.id}`, { name: `${name} again` }, any)
  await page.getByLabel('Event', { exact: true }).fill('group.ch')
  await page.getByRole('option', { name: /^group\.changed/ }).click()
  await page.getByText('More filters').click()
  await page.getByLabel('Actor', { exact: true }).fill(demo().admin.email)
  await page.getByRole('listbox').getByRole('option').first().click()
  const actor = await page.getByLabel('Actor', { exact: true }).inputValue()
  await page.getByLabel('Object', { exact: true }).fill(name)
  await page.getByRole('option', { name: `${name} again` }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/event=group\.changed/)
  await expect(page).toHaveURL(/actorId=usr_/)
  await expect(page).toHaveURL(new RegExp(`targetId=${group.id}`))
  await expect(page.getByLabel('Actor', { exact: true })).toHaveValue(actor)
  await expect(page.getByRole('cell', { name: actor }).first()).toBeVisible()
  await expect(page.getByLabel('Object', { exact: true })).toHaveValue(`${name} again`)
  await page.locator('[data-row]').first().click()
  await expect(page.locator('del', { hasText: name })).toBeVisible()
  await expect(page.locator('ins', { hasText: `${name} again` })).toBeVisible()
  await expectNoViolations(page)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the log is loaded again and verified', async ({ page }) => {
    await enterAsOwner(page, '/admin/audit')
    await expect(page.getByRole('button', { name: 'Follow live' })).toBeHidden()
    await page.getByRole('link', { name: 'Load new entries' }).click()
    await page.getByRole('button', { name: 'Verify the log' }).click()
    await says(page, /The log is intact. [\d,]+ entries/)
  })
})
