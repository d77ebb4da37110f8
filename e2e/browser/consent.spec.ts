import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import type { Demo } from '../../lib/operations/demo'
import { expectNoViolations } from '../support/axe'
import { typeSignIn } from '../support/sign-in'

const SCOPE = 'openid profile offline_access orders:read orders:write'

function demo(): Demo {
  return JSON.parse(readFileSync(join(process.env.E2E_DATA_DIR ?? '', 'demo.json'), 'utf8'))
}

function address(more: Record<string, string> = {}): string {
  const { client_id, redirect_uris } = demo().web
  const fields = {
    client_id,
    redirect_uri: redirect_uris[0] ?? '',
    response_type: 'code',
    scope: SCOPE,
    state: 's',
    prompt: 'consent',
  }
  return `/oidc/auth?${new URLSearchParams({ ...fields, ...more })}`
}

async function signIn(page: Page): Promise<void> {
  const [, bob] = demo().users
  await typeSignIn(page, bob?.email ?? '', bob?.password ?? '')
  await expect(page).toHaveURL(/\/consent\?/)
}

for (const javaScriptEnabled of [true, false])
  test.describe(`the code flow ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test('M18: login, consent with one scope unticked, back at the app, which learns both lists', async ({
      page,
      request,
    }) => {
      await page.goto(address())
      await signIn(page)
      await expect(page.locator('h1')).toHaveText('Demo web app wants access')
      await page.getByLabel('Create and change orders').uncheck()
      await page.getByRole('button', { name: 'Allow' }).click()
      await expect(page).toHaveURL(/^http:\/\/localhost:4000\/callback\?code=/)
      const params = new URL(page.url()).searchParams
      expect(params.get('state')).toBe('s')
      const { client_id, client_secret, redirect_uris } = demo().web
      const answer = await request.post('/oidc/token', {
        form: {
          grant_type: 'authorization_code',
          code: params.get('code') ?? '',
          redirect_uri: redirect_uris[0] ?? '',
          client_id,
          client_secret,
        },
      })
      expect(await answer.json()).toMatchObject({
        scope: 'openid profile offline_access orders:read',
        scope_rejected: 'orders:write',
        scope_rejected_reasons: [
          { scope: 'orders:write', code: 'consent_withheld', next_action: 'consent' },
        ],
      })
    })

    test('Cancel goes back with access_denied', async ({ page }) => {
      await page.goto(address())
      await signIn(page)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect(page).toHaveURL(/^http:\/\/localhost:4000\/callback\?error=access_denied/)
    })
  })

test('ux 16, 17: who asks and whether somebody checked it, where it leads, and what exactly is asked', async ({
  page,
}) => {
  await page.goto(address())
  await signIn(page)
  const main = page.getByRole('main')
  await expect(main.getByText('Gatehouse demo')).toBeVisible()
  await expect(main.getByText('Verified', { exact: true })).toBeVisible()
  await expect(main.getByText('localhost:4000')).toBeVisible()
  await expect(main.getByText('Keep access when you’re away')).toBeVisible()
  const keys = main.getByText(/^orders:(read|write)$/).filter({ visible: true })
  await expect(keys).toHaveCount(0)
  await main.getByText('What exactly?').filter({ visible: true }).first().click()
  await expect(keys).toHaveCount(1)
})

test('form_post reaches the app by POST', async ({ page }) => {
  await page.goto(address({ response_mode: 'form_post' }))
  await signIn(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL('http://localhost:4000/callback')
  await expect(page.locator('pre')).toHaveText(/^code=ghac_[\w-]{43}&state=s&iss=/)
})

for (const colorScheme of ['light', 'dark'] as const)
  for (const locale of ['en-GB', 'zh-CN'])
    for (const width of [390, 1440])
      test.describe(`${colorScheme}, ${locale}, ${width} px`, () => {
        test.use({ colorScheme, locale, viewport: { width, height: 900 } })

        test('consent and the error page have no accessibility violations', async ({ page }) => {
          await page.goto(address())
          await signIn(page)
          await expectNoViolations(page)
          await page.goto('/oidc/auth?client_id=nobody')
          await expectNoViolations(page)
        })
      })
