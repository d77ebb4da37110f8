import { expect, type Page, test } from '@playwright/test'
import { asOwner, newPerson } from '../../support/people'
import { enterAs, enterAsOwner } from '../../support/sign-in'

/** Choosing by name instead of typing an ID, in a real browser. */

const says = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

test('an open list covers no button; a press outside closes it and counts, and so does Tab', async ({
  page,
}) => {
  const group = await asOwner('POST', '/groups', { key: `below-${Date.now()}`, name: 'Below' })
  // So many that the list scrolls.
  for (let at = 0; at < 8; at += 1)
    await asOwner('POST', '/users', { username: `many-${at}-${Date.now()}` })
  await enterAsOwner(page, `/admin/groups/${group.id}`)
  const user = page.getByLabel('User', { exact: true })
  const list = page.getByRole('listbox')
  const add = page.getByRole('button', { name: 'Add a user to this group' })
  await user.fill('bob')
  await page.getByRole('option', { name: /^Bob Manager/ }).click()
  await user.click()
  await expect(list).toBeVisible()
  // Where a finger would be: nothing lies above the button, and the press reaches it.
  const { x, y, width, height } = (await add.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const bottom = (await list.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  expect(y).toBeGreaterThanOrEqual(bottom.y + bottom.height)
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await expect(list).toBeVisible()
  await page.mouse.up()
  await says(page, 'Saved.')
  await expect(page.getByRole('link', { name: 'Bob Manager' })).toBeVisible()
  await user.click()
  await expect(list).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(list).toBeHidden()
  await expect(add).toBeFocused()
})

test('what is not there, and what several are called, is said at the field', async ({ page }) => {
  await enterAsOwner(page, '/admin/why')
  const user = page.getByLabel('User', { exact: true })
  await user.fill('Nobody at all')
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(user).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('#user-error')).toContainText('“Nobody at all” was not found')
  const name = `Twin ${Date.now()}`
  const twins = [1, 2].map((n) => ({ name, username: `twin-${n}-${Date.now()}` }))
  for (const twin of twins) await asOwner('POST', '/users', twin)
  await user.fill(name)
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(page.locator('#user-error')).toContainText(`Several are called “${name}”`)
  await user.fill(twins[1]?.username ?? '')
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(page.locator('#user-error')).toHaveCount(0)
  await expect(user).toHaveValue(name)
  await expect(page.getByRole('heading', { name: new RegExp(name) })).toBeVisible()
})

test('a group gets a member, a webhook its events and a user a time zone, each from a list', async ({
  page,
}) => {
  const group = await asOwner('POST', '/groups', { key: `chosen-${Date.now()}`, name: 'Chosen' })
  await enterAsOwner(page, `/admin/groups/${group.id}`)
  await page.getByLabel('User', { exact: true }).fill('bob')
  await page.getByRole('option', { name: /^Bob Manager/ }).click()
  await page.getByRole('button', { name: 'Add a user to this group' }).click()
  await says(page, 'Saved.')
  await expect(page.getByRole('link', { name: 'Bob Manager' })).toBeVisible()

  const user = await asOwner('POST', '/users', { name: 'Zoned', username: `zoned-${Date.now()}` })
  await page.goto(`/admin/users/${user.id}/edit`)
  await page.getByText('More about the user').click()
  await page.getByLabel('Time zone').fill('tokyo')
  await page.getByRole('option', { name: /^Asia\/Tokyo/ }).click()
  await page.getByLabel('Country', { exact: true }).fill('jap')
  await page.getByRole('option', { name: /^Japan/ }).click()
  await page.getByLabel('Language for applications').fill('japanese')
  await page.getByRole('option', { name: /^Japanese/ }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await says(page, 'The user was saved.')
  const { profile } = await (await page.request.get(`/api/v1/users/${user.id}`)).json()
  expect(profile).toMatchObject({
    zoneinfo: 'Asia/Tokyo',
    locale: 'ja',
    address: { country: 'Japan' },
  })
  await page.getByLabel('Time zone').fill('Mars/Olympus')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Time zone')).toHaveAttribute('aria-invalid', 'true')
})

test('an app manager finds neither users nor other people’s applications in a field (N2)', async ({
  page,
}) => {
  const manager = await newPerson('Rex')
  const fields = { adminRole: 'app_manager' }
  await asOwner('PATCH', `/users/${manager.id}`, fields, { 'if-match': '*' })
  await enterAs(page, manager, '/admin/simulator')
  await page.getByLabel('Application or access key').fill('demo')
  await expect(page.getByText('No results. Check how it is written.').first()).toBeVisible()
  await page.getByLabel('User', { exact: true }).fill('alice')
  await expect(page.getByText('No results. Check how it is written.').first()).toBeVisible()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a typed name, key or address is found on the server', async ({ page }) => {
    await enterAsOwner(page, '/admin/simulator')
    await page.getByLabel('Application or access key').fill('demo WEB app')
    await page.getByLabel('User', { exact: true }).fill('alice@gatehouse.example')
    await page.getByLabel('Scopes').fill('openid orders:read')
    await page.getByRole('button', { name: 'Simulate' }).click()
    await says(page, 'A token would be issued')
    await page.goto('/admin/webhooks/new')
    await page.getByLabel('Name').fill('By hand')
    await page.getByLabel('URL').fill('https://hooks.gatehouse.invalid/by-hand')
    await page.getByLabel('login.failed').uncheck()
    await page.getByLabel('Events').fill('role.created, group.*')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'Go to the webhook' }).click()
    for (const event of ['user.*', 'role.created', 'group.*']) {
      await expect(page.getByLabel(event)).toBeChecked()
    }
    await expect(page.getByLabel('login.failed')).toHaveCount(0)
  })
})
