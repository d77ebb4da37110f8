import { expect, type Page, test } from '@playwright/test'

/** The meter beside a new password: fetched when somebody begins to type one, and never to sign in. */

const LARGE = 300_000

/** The sizes of the scripts that a page has fetched so far. */
function watchScripts(page: Page): number[] {
  const sizes: number[] = []
  page.on('response', async (response) => {
    if (!response.url().includes('/_next/static/') || !response.url().endsWith('.js')) return
    sizes.push((await response.body().catch(() => Buffer.alloc(0))).length)
  })
  return sizes
}

const large = (sizes: number[]) => sizes.filter((size) => size > LARGE).length

test.use({ locale: 'en-GB' })

test('signing in fetches no dictionary, however much is typed', async ({ page }) => {
  const sizes = watchScripts(page)
  await page.goto('/login?identifier=somebody%40example.org')
  await page.locator('#password').pressSequentially('a password of some length')
  await page.waitForLoadState('networkidle')
  expect(large(sizes)).toBe(0)
})

test('what is on the list is refused, with the meter and without', async ({ browser }) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage()
    await page.goto('/register')
    await page.locator('#name').fill('Nell')
    await page.locator('#email').fill('nell@example.org')
    await page.locator('#password').fill('1qaz2wsx3edc4rfv')
    await page.locator('main button[type=submit]').click()
    await expect(page.locator('#password')).toHaveAccessibleDescription(/less common one/)
    await page.close()
  }
})
