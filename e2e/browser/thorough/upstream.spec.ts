import { execFileSync } from 'node:child_process'
import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { bundleScript } from '../../support/bundle'
import { freePort } from '../../support/free-port'
import { type Portal, startPortal } from '../../support/portal'
import { typeSignIn } from '../../support/sign-in'
import { SCRIPT_SETTINGS, scriptWords } from '../../support/thorough'

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
  const callback = `http://localhost:${port}/api/auth/callback/partner`
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
    { ...secret, id: 'partner', kind: 'oidc', name: 'Partner', issuer },
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

/** At the other provider, in any language: who one is and, the first time, that it may tell. */
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
  await page.locator('button[name=provider][value=partner]').click()
  await signInThere(page, who)
}

for (const [who, javaScriptEnabled] of SCRIPT_SETTINGS.entries()) {
  test.describe(scriptWords(javaScriptEnabled), () => {
    test.use({ javaScriptEnabled, locale: 'en-GB' })

    test('M18: from the login page to the other provider and back to where one was going', async ({
      page,
    }) => {
      await signInHere(page, who, '/account')
      await expect(page).toHaveURL(`${here.origin}/account`)
      await expect(page.getByText(there.demo().users[who]?.email ?? '')).toBeVisible()
      await page.goto(`${here.origin}/account/security`)
      await expect(page.getByText('Partner').first()).toBeVisible()
      await expectNoViolations(page)
    })

    test('without a password one confirms there, and the only way in stays', async ({ page }) => {
      await signInHere(page, who, '/account/security')
      await page.getByText('Disconnect', { exact: true }).click()
      const button = page.getByRole('button', { name: 'Disconnect this account' })
      await button.click()
      await expect(page).toHaveURL(/\/account\/confirm\?/)
      await expectNoViolations(page)
      await page.getByRole('button', { name: 'Sign in again with Partner' }).click()
      await signInThere(page, who)
      await expect(page).toHaveURL(new RegExp(`^${here.origin}/account/security`))
      await page.getByText('Disconnect', { exact: true }).click()
      await button.click()
      await expect(page.locator('main [role=alert]')).toContainText('your only sign-in method')
      await page.goto(`${here.origin}/account/security/identities`)
      await expect(page.locator('h1')).toBeVisible()
      await expectNoViolations(page)
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

test('each problem with a provider is said on the sign-in page', async ({ page }) => {
  for (const problem of ['address_taken', 'unknown', 'failed', 'not_fresh']) {
    await page.goto(`${here.origin}/login?problem=${problem}&provider=partner`)
    await expect(page.locator('main [role=alert]')).toContainText('Partner')
  }
  await expectNoViolations(page)
})
