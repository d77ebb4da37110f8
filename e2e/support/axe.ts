import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** WCAG 2.2 AA 2.5.8, which axe leaves out unless asked. */
const RULES = { 'target-size': { enabled: true } }

/** Looks once the page is there as a whole: Next brings its title last. `within`: at a part of it. */
export async function expectNoViolations(page: Page, within?: string): Promise<void> {
  await expect(page).toHaveTitle(/\S/)
  // In the page itself, and nothing but violations: half the time. No page of ours has a frame.
  const options = { rules: RULES, resultTypes: ['violations' as const] }
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options(options)
  if (within !== undefined) axe.include(within)
  expect((await axe.analyze()).violations).toEqual([])
}

type Axe = { run(options: object): Promise<{ violations: { id: string; nodes: unknown[] }[] }> }

/** The same document once more, after a change of its look: axe is in it already. */
async function violationsAgain(page: Page, options: object): Promise<unknown[]> {
  return page.evaluate(async (asked) => {
    const { axe } = window as unknown as { axe: Axe }
    const { violations } = await axe.run({ ...asked, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => ({ id, nodes }))
  }, options)
}

/**
 * In both themes and both widths, in one language. A theme changes nothing but colours, so only
 * they are looked at again; another width may show other parts, so all is.
 */
export async function expectNoViolationsInAnyLook(page: Page): Promise<void> {
  const colours = { runOnly: ['color-contrast'] }
  await page.setViewportSize({ width: 390, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violationsAgain(page, colours), `${page.url()}, dark, 390`).toEqual([])
  expect([page.url(), await overflow(page)]).toEqual([page.url(), 0])
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await violationsAgain(page, { rules: RULES }), `${page.url()}, dark, 1440`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await violationsAgain(page, colours), `${page.url()}, light, 1440`).toEqual([])
  expect([page.url(), await overflow(page)]).toEqual([page.url(), 0])
}

function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
}
