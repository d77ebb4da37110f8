import { expect, type Page, test } from '@playwright/test'
import { asOwner } from '../../support/people'
import { enterAsOwner } from '../../support/sign-in'

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

test('a space, an API, an item and a role are made; a condition is checked while it is typed', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/roles/spaces/new')
  await page.getByLabel('Name').fill('Print shop')
  await page.getByLabel('Key').fill('Print shop!')
  await press(page, 'Create')
  await expect(page.locator('#key-error')).toBeVisible()
  await page.getByLabel('Key').fill('print')
  await press(page, 'Create')
  await says(page, 'The space was created')

  await page.goto('/admin/apis/new')
  await page.getByLabel('Space').selectOption('Print shop')
  await page.getByLabel('Prefix').fill('press')
  await page.getByLabel('Name').fill('Printing press')
  await page.getByLabel('Permissions').fill('press:load Load paper\npress:stop Stop the press')
  await page.getByLabel('Audience', { exact: true }).fill('https://press.example.com')
  await press(page, 'Create')
  await says(page, 'The API was added')
  await expect(page.getByText('Stop the press')).toBeVisible()
  await page.getByRole('link', { name: 'Add a permission' }).first().click()
  await page.getByLabel('Permission').fill('press:run')
  await page.getByLabel('Description in English').fill('Run the press')
  await press(page, 'Create')
  await says(page, 'The permission was saved')

  await page.goto('/admin/roles/new?space=print')
  await page.getByLabel('Name').fill('Printer')
  await expect(page.getByLabel('Key')).toHaveValue('printer') // made of the name
  await press(page, 'Create')
  await says(page, 'The role was created')
  await page.getByRole('link', { name: 'Add permissions' }).first().click()
  await page.getByLabel('press:run').check()
  await page.getByLabel('Condition').fill('auth.age <')
  await says(page, 'The condition ends too early.')
  await page.getByText('Examples and variables').click()
  await page.getByLabel('Condition').fill('')
  await press(page, 'Insert the example: From the office network only')
  await says(page, 'This condition is valid.')
  await page.getByLabel('Condition').fill('auth.nothing(')
  await look(page)
  await expect(page.locator('#condition-error')).toBeVisible()
  await expect(page.getByLabel('press:run')).toBeChecked()
  await page.getByLabel('Condition').fill('auth.age < 300.0')
  await look(page)
  await expect(preview(page)).toContainText('No user or application gains or loses a permission.')
  await press(page, 'Confirm and save')
  await says(page, 'The permissions were saved')
  await expect(page.getByText('auth.age < 300.0')).toBeVisible()
  await page.goto('/admin/roles')
  await page.getByLabel('Space').selectOption('Print shop')
  await press(page, 'Show')
  await expect(page).toHaveURL(/space=print/)
  await expect(page.getByRole('link', { name: 'Printer' })).toBeVisible()
})

test('N12: roles above each other are drawn, and a circle is refused kindly; a model is replaced after its diff', async ({
  page,
}) => {
  const { space, role } = await newSpace('loom')
  await enterAsOwner(page, '/admin/roles/new?space=loom')
  await page.getByLabel('Name').fill('Chief')
  await page.getByLabel('Key').fill('chief')
  await page.getByLabel('Parent roles').fill('print')
  await page.getByRole('option', { name: /^Printer/ }).click()
  await expect(page.getByLabel('Printer')).toBeChecked()
  await press(page, 'Create')
  await page.getByRole('link', { name: 'All permissions' }).click()
  await expect(page.getByText('From this role → printer')).toBeVisible()
  await page.goto('/admin/roles?space=loom')
  const graph = page.getByRole('region', { name: 'Role hierarchy' })
  await expect(graph.getByRole('link', { name: 'Chief. Parent roles: printer.' })).toBeVisible()
  await graph.getByRole('link', { name: 'Printer. Parent roles: none.' }).click()
  await expect(page).toHaveURL((url) => url.pathname === `/admin/roles/${role}`)
  await page.getByLabel('Parent roles').fill('Chief')
  await page.getByRole('option', { name: /^Chief/ }).click()
  await press(page, 'Save')
  await expect(page.locator('#parents-error')).toContainText('would form a cycle')

  await page.goto(`/admin/roles/spaces/${space}/model`)
  const document = page.getByLabel('Document')
  await document.fill((await document.inputValue()).replace('"Chief"', '"Master weaver"'))
  await press(page, 'Preview the changes')
  await expect(page.getByRole('region', { name: 'Changes' })).toContainText('role chief')
  await press(page, 'Replace the permission model')
  await says(page, 'The permission model was replaced')
  await page.goto(`/admin/roles/spaces/${space}`)
  await page.getByText('Delete…').click()
  await expect(page.getByText(/APIs \(1\) with their permissions \(1\), roles \(2\)/)).toBeVisible()
  await page.getByLabel('Enter “Space loom” to confirm').fill('Space loom')
  await press(page, 'Delete')
  await says(page, 'The space and its contents were deleted')
})

test('without script a change is shown and confirmed all the same', async ({ browser }) => {
  const { role } = await newSpace('quill')
  const page = await browser.newPage({ javaScriptEnabled: false })
  await enterAsOwner(page, `/admin/roles/${role}/members/new`)
  const who = page.getByLabel('User, group or application')
  await who.fill('Alice Clerk')
  await look(page)
  await expect(preview(page)).toContainText(/Alice Clerk.*gains.*quill:run/)
  await expect(who).toHaveValue('Alice Clerk')
  await press(page, 'Confirm and save')
  await says(page, 'The role was assigned')
  await page.close()
})
