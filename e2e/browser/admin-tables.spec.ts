import { expect, type Locator, type Page, test } from '@playwright/test'
import { enterAsOwner } from '../support/sign-in'

/** Tables of the administration: order, columns, search, keys, and what is on its way. */

/** The page's script may not listen yet. */
async function pressUntilFocused(page: Page, key: string, wanted: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key)
    await expect(wanted).toBeFocused({ timeout: 300 })
  }).toPass()
}

test('order, columns, search and page are the address; keys walk the rows', async ({ page }) => {
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

test('while another page of a table is on its way, its rows are a skeleton', async ({ page }) => {
  await enterAsOwner(page, '/admin/applications')
  const table = page.locator('[data-table]')
  await expect(table).toHaveAttribute('aria-busy', 'false')
  // A page that is about to go away cannot be asked, so it tells by itself.
  await table.evaluate((element) => {
    const tell = () => fetch(`/healthz?busy=${element.getAttribute('aria-busy')}`)
    new MutationObserver(tell).observe(element, { attributes: true })
  })
  const toldBusy = page.waitForRequest(/busy=true/)
  await page.route(/sort=/, async (route) => {
    await toldBusy
    await route.continue()
  })
  await page.getByRole('columnheader', { name: /^Name/ }).getByRole('link').click()
  await expect(page).toHaveURL(/sort=/)
  await expect(table).toHaveAttribute('aria-busy', 'false')
})
