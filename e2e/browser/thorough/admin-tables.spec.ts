import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { asOwner } from '../../support/people'
import { enterAsOwner } from '../../support/sign-in'

/** Tables of the administration: several rows at once, and phones. */

const says = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

async function twoUsers(word: string): Promise<string[]> {
  const names = ['Uma', 'Vito'].map((name) => `${name} ${word}`)
  for (const name of names) {
    const username = `${name.replace(' ', '-').toLowerCase()}-${Date.now()}`
    await asOwner('POST', '/users', { name, username })
  }
  return names
}

const wider = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

test('a role for several users at once, with their number and a question before', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/users')
  const word = `Bulk${Date.now()}`
  const names = await twoUsers(word)
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

test.describe('390 px', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('tables are cards that fit, are ordered and can be selected on a phone', async ({
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
