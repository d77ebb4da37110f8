import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { asOwner } from '../support/people'
import { enterAsOwner } from '../support/sign-in'

/** APIs, spaces, roles and who holds them, in a real browser; each test in a space of its own. */

const says = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const look = (page: Page) => press(page, 'Preview the effect')
const preview = (page: Page) => page.getByRole('region', { name: 'What this change does' })

/** A space with an API of one permission and a role that has it, through the API. */
async function newSpace(key: string) {
  const space = await asOwner('POST', '/spaces', { key, name: `Space ${key}` })
  const fields = { audience: `https://${key}.example.com`, prefix: key, name: key }
  const api = await asOwner('POST', `/spaces/${key}/resources`, fields)
  await asOwner('PUT', `/spaces/${key}/permissions/${key}:run`, { resource: key })
  const role = await asOwner('POST', `/spaces/${key}/roles`, { key: 'printer', name: 'Printer' })
  await asOwner('PUT', `/spaces/${key}/roles/printer/permissions/${key}:run`, {})
  return { space: String(space.id), api: String(api.id), role: String(role.id) }
}

test('who gains and who loses is shown before it is so, and what was altered is shown again', async ({
  page,
}) => {
  const { api, role } = await newSpace('mill')
  await enterAsOwner(page, `/admin/roles/${role}/members`)
  await page.getByRole('link', { name: 'Assign this role' }).first().click()
  await look(page)
  const mistake = page
    .getByRole('alert')
    .filter({ hasText: 'Choose a user, group or application.' })
  await expect(mistake).toBeFocused()
  await page.getByLabel('User, group or application').fill('bob@')
  await page.getByRole('option', { name: /^Bob Manager/ }).click()
  await page.getByLabel('Valid until').fill('2020-01-01T00:00')
  await look(page)
  await expect(preview(page)).toContainText('No user or application gains or loses a permission.')
  await page.getByLabel('Valid until').fill('')
  await press(page, 'Confirm and save')
  await expect(preview(page)).toContainText(/Bob Manager.*gains.*mill:run/)
  await expectNoViolations(page)
  await press(page, 'Confirm and save')
  await says(page, 'The role was assigned')

  await page.getByRole('link', { name: 'Bob Manager' }).click()
  await page.getByLabel('Condition').fill('user.floor == 3')
  await look(page)
  await expect(preview(page)).toContainText(/Bob Manager.*loses.*mill:run/)
  await page.goto(`/admin/apis/${api}/holders`)
  await expect(page.getByRole('row', { name: /mill:run/ })).toContainText('Printer')
  await page.goto(`/admin/roles/${role}/permissions`)
  await page.getByLabel('Select mill:run').check()
  await press(page, 'Remove selected')
  await expect(preview(page)).toContainText(/Bob Manager.*loses.*mill:run/)
  await press(page, 'Confirm and save')
  await says(page, 'The permissions were saved')
  await expect(page.getByText('This role has no permissions of its own yet')).toBeVisible()
})
