import { expect, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { OPPOSITE_LOOKS } from '../support/looks'

const PAGES = ['/docs', '/docs/concepts', '/docs/how-to/machine-to-machine', '/docs/errors']

for (const [colorScheme, locale, width] of OPPOSITE_LOOKS)
  test.describe(`the documents: ${colorScheme}, ${locale}, ${width} px`, () => {
    test.use({ colorScheme, locale, viewport: { width, height: 900 } })

    test('have no accessibility violations, no sideways scrolling and a quiet console', async ({
      page,
    }) => {
      test.slow()
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      for (const path of PAGES) {
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        const sideways = () => document.documentElement.scrollWidth - window.innerWidth
        expect(await page.evaluate(sideways), path).toBe(0)
        await expectNoViolations(page)
      }
      expect(complaints).toEqual([])
    })
  })

test('the search goes on without a network once its list is there', async ({ page, context }) => {
  await page.goto('/docs')
  await page.waitForLoadState('networkidle')
  const list = page.waitForResponse('**/docs/sections.json')
  await page.getByRole('searchbox').focus()
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
