import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { expectNoViolationsInAnyLook, expectWordsFit } from '../support/axe'
import { filledPath, pageTree } from '../support/page-tree'
import { type Portal, startPortal } from '../support/portal'
import { typeSignIn } from '../support/sign-in'
import { thingsIn } from '../support/things'

const pages = [
  '/',
  '/login',
  '/login?identifier=somebody',
  '/setup?token=expired',
  '/logout',
  '/nothing/here',
]
const LANGUAGES: Record<string, string> = { 'en-GB': 'en', 'zh-CN': 'zh-Hans' }
const FITS = 'nothing beyond the edge'
const WHAT: Record<string, string> = {
  en: `no accessibility violations in both themes and widths, ${FITS}`,
  'zh-Hans': FITS,
}

function collectComplaints(page: Page, own404: boolean): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // Chromium reports the status of the document itself as a console error.
    if (own404 && message.text().includes('404')) return
    complaints.push(message.text())
  })
  return complaints
}

/** A stranger of its own each time: attempts are counted per account. Gives back who was tried. */
async function submitWrongPassword(page: Page): Promise<string> {
  const stranger = `nobody-${crypto.randomUUID()}@example.org`
  await page.goto('/login')
  await typeSignIn(page, stranger, 'not the right password')
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
  return stranger
}

test.describe('ux 39', () => {
  // Of its own: something of every kind is made in it.
  let portal: Portal
  let named: Record<string, string> = {}
  test.beforeAll(async () => {
    portal = await startPortal({ args: ['--demo'], env: { REGISTRATION: 'open' } })
    // A change that nobody asked for: e2e/http/mcp.test.ts looks at real ones.
    const change = 'chg_of-nobody-at-all'
    // e2e/browser/access-requests.spec.ts looks at real requests.
    const request = 'arq_of-nobody-at-all'
    const things = { ...(await thingsIn(portal)), change, request }
    named = { ...things, path: 'concepts', tag: 'applications' }
  })
  test.afterAll(() => portal.stop())

  /** Pages that stand on what their query says. */
  const QUERIES: Readonly<Record<string, string>> = {
    '/admin/apis/[api]/item': '?key=orders:read',
    '/device/done': '?result=approved',
    '/admin/reports/clean-up': '?client=app_demo_machine',
    '/admin/users/bulk': '?do=disable&id=usr_demo_alice',
    '/admin/simulator': '?client=app_demo_web&user=usr_demo_alice&scope=openid+orders:refund',
    '/admin/why': '?user=usr_demo_bob&permission=orders:refund',
    '/admin/tools/playground': '?client=app_demo_web',
  }
  /** A machine has no users, so some pages are about another application. */
  const OF_USERS = /\[app\]\/(branding|claims|consent|people)$/
  const address = (page: string) => {
    const app = OF_USERS.test(page) ? 'app_demo_web' : (named.app ?? '')
    return `${portal.origin}${filledPath(page, { ...named, app })}${QUERIES[page] ?? ''}`
  }

  const tree = pageTree()
  const inside = tree.filter((page) => /^\/(account|admin)/.test(page))
  const extra = ['/login?identifier=somebody', '/nothing/here']
  const outside = [...tree.filter((page) => !inside.includes(page)), ...extra]
  const third = Math.ceil(inside.length / 3)
  const PARTS = [outside, ...[0, 1, 2].map((at) => inside.slice(at * third, (at + 1) * third))]

  for (const [locale, lang] of Object.entries(LANGUAGES))
    test.describe(locale, () => {
      test.use({ locale })

      for (const [at, part] of PARTS.entries())
        test(`ux 39: every page (part ${at + 1} of ${PARTS.length}) in ${lang}: ${WHAT[lang]}, a quiet console`, async ({
          page,
        }) => {
          test.setTimeout(300_000)
          if (part !== outside) await enterHere(page)
          const complaints = collectComplaints(page, true)
          for (const path of part) {
            // The documents are in English only; e2e/browser/docs.spec.ts looks at their frame.
            if (lang !== 'en' && path.startsWith('/docs/')) continue
            await page.goto(address(path))
            await expect(page.locator('html')).toHaveAttribute('lang', lang)
            await expect(page.locator('h1').first()).toBeVisible()
            await (lang === 'en' ? expectNoViolationsInAnyLook(page) : expectWordsFit(page))
          }
          expect(complaints).toEqual([])
        })

      test(`ux 39: the login error has no accessibility violations, in ${lang}`, async ({
        page,
      }) => {
        await submitWrongPassword(page)
        await expectNoViolationsInAnyLook(page)
      })
    })

  async function enterHere(page: Page): Promise<void> {
    const { email, password } = portal.demo().admin
    await page.goto(`${portal.origin}/login?returnTo=%2Faccount`)
    await typeSignIn(page, email, password)
    await expect(page).toHaveURL(`${portal.origin}/account`)
  }
})

