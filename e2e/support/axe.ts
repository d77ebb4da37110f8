import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Looks once the page is there as a whole: Next brings its title last. */
export async function expectNoViolations(page: Page): Promise<void> {
  await expect(page).toHaveTitle(/\S/)
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
}
