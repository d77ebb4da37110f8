import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { demo, newPerson } from '../support/people'
import { typeSignIn } from '../support/sign-in'

/** What every page has: headers, a language and a theme that can be chosen, and a way back. */

async function chooseLanguage(page: Page, name: string) {
  const form = page.locator('form[data-preference=locale]')
  await form.getByRole('combobox').selectOption({ label: name })
  await form.getByRole('button').click()
}

const PAGES = ['/', '/login', '/login?identifier=somebody', '/setup?token=expired', '/logout']
const NOWHERE = ['/nothing/here', '/missing.txt', '/oidc/nope', '/.well-known/nope', '/api/nope']

test('every page has the whole set of headers, and a nonce on every script', async ({
  request,
}) => {
  for (const path of [...PAGES, ...NOWHERE]) {
    const response = await request.get(path)
    const headers = response.headers()
    const policy = headers['content-security-policy'] ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
    expect(policy, path).toContain("frame-ancestors 'none'")
    expect(policy, path).not.toContain('unsafe-')
    expect(headers, path).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(headers['cache-control'], path).toContain('no-store')
    expect(headers['permissions-policy'], path).toContain('camera=()')
    expect(headers, path).not.toHaveProperty('x-powered-by')
    expect(scriptsWithout(nonce, await response.text()), path).toEqual([])
  }
})

function scriptsWithout(nonce: string | undefined, html: string): string[] {
  const tags = html.match(/<script\b[^>]*>/g) ?? []
  return tags.filter((tag) => !nonce || !tag.includes(`nonce="${nonce}"`))
}

test('the nonce is new every time', async ({ request }) => {
  const [first, second] = [await request.get('/'), await request.get('/')]
  const policy = 'content-security-policy'
  expect(first.headers()[policy]).not.toBe(second.headers()[policy])
})

test('files in public/ are left alone', async ({ request }) => {
  const files = ['/favicon.ico', '/favicon.svg', '/logo.svg', '/wordmark.svg', '/robots.txt']
  for (const file of files) {
    const response = await request.get(file)
    expect(response.status()).toBe(200)
    expect(response.headers()).not.toHaveProperty('content-security-policy')
  }
})

test('a way back that leads elsewhere becomes the front page (A16)', async ({ request }) => {
  for (const target of ['//evil.test', '/\\evil.test', '/%09/evil.test', 'https:evil.test']) {
    const login = await request.get(`/login?identifier=a&returnTo=${encodeURIComponent(target)}`)
    expect(returnsTo(await login.text()), target).toEqual(['/'])
    const answer = await request.get(`/login/continue?to=${encodeURIComponent(target)}`)
    expect(await answer.text()).toContain('content="0;url=/"')
  }
})

/** The ways back that the forms of a page send along, without those that choose a language or a theme. */
function returnsTo(html: string): string[] {
  const main = /<main\b[\s\S]*<\/main>/.exec(html)?.[0] ?? ''
  const tags = main.match(/<input\b[^>]*name="returnTo"[^>]*>/g) ?? []
  return [...new Set(tags.map((tag) => /value="([^"]*)"/.exec(tag)?.[1] ?? ''))]
}

test('an address where nothing is: 404, kind words and a way back', async ({ page }) => {
  const response = await page.goto('/nothing/here')
  expect(response?.status()).toBe(404)
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, colorScheme: 'light' })

  test('the language can be chosen, and the page stays where it was', async ({ page }) => {
    await page.goto('/login?returnTo=%2Flogout')
    await chooseLanguage(page, '简体中文')
    await expect(page).toHaveURL(/\/login\?returnTo=%2Flogout$/)
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
    await expect(page.locator('h1')).toHaveText('登录')
  })

  test('the appearance can be chosen', async ({ page }) => {
    await page.goto('/')
    const light = await background(page)
    await page.getByRole('button', { name: 'Dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    expect(await background(page)).not.toBe(light)
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

test('the browser says its time zone to the pages that follow', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo' })
  const page = await context.newPage()
  await page.goto('/login')
  const zone = async () =>
    (await context.cookies()).find(({ name }) => name === 'gatehouse.zone')?.value
  await expect.poll(zone).toBe('Asia/Tokyo')
  await context.close()
})

async function remember(context: BrowserContext, url: string, cookies: Record<string, string>) {
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })))
}

function address(ui_locales: string): string {
  const { client_id, redirect_uris } = demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const asked = { client_id, redirect_uri, response_type: 'code', scope: 'openid profile' }
  return `/oidc/auth?${new URLSearchParams({ ...asked, state: 's', ui_locales })}`
}

const background = (page: Page) =>
  page.locator('body').evaluate((element) => getComputedStyle(element).backgroundColor)

test('the application asks for a language, the user chooses another and keeps it, and dates are theirs', async ({
  page,
}) => {
  const person = await newPerson('Xia')
  await page.goto(address('zh-CN en'))
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
  await expect(page.locator('h1')).toHaveText('登录')
  await typeSignIn(page, person.email, person.password)
  await expect(page).toHaveURL(/\/consent\?/)
  await expect(page.getByRole('button', { name: '允许' })).toBeVisible()
  // The question stays the same one.
  const { searchParams } = new URL(page.url())
  await chooseLanguage(page, 'English')
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  expect(new URL(page.url()).searchParams.get('interaction')).toBe(searchParams.get('interaction'))
  await page.goto('/account/activity')
  const times = page.locator('main time')
  await expect(times.first()).toHaveText(/\w+ \d+, \d{4}|\d+ \w+ \d{4}/)
  await chooseLanguage(page, '简体中文')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
  await expect(times.first()).toHaveText(/\d{4}年\d+月\d+日/)
})

test('dark as the system is or as the user chose, from the first paint, before any script', async ({
  page,
  baseURL,
}) => {
  // A script that never comes: what is seen is what the first answer brought.
  await page.route(/\.js(\?|$)/, () => {})
  const first = async () => {
    await page.goto('/login', { waitUntil: 'commit' })
    // Before it, a style sheet may still be on its way, and nobody sees anything.
    await page.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0)
    await expect(page.locator('#identifier')).toBeVisible()
    return background(page)
  }
  const [light, dark] = ['rgb(245, 246, 243)', 'rgb(17, 21, 19)']
  for (const [colorScheme, chosen, shown] of [
    ['dark', 'system', dark],
    ['light', 'system', light],
    ['light', 'dark', dark],
    ['dark', 'light', light],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page
      .context()
      .addCookies([{ name: 'gatehouse.theme', value: chosen, url: baseURL ?? '' }])
    expect([colorScheme, chosen, await first()]).toEqual([colorScheme, chosen, shown])
  }
})