test.describe('a wrong password', () => {
  test('gives one text, keeps the identifier and focuses the summary', async ({ page }) => {
    const stranger = await submitWrongPassword(page)
    const summary = page.getByRole('alert').filter({ hasText: /\S/ })
    await expect(summary).toContainText("That email and password don't match")
    await expect(summary).toBeFocused()
    await expect(page.getByText(stranger)).toBeVisible()
    await expect(page.locator('#password')).toHaveValue('')
  })

  test('an empty field is named, at each of the two steps', async ({ page }) => {
    await page.goto('/login')
    await page.locator('main button[type=submit]').click()
    await expect(page.locator('#identifier')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.locator('#identifier')).toHaveAccessibleDescription(
      /email address or username/,
    )
    await page.locator('#identifier').fill('somebody@example.org')
    await page.locator('main button[type=submit]').click()
    await expect(page.locator('#password')).toBeFocused()
    await page.locator('main button[type=submit]').click()
    await expect(page.locator('#password')).toHaveAccessibleDescription(/password/)
  })
})

test.describe('the password field', () => {
  test('shows and hides what was typed, and keeps the caret', async ({ page }) => {
    await page.goto('/login?identifier=somebody')
    const input = page.locator('#password')
    const toggle = page.getByRole('button', { name: 'Show password' })
    await input.fill('abcdef')
    await input.press('ArrowLeft')
    await toggle.click()
    await expect(toggle).toHaveAttribute('aria-pressed', 'true')
    await expect(input).toHaveAttribute('type', 'text')
    await expect(input).toBeFocused()
    await expect
      .poll(() => input.evaluate((element: HTMLInputElement) => element.selectionStart))
      .toBe(5)
    await toggle.click()
    await expect(input).toHaveAttribute('type', 'password')
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, colorScheme: 'light' })

  test('the language can be chosen, and the page stays where it was', async ({ page }) => {
    await page.goto('/login?returnTo=%2Flogout')
    await page.getByRole('button', { name: '简体中文' }).click()
    await expect(page).toHaveURL(/\/login\?returnTo=%2Flogout$/)
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
    await expect(page.locator('h1')).toHaveText('登录')
  })

  test('the appearance can be chosen', async ({ page }) => {
    await page.goto('/')
    const background = () =>
      page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
    const light = await background()
    await page.getByRole('button', { name: 'Dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    expect(await background()).not.toBe(light)
  })

  test('a wrong password is answered in the page', async ({ page }) => {
    const stranger = await submitWrongPassword(page)
    await expect(page.getByRole('alert')).toContainText("That email and password don't match")
    await expect(page.getByText(stranger)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Show password' })).toBeHidden()
  })
})

test.describe('headers of every page', () => {
  for (const path of [...pages, '/missing.txt', '/oidc/nope', '/.well-known/nope', '/api/nope'])
    test(`${path} carries the whole set`, async ({ request }) => {
      const response = await request.get(path)
      const headers = response.headers()
      const policy = headers['content-security-policy'] ?? ''
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe-')
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      })
      expect(headers['cache-control']).toContain('no-store')
      expect(headers['permissions-policy']).toContain('camera=()')
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(scriptsWithout(nonce, await response.text())).toEqual([])
    })

  test('the nonce is new every time', async ({ request }) => {
    const [first, second] = [await request.get('/'), await request.get('/')]
    const policy = 'content-security-policy'
    expect(first.headers()[policy]).not.toBe(second.headers()[policy])
  })

  test('files in public/ are left alone', async ({ request }) => {
    for (const file of [
      '/favicon.ico',
      '/favicon.svg',
      '/logo.svg',
      '/wordmark.svg',
      '/robots.txt',
    ]) {
      const response = await request.get(file)
      expect(response.status()).toBe(200)
      expect(response.headers()).not.toHaveProperty('content-security-policy')
    }
  })
})

function scriptsWithout(nonce: string | undefined, html: string): string[] {
  const tags = html.match(/<script\b[^>]*>/g) ?? []
  return tags.filter((tag) => !nonce || !tag.includes(`nonce="${nonce}"`))
}

test.describe('a way back that leads elsewhere (A16)', () => {
  for (const target of ['//evil.test', '/\\evil.test', '/%09/evil.test', 'https:evil.test'])
    test(`${target} becomes the front page`, async ({ page, request }) => {
      await page.goto(`/login?identifier=a&returnTo=${encodeURIComponent(target)}`)
      await expect(page.locator('main input[name=returnTo]')).toHaveValue('/')
      const html = await (
        await request.get(`/login/continue?to=${encodeURIComponent(target)}`)
      ).text()
      expect(html).toContain('content="0;url=/"')
    })
})

test.describe('an address where nothing is', () => {
  test('404, kind words and a way back', async ({ page }) => {
    const response = await page.goto('/nothing/here')
    expect(response?.status()).toBe(404)
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await expect(page).toHaveURL(/\/$/)
  })
})

test.describe('POST /preferences', () => {
  const choose = { theme: 'dark', returnTo: '/login' }

  test('303 to the page that asked', async ({ request, baseURL }) => {
    const response = await request.post('/preferences', {
      form: choose,
      headers: { origin: new URL(baseURL ?? '').origin },
      maxRedirects: 0,
    })
    expect(response.status()).toBe(303)
    expect(response.headers().location).toBe('/login')
    expect(response.headers()['set-cookie']).toMatch(/gatehouse\.theme=dark;.*SameSite=lax/i)
  })

  test('never leads to another site', async ({ request, baseURL }) => {
    const response = await request.post('/preferences', {
      form: { ...choose, returnTo: '//evil.test' },
      headers: { origin: new URL(baseURL ?? '').origin },
      maxRedirects: 0,
    })
    expect(response.headers().location).toBe('/')
  })

  test('403 from another site', async ({ request }) => {
    for (const headers of [
      { origin: 'https://evil.test' },
      { 'sec-fetch-site': 'cross-site', origin: 'null' },
    ]) {
      const response = await request.post('/preferences', {
        form: choose,
        headers,
        maxRedirects: 0,
      })
      expect(response.status()).toBe(403)
      expect(response.headers()).not.toHaveProperty('set-cookie')
    }
  })
})

test.describe('what the person chose', () => {
  test('beats the system and the browser', async ({ page, context, baseURL }) => {
    await remember(context, baseURL ?? '', {
      'gatehouse.locale': 'zh-Hans',
      'gatehouse.theme': 'dark',
    })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
    const scheme = () => getComputedStyle(document.documentElement).colorScheme
    expect(await page.evaluate(scheme)).toBe('dark')
  })

  test('garbage in the cookies is ignored', async ({ page, context, baseURL }) => {
    await remember(context, baseURL ?? '', { 'gatehouse.locale': '../x', 'gatehouse.theme': '<b>' })
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'system')
  })
})

async function remember(context: BrowserContext, url: string, cookies: Record<string, string>) {
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })))
}
