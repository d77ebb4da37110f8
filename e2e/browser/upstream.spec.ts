import { execFileSync } from 'node:child_process'
import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { bundleScript } from '../support/bundle'
import { type Portal, startPortal } from '../support/portal'
import { freePort } from '../support/postgres'
import { typeSignIn } from '../support/sign-in'

/** Signing in here through a second Gatehouse, in a real browser (M18, M30, M32). */

// One after the other: they share the two portals.
test.describe.configure({ mode: 'default' })

let here: Portal
let there: Portal
let issuer = ''

test.beforeAll(async () => {
  const port = await freePort()
  // By another name than ours: cookies do not tell ports apart.
  const PORT = String(await freePort())
  issuer = `http://127.0.0.1:${PORT}`
  there = await startPortal({ args: ['--demo'], env: { PORT, ISSUER: issuer } })
  const callback = `http://localhost:${port}/api/auth/callback/house`
  const env = { PATH: process.env.PATH ?? '', ...there.env } as unknown as NodeJS.ProcessEnv
  execFileSync(process.execPath, [await bundleScript('set-redirects'), callback], { env })
  here = await startPortal({ env: settings(port) })
})

test.afterAll(async () => {
  await here.stop()
  await there.stop()
})

function settings(port: number): Record<string, string> {
  const { client_id, client_secret } = there.demo().web
  const secret = { clientId: client_id, clientSecret: 'env:HOUSE_SECRET' }
  const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
  const providers = [
    { ...secret, id: 'house', kind: 'oidc', name: 'Other House', issuer },
    { ...secret, id: 'github', kind: 'github' },
    { ...secret, id: 'google', kind: 'google' },
    { ...secret, id: 'microsoft', kind: 'microsoft', tenant },
    { ...secret, id: 'dead', kind: 'oidc', name: 'Dead End', issuer: 'http://localhost:9' },
  ]
  return {
    PORT: String(port),
    REGISTRATION: 'open',
    HOUSE_SECRET: client_secret,
    UPSTREAM_PROVIDERS: JSON.stringify(providers),
    OUTBOUND_HOSTS: `${new URL(issuer).host},localhost:9`,
  }
}

/** At the other house, in any language: who one is and, the first time, that it may tell. */
async function signInThere(page: Page, who: number): Promise<void> {
  const { email = '', password = '' } = there.demo().users[who] ?? {}
  await page.waitForURL(({ href }) => href.startsWith(`${issuer}/login?`))
  await typeSignIn(page, email, password)
  await page.waitForURL(({ origin, pathname }) => origin === here.origin || pathname === '/consent')
  if (page.url().startsWith(issuer)) await page.locator('main button[type=submit]').first().click()
  await page.waitForURL(({ origin }) => origin === here.origin)
}

async function signInHere(page: Page, who: number, path: string): Promise<void> {
  await page.goto(here.origin + path)
  await page.locator('button[name=provider][value=house]').click()
  await signInThere(page, who)
}

for (const [who, javaScriptEnabled] of [true, false].entries()) {
  test.describe(`${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled, locale: 'en-GB' })

    test('M18: from the login page to the other house and back to where one was going', async ({
      page,
    }) => {
      await signInHere(page, who, '/account')
      await expect(page).toHaveURL(`${here.origin}/account`)
      await expect(page.getByText(there.demo().users[who]?.email ?? '')).toBeVisible()
      await page.goto(`${here.origin}/account/security`)
      await expect(page.getByText('Other House').first()).toBeVisible()
    })

    test('without a password one confirms there, and the only way in stays', async ({ page }) => {
      await signInHere(page, who, '/account/security')
      await page.getByText('Disconnect', { exact: true }).click()
      const button = page.getByRole('button', { name: 'Disconnect this account' })
      await button.click()
      await page.getByRole('button', { name: 'Sign in again with Other House' }).click()
      await signInThere(page, who)
      await expect(page).toHaveURL(new RegExp(`^${here.origin}/account/security`))
      await page.getByText('Disconnect', { exact: true }).click()
      await button.click()
      await expect(page.locator('main [role=alert]')).toContainText('your only sign-in method')
    })

    test('M32: a provider that cannot be reached leaves one on the login page', async ({
      page,
    }) => {
      await page.goto(`${here.origin}/login`)
      await page.getByRole('button', { name: 'Continue with Dead End' }).click()
      await expect(page.locator('main [role=alert]')).toContainText('Dead End can’t be reached')
      await expect(page.locator('main [role=alert]')).toBeFocused()
      await expect(page.getByRole('button', { name: 'Continue with Dead End' })).toBeEnabled()
    })
  })
}

for (const [colorScheme, locale, width] of [
  ['light', 'en-GB', 390],
  ['dark', 'zh-CN', 1440],
] as const) {
  test.describe(`${colorScheme}, ${locale}, ${width} px`, () => {
    test.use({ colorScheme, locale, viewport: { width, height: 900 } })

    async function look(page: Page, path: string, name: string): Promise<void> {
      await page.goto(here.origin + path)
      await expectNoViolations(page)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide).toBeLessThanOrEqual(width)
      await page.screenshot({ fullPage: true, path: test.info().outputPath(`${name}.png`) })
    }

    test('axe finds nothing on what a stranger sees', async ({ page }) => {
      await look(page, '/login', 'login')
      for (const problem of ['address_taken', 'unknown', 'failed', 'not_fresh']) {
        await look(page, `/login?problem=${problem}&provider=house`, problem)
        await expect(page.locator('main [role=alert]')).toContainText('Other House')
      }
    })

    test('axe finds nothing on what the account shows', async ({ page }) => {
      await signInHere(page, 0, '/account/security')
      await look(page, '/account/security', 'security')
      await look(page, '/account/security/identities', 'confirm')
      await page.locator('button[name=provider][value=house]').click()
      await signInThere(page, 0)
      await expect(page).toHaveURL(`${here.origin}/account/security/identities`)
      await look(page, '/account/security/identities', 'connect')
    })
  })
}
