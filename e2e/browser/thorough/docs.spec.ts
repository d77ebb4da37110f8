import { expect, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 900 } })

  test('a guide with examples and a page of wide tables fit', async ({ page }) => {
    for (const path of ['/docs/how-to/machine-to-machine', '/docs/errors']) {
      await page.goto(path)
      await expectNoViolations(page)
    }
  })
})

test('the search goes on without a network once its list is there', async ({ page, context }) => {
  await page.goto('/docs')
  const list = page.waitForResponse('**/docs/sections.json')
  // The page's script may not listen yet.
  let isHere = false
  list.then(() => {
    isHere = true
  })
  await expect(async () => {
    await page.getByRole('searchbox').blur()
    await page.getByRole('searchbox').focus()
    await expect.poll(() => isHere, { timeout: 500 }).toBe(true)
  }).toPass()
  await (await list).finished()
  await context.setOffline(true)
  await page.getByRole('searchbox').fill('mfa_required')
  await expect(page.getByRole('link', { name: /^mfa_required/ })).toBeVisible()
  await page.getByRole('searchbox').fill('xyzzy')
  await expect(page.getByRole('status').filter({ hasText: 'Nothing found' })).toBeVisible()
})

test('a drawing has the theme of the page and not that of the system', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/docs/concepts')
  await page.getByRole('button', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  const drawing = page.getByRole('img', { name: /^A user signs in/ })
  await expect(drawing).toHaveCount(1)
  await expect(drawing).toHaveAttribute('src', /theme=dark/)
})
