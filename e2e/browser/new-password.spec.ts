import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'

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

test('choosing a password says how good it is, in words, and counts one’s own name against it', async ({
  page,
}) => {
  const sizes = watchScripts(page)
  await page.goto('/register')
  const status = page.getByRole('status').filter({ hasText: /\S/ })
  await page.locator('#name').fill('Nellwyn Ravenscroft')
  await page.locator('#email').fill('nellwyn@example.org')
  await page.waitForLoadState('networkidle')
  expect(large(sizes)).toBe(0)
  const password = page.locator('#password')
  await password.pressSequentially('too short')
  await expect(status).toHaveText('6 more characters needed.')
  await expect.poll(() => large(sizes)).toBe(1)
  await password.fill('nellwynravenscroft')
  await expect(status).toHaveText(/guess/)
  await password.fill('seven quiet herons by the weir')
  await expect(status).toHaveText('A strong password.')
  await expectNoViolations(page)
  await password.fill('')
  await expect(status).toHaveCount(0)
})
