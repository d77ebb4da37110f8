import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Looks once the page is there as a whole: Next brings its title last. `within`: at a part of it. */
export async function expectNoViolations(page: Page, within?: string): Promise<void> {
  await expect(page).toHaveTitle(/\S/)
  // In the page itself, and nothing but violations: half the time. No page of ours has a frame.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  if (within !== undefined) axe.include(within)
  expect((await axe.analyze()).violations).toEqual([])
}
