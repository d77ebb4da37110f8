import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** WCAG 2.2 AA 2.5.8, which axe leaves out unless asked. */
const RULES = { 'target-size': { enabled: true } }

type Part = {
  /** Only at a part of the page. */
  within?: string
  /** A rule that another look has tried. */
  without?: string
}

/** Looks once the page is there as a whole: Next brings its title last. */
export async function expectNoViolations(
  page: Page,
  { within, without }: Part = {},
): Promise<void> {
  await expect(page).toHaveTitle(/\S/)
  // In the page itself, and nothing but violations: half the time. No page of ours has a frame.
  const skipped = without === undefined ? {} : { [without]: { enabled: false } }
  const options = { rules: { ...RULES, ...skipped }, resultTypes: ['violations' as const] }
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

const COLOURS = { runOnly: ['color-contrast'] }

/**
 * `opposite`: a narrow page in light colours and a wide one in dark colours. `all`: each theme in
 * each width. A theme changes nothing but colours, so only they are looked at again.
 */
export type Looks = 'opposite' | 'all'

/** THOROUGH=1: see docs/testing.md. */
export const USUAL_LOOKS: Looks = process.env.THOROUGH === '1' ? 'all' : 'opposite'

export async function expectNoViolationsInAnyLook(page: Page, looks = USUAL_LOOKS): Promise<void> {
  const expectNone = async (look: string, options: object) => {
    const place = `${page.url()}, ${look}`
    expect([place, await violationsAgain(page, options)]).toEqual([place, []])
  }
  await page.setViewportSize({ width: 390, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoViolations(page)
  await expectFits(page)
  await page.evaluate(stopTransitions)
  await page.emulateMedia({ colorScheme: 'dark' })
  if (looks === 'all') await expectNone('dark, 390 px', COLOURS)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectNone('dark, 1440 px', { rules: RULES })
  await expectFits(page)
  await page.emulateMedia({ colorScheme: 'light' })
  if (looks === 'all') await expectNone('light, 1440 px', COLOURS)
}

/**
 * In another language: it changes the words and their lengths, but no element and no colour. `all`
 * looks at the elements again.
 */
export async function expectWordsFit(page: Page, looks = USUAL_LOOKS): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectFits(page)
  await page.setViewportSize({ width: 390, height: 900 })
  await expectFits(page)
  if (looks === 'all') await expectNoViolations(page, { without: 'color-contrast' })
}

/** A colour on its way from one theme to the other is neither. */
function stopTransitions(): void {
  const still = new CSSStyleSheet()
  still.replaceSync('*, ::before, ::after { transition: none !important }')
  document.adoptedStyleSheets.push(still)
}

async function expectFits(page: Page): Promise<void> {
  const beyond = () => document.documentElement.scrollWidth - window.innerWidth
  expect([page.url(), await page.evaluate(beyond)]).toEqual([page.url(), 0])
}
