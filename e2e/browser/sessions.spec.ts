import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import type { Demo } from '../../lib/operations/demo'
import { expectNoViolations } from '../support/axe'
import { type Portal, startPortal } from '../support/portal'
import { typeSignIn } from '../support/sign-in'

const PASSWORD = 'seven quiet herons by the weir'

function demo(): Demo {
  return JSON.parse(readFileSync(join(process.env.E2E_DATA_DIR ?? '', 'demo.json'), 'utf8'))
}

function alice() {
  return demo().users[0] ?? { email: '', password: '' }
}

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto('/login')
  await typeSignIn(page, email, password)
}

for (const javaScriptEnabled of [true, false])
  test.describe(`signing in and out ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test('the front page knows who is signed in, and who is not any more', async ({
      page,
      context,
    }) => {
      await page.goto('/')
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
      await signIn(page, alice())
      await expect(page.locator('h1')).toHaveText('Hello, Alice Clerk.')
      await expect(page.getByText(alice().email)).toBeVisible()
      const [cookie] = await context.cookies()
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })

      await page.goto('/logout')
      await page.locator('main button[type=submit]').click()
      await expect(page.locator('h1')).toHaveText('You’re signed out')
      await page.goto('/')
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
      // The old cookie is dead in the database too, not only gone from the browser (M12).
      if (cookie) await context.addCookies([cookie])
      await page.goto('/')
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
    })

    test('an admin lands in the administration', async ({ page }) => {
      await signIn(page, demo().admin)
      await expect(page.locator('h1')).toHaveText('Overview')
    })
  })

test('the signed-in front page has no accessibility violations', async ({ page }) => {
  await signIn(page, alice())
  await expect(page.locator('h1')).toHaveText('Hello, Alice Clerk.')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectNoViolations(page)
  }
})

test('M11: a tampered, foreign or oversized cookie is nobody, never an error', async ({
  request,
}) => {
  for (const value of ['x', 'a.b.c', 'eyJhbGciOiJkaXIifQ..x.y.z', 'x'.repeat(6000), '%00']) {
    const response = await request.get('/', { headers: { cookie: `gatehouse.session=${value}` } })
    expect(response.status()).toBe(200)
    expect(await response.text()).toContain('Sign in once')
  }
})

test('M13: a sign-in sent by another site is refused, the same from here is not', async ({
  page,
  request,
  baseURL,
}) => {
  const address = `/login?${new URLSearchParams({ identifier: demo().admin.email })}`
  await page.goto(address)
  const hidden = await page
    .locator('main form input[type=hidden]')
    .evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ name, value }) => [name, value]))
  const { admin } = demo()
  const multipart = {
    ...Object.fromEntries(hidden),
    identifier: admin.email,
    password: admin.password,
  }
  const send = (headers: Record<string, string>) =>
    request.post(address, { headers, multipart, maxRedirects: 0 })
  const foreign = await send({ origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' })
  expect(foreign.status()).toBeGreaterThanOrEqual(400)
  expect(foreign.headers()).not.toHaveProperty('set-cookie')
  const own = await send({ origin: new URL(baseURL ?? '').origin, 'sec-fetch-site': 'same-origin' })
  expect(own.status()).toBeLessThan(400)
  expect(own.headers()['set-cookie']).toContain('gatehouse.session=')
})

test.describe('the set-up link of an empty portal', () => {
  let portal: Portal

  test.beforeAll(async () => {
    portal = await startPortal()
  })

  test.afterAll(async () => {
    await portal.stop()
  })

  test('makes the first admin once, and never again', async ({ page, browser }) => {
    const link = /http\S+\/setup\?token=\S+/.exec(portal.output())?.[0] ?? ''
    await page.goto(link)
    await page.locator('#name').fill('Grace Owner')
    await page.locator('#email').fill('grace@example.org')
    await page.locator('#password').fill('too short')
    await page.locator('main button[type=submit]').click()
    await expect(page.locator('#password')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.locator('#password')).toHaveAccessibleDescription(/15 characters/)
    await expect(page.locator('#name')).toHaveValue('Grace Owner')
    await expectNoViolations(page)
    await page.locator('#password').fill(PASSWORD)
    await page.locator('main button[type=submit]').click()
    await expect(page.locator('h1')).toHaveText('Protect your account')

    const stranger = await (await browser.newContext()).newPage()
    await stranger.goto(link)
    await expect(stranger.locator('h1')).toHaveText('This set-up link no longer works')
    await stranger.goto(`${portal.origin}/login`)
    await typeSignIn(stranger, 'GRACE@example.org', PASSWORD)
    await expect(stranger.locator('h1')).toHaveText('Overview')
  })
})
