import { existsSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { WITH_FONTS } from '../playwright.config'
import { expectFits, expectNoViolations, NARROW, WIDE } from '../support/axe'
import { OldBrowser } from '../support/old-browser'
import { filledPath, pageTree } from '../support/page-tree'
import { type Portal, startPortal } from '../support/portal'
import { thingsIn } from '../support/things'
import { isThorough } from '../support/thorough'

/**
 * Every page once: usually every second one narrow in light colours and the others wide in dark
 * ones, and in the other language the pages before a sign-in. With THOROUGH=1 each page in both
 * themes, at both widths and in both languages.
 */

// One after the other: they share a portal of their own, in which something of every kind is made.
test.describe.configure({ mode: 'default' })

test.use({ launchOptions: WITH_FONTS })

/** Of the API reference. Its groups are made of the same parts; a large one takes axe seconds. */
const GROUP = isThorough ? 'applications' : 'access-keys'

let portal: Portal
let named: Record<string, string> = {}
let owner: OldBrowser

test.beforeAll(async () => {
  portal = await startPortal({ args: ['--demo'], env: { REGISTRATION: 'open' } })
  // e2e/http/mcp.test.ts and access-requests.spec.ts look at real ones.
  const unknown = { change: 'chg_of-nobody-at-all', request: 'arq_of-nobody-at-all' }
  named = { ...(await thingsIn(portal)), ...unknown, path: 'concepts', tag: GROUP }
  owner = new OldBrowser(portal.origin)
  await owner.signIn(await owner.open('/login'), portal.demo().admin)
})
test.afterAll(() => portal.stop())

/** Pages that stand on what their query says. */
const QUERIES: Readonly<Record<string, string>> = {
  '/admin/apis/[api]/item': '?key=orders:read',
  '/device/done': '?result=approved',
  '/admin/reports/clean-up': '?client=app_demo_machine',
  '/admin/users/bulk': '?do=disable&id=usr_demo_alice',
  '/admin/users/[user]/merge': '?from=usr_demo_bob',
  '/admin/simulator': '?client=app_demo_web&user=usr_demo_alice&scope=openid+orders:refund',
  '/admin/why': '?user=usr_demo_bob&permission=orders:refund',
  '/admin/tools/playground': '?client=app_demo_web',
}
/** A machine has no users, so some pages are about another application. */
const OF_USERS = /\[app\]\/(branding|claims|consent|people)$/

function addressOf(page: string): string {
  const app = OF_USERS.test(page) ? 'app_demo_web' : (named.app ?? '')
  return `${portal.origin}${filledPath(page, { ...named, app })}${QUERIES[page] ?? ''}`
}

/** The two that have words for every page; then the longest words, and the other direction. */
const LANGUAGES: Readonly<Record<string, string>> = {
  'en-GB': 'en',
  'zh-CN': 'zh-Hans',
  ...(isThorough && { 'de-DE': 'de', 'ar-EG': 'ar' }),
}

/** What `npm test -- --changed` asks for. */
const ONLY = (process.env.ONLY_PAGES ?? '').split(' ').filter((page) => page !== '')
const pages = [...pageTree(), '/login?identifier=somebody', '/nothing/here'].filter(
  (page) => ONLY.length === 0 || ONLY.includes(page.split('?')[0] ?? ''),
)
const inside = pages.filter((page) => /^\/(account|admin)/.test(page))
const third = Math.ceil(inside.length / 3)
const PARTS: readonly (readonly [name: string, pages: readonly string[]])[] = [
  ['before a sign-in', pages.filter((page) => !inside.includes(page))],
  ['signed in, 1 of 3', inside.slice(0, third)],
  ['signed in, 2 of 3', inside.slice(third, 2 * third)],
  ['signed in, 3 of 3', inside.slice(2 * third)],
]

for (const [locale, language] of Object.entries(LANGUAGES))
  test.describe(locale, () => {
    test.use({ locale })

    for (const [part, all] of PARTS) {
      const isBefore = part === 'before a sign-in'
      const addresses = all.filter((path) => isIn(language, path))
      if (addresses.length === 0 || (language !== 'en' && !isThorough && !isBefore)) continue
      const promise = language === 'en' ? 'no violation of WCAG 2.2 AA' : 'the words fit'
      test(`${promise}, and a quiet console, in ${language}: ${part}`, async ({ page }) => {
        test.setTimeout(900_000)
        if (!isBefore) await enter(page)
        const complaints = collectComplaints(page)
        for (const [at, path] of addresses.entries()) {
          // The documents are in English only.
          if (language !== 'en' && path.startsWith('/docs/')) continue
          await open(page, path, at)
          await expect(page.locator('html')).toHaveAttribute('lang', language)
          // A change of the language changes neither elements nor colours.
          if (language === 'en' || isThorough) await lookAt(page, path, addresses[at - 1])
          else await expectFits(page)
          await page.setViewportSize(at % 2 === 0 ? WIDE : NARROW)
          await expectFits(page)
        }
        expect(complaints).toEqual([])
      })
    }
  })

/** A language may have words for people only. */
function isIn(language: string, path: string): boolean {
  const isForAdmins = /^\/(admin|docs|setup)(?![\w-])/.test(path)
  return !isForAdmins || existsSync(`lib/i18n/words/${language}/admin`)
}

const areaOf = (path = '') => path.split('/')[1]

/** What is around the pages of an area is looked at on the first of them. */
async function lookAt(page: Page, path: string, before: string | undefined): Promise<void> {
  const isFirst = areaOf(path) !== areaOf(before)
  await expectNoViolations(page, isFirst ? { withFrame: true } : {})
}

async function enter(page: Page): Promise<void> {
  const url = portal.origin
  const cookies = [...owner.cookies].map(([name, value]) => ({ name, value, url }))
  await page.context().addCookies(cookies)
}

async function open(page: Page, path: string, at: number): Promise<void> {
  const isNarrow = at % 2 === 0
  await page.setViewportSize(isNarrow ? NARROW : WIDE)
  await page.emulateMedia({ colorScheme: isNarrow ? 'light' : 'dark' })
  await page.goto(addressOf(path))
  await expect(page.locator('h1').first()).toBeVisible()
}

function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // Chromium reports the status of the document itself as a console error.
    if (message.text().includes('404')) return
    // The preview of the sign-in page is meant to run nothing.
    if (message.text().startsWith('Blocked script execution')) return
    complaints.push(`${page.url()}: ${message.text()}`)
  })
  return complaints
}
