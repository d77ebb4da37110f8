import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { enterAsOwner } from '../support/sign-in'

/** What people expect of the admin pages; the numbers are those of the list of expectations. */

const says = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

/** As the signed-in admin. */
async function call(page: Page, method: 'POST' | 'PATCH', path: string, data: object) {
  const headers = {
    'x-gatehouse-request': '1',
    origin: new URL(page.url()).origin,
    ...(method === 'PATCH' && { 'if-match': '*' }),
  }
  const answer = await page.request.fetch(`/api/v1${path}`, { method, data, headers })
  expect(answer.status()).toBeLessThan(300)
  return answer.json()
}

async function twoUsers(page: Page, word: string): Promise<string[]> {
  const names = ['Uma', 'Vito'].map((name) => `${name} ${word}`)
  for (const name of names) {
    const username = `${name.replace(' ', '-').toLowerCase()}-${Date.now()}`
    await call(page, 'POST', '/users', { name, username })
  }
  return names
}

/** The page's script may not listen yet. */
async function pressUntilFocused(page: Page, key: string, wanted: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key)
    await expect(wanted).toBeFocused({ timeout: 300 })
  }).toPass()
}

const wider = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

test('ux 27: a role for several users at once, with their number and a question before', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/users')
  const word = `Bulk${Date.now()}`
  const names = await twoUsers(page, word)
  await page.goto(`/admin/users?q=${word}`)
  await page.getByLabel('Select all on this page').check()
  for (const name of names) await expect(page.getByLabel(`Select ${name}`)).toBeChecked()
  await page.getByLabel('Action for selected:').selectOption('Assign a role')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('2 users get a role and its permissions.')).toBeVisible()
  await page.getByRole('button', { name: 'Assign a role: 2 users' }).click()
  await expect(page.getByLabel('Role', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Role', { exact: true }).fill('cler')
  await page.getByRole('option', { name: /^Clerk/ }).click()
  await page.getByRole('button', { name: 'Assign a role: 2 users' }).click()
  await says(page, 'All selected users were changed.')
  await page.goto(`/admin/users?q=${word}`)
  await page.getByRole('link', { name: names[0] ?? '' }).click()
  await page.getByRole('link', { name: 'Permissions', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Clerk', exact: true })).toHaveCount(1)

  // One is one user, not “1 users”.
  await page.goto(`/admin/users?q=${word}`)
  await page.getByLabel(`Select ${names[1]}`).check()
  await page.getByLabel('Action for selected:').selectOption('Disable')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Disable: 1 user', exact: true })).toBeVisible()
})

test('ux 27: order, columns, search and page are the address; keys walk the rows', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/users')
  const created = page.getByRole('columnheader', { name: /^Created/ })
  await expect(created).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('link', { name: 'Name', exact: true }).click()
  await expect(page).toHaveURL(/sort=name/)
  const name = page.getByRole('columnheader', { name: /^Name/ })
  await expect(name).toHaveAttribute('aria-sort', 'ascending')
  await name.getByRole('link').click()
  await expect(name).toHaveAttribute('aria-sort', 'descending')
  await expect(created).not.toHaveAttribute('aria-sort')

  await page.locator('summary', { hasText: 'Columns' }).click()
  await page.getByLabel('Username', { exact: true }).uncheck()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('columnheader', { name: /^Username/ })).toHaveCount(0)
  await expect(page).toHaveURL(/sort=-name/)

  await pressUntilFocused(page, '/', page.getByRole('searchbox'))
  await page.getByRole('searchbox').fill('alice')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=alice/)
  await expect(page.getByRole('columnheader', { name: /^Username/ })).toHaveCount(0)
  await pressUntilFocused(page, 'j', page.locator('[data-row]').first())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin\/users\/usr_demo_alice/)
})

test('ux 27: while another page of a table is on its way, its rows are a skeleton', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/applications')
  const table = page.locator('[data-table]')
  await expect(table).toHaveAttribute('aria-busy', 'false')
  // The page goes away while it is looked at, so it notes itself what it was.
  await table.evaluate((element) => {
    const note = () => sessionStorage.setItem('busy', element.getAttribute('aria-busy') ?? '')
    new MutationObserver(note).observe(element, { attributes: true })
  })
  await page.route(/sort=/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await page.getByRole('columnheader', { name: /^Name/ }).getByRole('link').click()
  await expect(page).toHaveURL(/sort=/)
  expect(await page.evaluate(() => sessionStorage.getItem('busy'))).toBe('true')
  await expect(table).toHaveAttribute('aria-busy', 'false')
})

