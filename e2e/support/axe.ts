import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'
import { isThorough } from './thorough'

export const NARROW = { width: 390, height: 900 }
export const WIDE = { width: 1440, height: 900 }

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** WCAG 2.2 AA 2.5.8, which axe leaves out unless asked. */
const EVERY_RULE: RunOptions = { rules: { 'target-size': { enabled: true } } }
/** A theme changes nothing but colours. */
const COLOURS: RunOptions = { runOnly: ['color-contrast'] }
/** These rows are made of the same parts as the first ones, and take seconds. */
const FURTHER_ROWS = 'tbody tr:nth-child(n + 6)'
/** Around every page of an area; every-page.spec.ts looks at it once for each area. */
const FRAME = ['nav:not(main nav)', 'footer:not(main footer)']

/** As the page looks now, and with THOROUGH=1 in both themes at both widths. */
export async function expectNoViolations(
  page: Page,
  { within = 'html', withFrame = isThorough } = {},
): Promise<void> {
  // Next brings the title last.
  await expect(page).toHaveTitle(/\S/)
  const part: Part = { within, without: withFrame ? [FURTHER_ROWS] : [FURTHER_ROWS, ...FRAME] }
  await expectFits(page)
  // axe waits by timers, which stand still where scripts are off; with them the page is the same.
  if (await page.evaluate(() => matchMedia('(scripting: none)').matches)) return
  await expectNone(page, part, EVERY_RULE)
  if (isThorough) await expectNoneInAnyLook(page, part)
}

async function expectNoneInAnyLook(page: Page, part: Part): Promise<void> {
  const before = page.viewportSize() ?? WIDE
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const themes = isDark ? (['light', 'dark'] as const) : (['dark', 'light'] as const)
  await page.evaluate(stopTransitions)
  for (const viewport of [NARROW, WIDE]) {
    await page.setViewportSize(viewport)
    await expectFits(page)
    for (const [at, colorScheme] of themes.entries()) {
      await page.emulateMedia({ colorScheme })
      await expectNone(page, part, at === 0 ? COLOURS : EVERY_RULE)
    }
  }
  await page.setViewportSize(before)
}

/** Nothing is wider than the window. */
export async function expectFits(page: Page): Promise<void> {
  const beyond = () => document.documentElement.scrollWidth - window.innerWidth
  expect([page.url(), await page.evaluate(beyond)]).toEqual([page.url(), 0])
}

type Part = { within: string; without: string[] }
type Asked = Part & { options: RunOptions }
type Axe = { run(context: object, options: RunOptions): Promise<AxeResults> }

/** In the page itself, for none of ours has a frame. A document keeps axe until it is left. */
async function expectNone(page: Page, part: Part, rules: RunOptions): Promise<void> {
  const hasAxe = await page.evaluate(() => 'axe' in window)
  if (!hasAxe) await page.evaluate(SOURCE)
  const options: RunOptions = { ...rules, resultTypes: ['violations'] }
  const asked: Asked = { ...part, options }
  const found = await page.evaluate(async ({ within, without, options }: Asked) => {
    const { axe } = window as unknown as { axe: Axe }
    const { violations } = await axe.run({ include: [within], exclude: without }, options)
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
    }))
  }, asked)
  expect([page.url(), found]).toEqual([page.url(), []])
}

/** A colour on its way from one theme to the other is neither. */
function stopTransitions(): void {
  const still = new CSSStyleSheet()
  still.replaceSync('*, ::before, ::after { transition: none !important }')
  document.adoptedStyleSheets.push(still)
}
