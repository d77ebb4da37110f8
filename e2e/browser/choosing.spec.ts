import { expect, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { enterAsOwner } from '../support/sign-in'

/** Choosing by name instead of typing an ID, in a real browser. */

test('an application and a user are chosen by keyboard alone, and announced', async ({ page }) => {
  await enterAsOwner(page, '/admin/simulator')
  const client = page.getByRole('combobox', { name: 'Application or access key' })
  await client.fill('demo web')
  const option = page.getByRole('option', { name: /^Demo web app/ })
  await expect(option).toBeVisible()
  await expect(client).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('status').filter({ hasText: '1 result' })).toHaveCount(1)
  await expectNoViolations(page)
  // Nothing is chosen before somebody does.
  await expect(option).toHaveAttribute('aria-selected', 'false')
  await page.keyboard.press('ArrowDown')
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expect(client).toHaveAttribute(
    'aria-activedescendant',
    (await option.getAttribute('id')) ?? '',
  )
  await page.keyboard.press('Enter')
  await expect(client).toHaveValue('Demo web app')
  await expect(client).toHaveAttribute('aria-expanded', 'false')

  await page.keyboard.press('Tab')
  const user = page.getByRole('combobox', { name: 'User', exact: true })
  await expect(user).toBeFocused()
  await page.keyboard.type('ali')
  await expect(page.getByRole('option', { name: /^Alice Clerk/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox', { name: 'Suggestions' })).toBeHidden()
  await expect(user).toHaveValue('ali')
  await page.keyboard.press('Escape')
  await expect(user).toHaveValue('')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: /^Bob Manager/ })).toBeVisible()
  await page.keyboard.type('ali')
  await page.getByRole('option', { name: /^Alice Clerk/ }).click()

  const scopes = page.getByRole('combobox', { name: 'Scopes' })
  await scopes.fill('openid orders:ref')
  await page.getByRole('option', { name: /^orders:refund/ }).click()
  await expect(scopes).toHaveValue('openid orders:refund ')
  await page.getByRole('button', { name: 'Simulate' }).click()
  // The address has IDs, the fields have names.
  await expect(page).toHaveURL(/client=app_demo_web&user=usr_demo_alice/)
  await expect(client).toHaveValue('Demo web app')
  await expect(user).toHaveValue('Alice Clerk')
})