test.describe('390 px', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('ux 27: tables are cards that fit, are ordered and can be selected on a phone', async ({
    page,
  }) => {
    await enterAsOwner(page, '/admin/users')
    for (const path of ['/admin/applications', '/admin/apis', '/admin/roles', '/admin/groups']) {
      await page.goto(path)
      expect([path, await wider(page)]).toEqual([path, 0])
    }
    await page.goto('/admin/audit')
    expect(await wider(page)).toBe(0)
    await page.goto('/admin/users?q=alice')
    expect(await wider(page)).toBe(0)
    const box = page.getByLabel('Select Alice Clerk')
    const target = await box.locator('..').boundingBox()
    expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(44)
    await box.locator('..').click()
    await expect(box).toBeChecked()
    await page.locator('select[name=sort]').selectOption('Name, descending')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page).toHaveURL(/sort=-name/)
    await expectNoViolations(page)
  })
})

test('ux 34: filters by name are kept as a view, and an entry shows before and after', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/audit')
  const name = `Diffed ${Date.now()}`
  const group = await call(page, 'POST', '/groups', { key: `diffed-${Date.now()}`, name })
  await call(page, 'PATCH', `/groups/${group.id}`, { name: `${name} again` })
  await page.getByLabel('Event', { exact: true }).fill('group.ch')
  await page.getByRole('option', { name: /^group\.changed/ }).click()
  await page.getByText('More filters').click()
  await page.getByLabel('Object', { exact: true }).fill(name)
  await page.getByRole('option', { name: `${name} again` }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(new RegExp(`event=group\\.changed.*targetId=${group.id}`))
  await page.getByText('Save as a view…').click()
  await page.getByLabel('Name of the view').fill(name)
  await page.getByRole('button', { name: 'Save these filters' }).click()
  await says(page, 'The view was saved.')
  await page.goto('/admin/audit')
  await page.getByRole('link', { name, exact: true }).click()
  await expect(page.getByLabel('Object', { exact: true })).toHaveValue(`${name} again`)
  await page.locator('[data-row]').first().click()
  await expect(page.locator('del', { hasText: name })).toBeVisible()
  await expect(page.locator('ins', { hasText: `${name} again` })).toBeVisible()
  await page.goto('/admin/audit')
  await page.getByText('Delete a view').click()
  await page.getByRole('button', { name: `Delete the view ${name}` }).click()
  await says(page, 'The view was deleted.')
})

/** What somebody types, and where Enter leads. */
const WAYS: readonly (readonly [typed: string, found: RegExp, path: RegExp])[] = [
  ['rotate a key', /Rotate a signing key.*Action/, /\/admin\/keys$/],
  ['mail', /Mail server.*Settings/, /\/admin\/settings\/mail$/],
  ['jwks', /Signing keys.*Page/, /\/admin\/keys$/],
  ['邮件服务器', /Mail server.*Settings/, /\/admin\/settings\/mail$/],
  ['orders:refund', /orders:refund.*Permission/, /\/admin\/apis\/[^/]+\?q=orders%3Arefund$/],
  ['alice', /Alice Clerk.*User/, /\/admin\/users\/usr_demo_alice$/],
  ['reference: webhooks', /API reference: Webhooks.*Docs/, /\/docs\/api\/webhooks$/],
  ['sign out', /Sign out.*Action/, /\/logout$/],
]

test('ux 38: the palette finds pages, actions, settings, documents and things, by other words too', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/users')
  const box = page.getByRole('combobox', { name: 'Search pages, users, applications and more' })
  for (const [typed, found, path] of WAYS) {
    await page.goto('/admin/groups')
    await expect(async () => {
      await page.keyboard.press('Control+k')
      await expect(box).toBeFocused({ timeout: 500 })
    }).toPass()
    await box.fill(typed)
    const option = page.getByRole('option', { name: found })
    await expect(option).toBeVisible()
    await option.click()
    await expect(page).toHaveURL(path)
  }
})

test('ux 38: grants, and the way out and help, are a few keys away on every page', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/audit')
  const navigation = page.getByRole('navigation', { name: 'Administration' })
  await expect(navigation.getByRole('link', { name: 'Sign out' })).toHaveAttribute(
    'href',
    '/logout',
  )
  await expect(navigation.getByRole('link', { name: 'Help and documents' })).toBeVisible()
  const box = page.getByRole('combobox', { name: 'Search pages, users, applications and more' })
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(box).toBeFocused({ timeout: 500 })
  }).toPass()
  await box.fill('grant')
  await expect(page.getByRole('option', { name: /^Grant a role or permission/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await navigation.getByRole('link', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/logout')
})
