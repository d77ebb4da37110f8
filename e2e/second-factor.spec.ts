import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type { Demo } from '../lib/demo'
import { bundleScript } from './support/bundle'
import { typeSignIn } from './support/sign-in'

/** Step-up in a real browser: the page between login and the application. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DATA_DIR = process.env.E2E_DATA_DIR ?? ''

function demo(): Demo {
  return JSON.parse(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8'))
}

let secret = ''

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  const script = await bundleScript('enrol-totp')
  const args = [script, 'usr_demo_admin', demo().admin.email]
  const env = { PATH: process.env.PATH ?? '', DATA_DIR, PORT: '3987' } as unknown
  const options = { cwd: ROOT, env: env as NodeJS.ProcessEnv, encoding: 'utf8' } as const
  secret = execFileSync(process.execPath, args, options).trim()
})

async function atSecondFactor(page: Page): Promise<void> {
  await page.route('http://localhost:4000/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>back at the app</h1>' }),
  )
  const { client_id, redirect_uris } = demo().web
  const fields = {
    client_id,
    redirect_uri: redirect_uris[0] ?? '',
    response_type: 'code',
    scope: 'openid',
    state: 's',
    acr_values: 'mfa',
  }
  await page.goto(`/oidc/auth?${new URLSearchParams(fields)}`)
  await typeSignIn(page, demo().admin.email, demo().admin.password)
  await expect(page).toHaveURL(/\/second-factor\?/)
}

for (const [colorScheme, locale, width] of [
  ['light', 'en', 390],
  ['dark', 'zh-CN', 390],
  ['dark', 'en', 1440],
  ['light', 'zh-CN', 1440],
] as const) {
  test.describe(`${colorScheme}, ${locale}, ${width} px`, () => {
    test.use({ colorScheme, locale, viewport: { width, height: 900 } })

    test('axe finds nothing, with and without a mistake', async ({ page }) => {
      await atSecondFactor(page)
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
      await page.locator('main button[type=submit]').first().click()
      await expect(page.locator('[aria-invalid=true]')).toBeVisible()
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    })
  })
}

for (const javaScriptEnabled of [false, true]) {
  test.describe(`${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test('the code from the app leads back to the application', async ({ page }) => {
      await atSecondFactor(page)
      const totp = new TOTP({ secret: Secret.fromBase32(secret) })
      // Each step is good once: the one that comes, then, on the second run, the one after it.
      const ahead = javaScriptEnabled ? 30_000 : 0
      await page.locator('#code').fill(totp.generate({ timestamp: Date.now() + ahead }))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/consent\?|localhost:4000\/callback\?code=|login\/continue/)
    })
  })
}
