import { expect, type Page, test } from '@playwright/test'
import { demo, newPerson } from '../support/people'
import { enterAs, enterAsOwner } from '../support/sign-in'
import { isThorough } from '../support/thorough'

/** Pages for those who use the keyboard, large letters, few colours or another direction. */

function address(): string {
  const { client_id, redirect_uris } = demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const scope = 'openid profile orders:read'
  const asked = { client_id, redirect_uri, response_type: 'code', scope, state: 's' }
  return `/oidc/auth?${new URLSearchParams(asked)}`
}

/** What is wider than the window, if the page is. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      return left < -1 || right > clientWidth + 1
    })
    return wide.map(({ tagName, className }) => `${tagName} ${className}`).slice(0, 5)
  })

type Stop = { name: string; seen: boolean; marked: boolean; size: number }

/** Where the focus is, whether any of it can be seen there, and whether it is marked (2.4.7, 2.4.11). */
function stopAt(): Stop | null {
  const { activeElement: element } = document
  if (!element || element === document.body) return null
  const box = element.getBoundingClientRect()
  const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [x, y] as const))
  const seen = points.some(([x, y]) => {
    const hit = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y)
    return hit !== null && (element.contains(hit) || hit.contains(element))
  })
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const text = element.getAttribute('aria-label') ?? element.textContent ?? ''
  return {
    name: `${element.tagName} ${element.id} ${text.trim().slice(0, 30)}`,
    seen,
    marked: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1,
    size: Math.min(box.width, box.height),
  }
}

/** Goes through the page with Tab, until the focus leaves it; gives back what was wrong. */
async function walk(page: Page): Promise<{ stops: number; faults: string[] }> {
  const faults: string[] = []
  for (let stops = 0; stops < 150; stops += 1) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(stopAt)
    if (stop === null) return { stops, faults }
    if (!stop.seen) faults.push(`${page.url()}: hidden: ${stop.name}`)
    if (!stop.marked) faults.push(`${page.url()}: not marked: ${stop.name}`)
  }
  throw new Error(`the keyboard does not leave ${page.url()}`)
}

const WALKED = [
  ['/login', 6],
  ['/account/security', 15],
  ['/admin/users', 25],
  ['/admin/applications/app_demo_web/branding', 25],
] as const

for (const width of isThorough ? [390, 1440] : [390])
  test(`every stop of the keyboard is seen and marked, and the keyboard leaves the page, at ${width} px (WCAG 2.1.2, 2.4.7, 2.4.11)`, async ({
    page,
  }) => {
    test.slow()
    await page.setViewportSize({ width, height: 700 })
    await enterAsOwner(page, '/admin/users')
    for (const [path, least] of WALKED) {
      await page.goto(path)
      await expect(page.locator('h1')).toBeVisible()
      const { stops, faults } = await walk(page)
      expect(faults).toEqual([])
      expect(stops, path).toBeGreaterThan(least)
    }
  })

test('nothing is lost at 200 %, from right to left, in forced colours, and nothing moves that should not', async ({
  page,
}) => {
  test.slow()
  const person = await newPerson('Vera')
  // 1280 px at 200 % (WCAG 1.4.4).
  await page.setViewportSize({ width: 640, height: 480 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const look = async () => {
    await expect(page.locator('h1').first()).toBeVisible()
    expect(await tooWide(page), `${page.url()} at 200 %`).toEqual([])
    const moving = () =>
      [...document.querySelectorAll('*')]
        .map((element) => getComputedStyle(element))
        .flatMap((style) => [style.transitionDuration, style.animationDuration])
        .flatMap((durations) => durations.split(', '))
        .filter((duration) => Number.parseFloat(duration) > 0.001)
    expect(await page.evaluate(moving), `${page.url()} moves`).toEqual([])
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    expect(await tooWide(page), `${page.url()} from right to left`).toEqual([])
    const mirrored = () => {
      const { left, right } = document.querySelector('h1')?.getBoundingClientRect() ?? new DOMRect()
      return innerWidth - right < left || innerWidth - right < 60
    }
    expect(await page.evaluate(mirrored)).toBe(true)
    await page.evaluate(() => {
      document.documentElement.dir = 'ltr'
      document.documentElement.style.fontSize = '200%'
    })
    // Letters alone twice as large, in the window of a desk.
    await page.setViewportSize({ width: 1280, height: 900 })
    expect(await tooWide(page), `${page.url()} with large letters`).toEqual([])
    await page.setViewportSize({ width: 640, height: 480 })
  }
  await page.goto(address())
  await look()
  await enterAs(page, person, address())
  await expect(page).toHaveURL(/\/consent\?/)
  await look()

  // A button has an edge and a focus a mark, also where colours are the system's.
  await page.emulateMedia({ forcedColors: 'active' })
  const allow = page.getByRole('button', { name: 'Allow' })
  await allow.focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(allow).toHaveCSS('border-top-style', 'solid')
  await expect(allow).toHaveCSS('outline-style', 'solid')
  await page.emulateMedia({ forcedColors: 'none' })
  await page.goto('/account/security')
  await look()
  await enterAsOwner(page, '/admin/users')
  await look()
})
