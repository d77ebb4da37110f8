import { expect, type Page, test } from '@playwright/test'
import { enterAsOwner } from '../support/sign-in'

/** A user is made and deleted, in a real browser. */

const says = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a user is added, refused at the field, and deleted by name', async ({ page }) => {
    await enterAsOwner(page, '/admin/users/new')
    await page.getByLabel('Name', { exact: true }).fill('Nora Noscript')
    await page.getByLabel('Email', { exact: true }).fill('not an address')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Nora Noscript')
    await page.getByLabel('Email', { exact: true }).fill('nora@list.example')
    await page.getByLabel('Send an invitation by mail').uncheck()
    await page.getByRole('button', { name: 'Create' }).click()
    await says(page, 'The user was added.')
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.getByText('Delete…').click()
    await page.locator('#typed').fill('nora@list.example')
    await page.getByRole('button', { name: 'Delete' }).click()
    await says(page, 'The user was deleted.')

    await page.goto('/admin/users/new')
    await page.getByText('More fields').click()
    await page.getByLabel('Username').fill('nowhere')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('alert')).toContainText('The user has no e-mail address.')
  })
})
