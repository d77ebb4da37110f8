import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { enterAsOwner } from '../support/sign-in'

/** The command palette of the administration, in a real browser. */

const PALETTE = 'Search pages, users, applications and more'

/** The page's script may not listen yet. */
async function openPalette(page: Page): Promise<Locator> {
  const box = page.getByRole('combobox', { name: PALETTE })
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(box).toBeFocused({ timeout: 500 })
  }).toPass()
  return box
}

test('the command palette by keyboard alone; sign-out and help are on every page', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/users')
  const navigation = page.getByRole('navigation', { name: 'Administration' })
  const signOut = navigation.getByRole('link', { name: 'Sign out' })
  await expect(signOut).toHaveAttribute('href', '/logout')
  await expect(navigation.getByRole('link', { name: 'Help and documents' })).toBeVisible()
  const box = await openPalette(page)
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await box.fill('alice')
  await expect(page.getByRole('option', { name: /Alice Clerk.*User/ })).toBeVisible()
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
  await page.getByRole('button', { name: /^Go to/ }).click()
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('')
  await box.fill('manager')
  await expect(page.getByRole('option', { name: /Manager/ }).first()).toBeVisible()
  await box.fill('grant')
  await expect(page.getByRole('option', { name: /^Grant a role or permission/ })).toBeVisible()
  await box.fill('audit')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin\/audit/)
})

test('a palette whose script does not load says so, and the page stays as it was', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/users/new')
  await page.getByLabel('Name', { exact: true }).fill('Half typed')
  await page.route('**/_next/static/**', (route) => route.abort())
  const dialog = page.getByRole('dialog')
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(dialog).toContainText('did not respond', { timeout: 500 })
  }).toPass()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half typed')
})
