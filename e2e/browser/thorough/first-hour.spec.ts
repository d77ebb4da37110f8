import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { callApi, machineToken } from '../../support/api'
import { addAuthenticator } from '../../support/authenticator'
import { exchange, refresh } from '../../support/flow'
import { type Portal, startPortal } from '../../support/portal'
import { linkIn, type MailServer, startMailServer } from '../../support/smtp'

/** One person's whole way: from no account to an app that they let in, and out again. */

const SHOTS = fileURLToPath(new URL('../../results/journey', import.meta.url))
const PASSWORD = 'seven quiet herons by the weir'
const SCOPE = 'openid profile offline_access orders:read orders:write'

let server: MailServer
let portal: Portal

test.beforeAll(async () => {
  server = await startMailServer()
  const MAIL_FROM = 'Gatehouse <id@gatehouse.example>'
  const env = { SMTP_URL: server.url, MAIL_FROM, REGISTRATION: 'open' }
  portal = await startPortal({ args: ['--demo'], env })
})

test.afterAll(async () => {
  await portal.stop()
  await server.close()
})

/** A browser that does not fill passkeys in: there the button is the way. */
const withoutAutofill = () => {
  PublicKeyCredential.isConditionalMediationAvailable = async () => false
}

const submit = (page: Page) => page.locator('main button[type=submit]').first().click()

test('register, verify, sign in, add an app and a passkey, consent, revoke', async ({ page }) => {
  test.slow()
  let shots = 0
  const shoot = (name: string) => {
    shots += 1
    const path = join(SHOTS, `${String(shots).padStart(2, '0')}-${name}.png`)
    return page.screenshot({ path, fullPage: true })
  }
  const go = (path: string) => page.goto(new URL(path, portal.origin).href)

  // Register, and prove that the address is one's own.
  const email = 'nell@example.org'
  await go('/register')
  await page.locator('#name').fill('Nell New')
  await page.locator('#email').fill(email)
  await page.locator('#password').fill(PASSWORD)
  await shoot('register')
  await submit(page)
  await expect(page).toHaveURL(/\/register\/sent/)
  const link = linkIn(await server.lastTo(email))
  await page.goto(link)
  await shoot('verify-who')

  // Sign in, which only the account itself can, and say yes.
  await page.getByRole('link', { name: 'Sign in to confirm' }).click()
  await shoot('login-who')
  await page.locator('#identifier').fill(email)
  await submit(page)
  await page.locator('#password').fill(PASSWORD)
  await shoot('login-how')
  await submit(page)
  await expect(page).toHaveURL(link)
  await shoot('verify')
  await submit(page)
  await expect(page.locator('h1')).toHaveText('Your email address is confirmed')
  await becomeClerk(email)
  await go('/account/security')

  // An authenticator app.
  await page.getByRole('link', { name: 'Add an authenticator app' }).click()
  await page.locator('#password').fill(PASSWORD)
  await shoot('confirm-its-you')
  await page.getByRole('button', { name: 'Confirm', exact: true }).first().click()
  await page.getByRole('button', { name: 'Show the QR code' }).click()
  const secret = (await page.locator('[data-secret]').getAttribute('data-secret')) ?? ''
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await page.locator('#name').fill('Phone')
  await page.locator('#code').fill(totp.generate())
  await shoot('authenticator')
  await page.getByRole('button', { name: 'Add the app' }).click()
  await expect(page).toHaveURL(/recovery-codes|security\?done/)

  // A passkey.
  const authenticator = await addAuthenticator(page)
  await go('/account/security')
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.locator('#name').fill('Laptop')
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await expect(page).toHaveURL(/done=passkeyAdded/)
  await expect(page.getByText('Laptop')).toBeVisible()
  expect(await authenticator.count()).toBe(1)
  await shoot('security')

  // Out, and in again with the passkey alone, on the way to an app.
  await page.addInitScript(withoutAutofill)
  await go('/logout')
  await shoot('logout')
  await submit(page)
  await expect(page.locator('h1')).toHaveText('You’re signed out')
  const { client_id, redirect_uris } = portal.demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const asked = { client_id, redirect_uri, response_type: 'code', scope: SCOPE, state: 's' }
  await go(`/oidc/auth?${new URLSearchParams(asked)}`)
  await expect(page).toHaveURL(/\/login\?/)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()

  // Consent, but not to everything.
  await expect(page.locator('h1')).toHaveText('Demo web app wants access')
  await page.getByLabel('Create and change orders').uncheck()
  await shoot('consent')
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(/localhost:4000\/callback\?code=/)
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const tokens = JSON.parse((await exchange(portal, code)).body)
  expect(tokens.scope).toBe('openid profile offline_access orders:read')
  expect(tokens.scope_rejected).toBe('orders:write')
  expect(tokens.scope_rejected_reasons).toEqual([
    { scope: 'orders:write', code: 'consent_withheld', next_action: 'consent' },
  ])
  const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString())
  expect(claims).toMatchObject({ acr: 'phr', amr: ['hwk', 'user', 'mfa'] })

  // The app is sent away; what it holds is worth nothing any more.
  await go('/account/apps')
  await shoot('apps')
  await page.locator('summary', { hasText: 'Remove this application' }).click()
  await page.getByRole('button', { name: 'Remove Demo web app' }).click()
  await expect(page).toHaveURL(/done=appRemoved/)
  await shoot('app-removed')
  const gone = await refresh(portal, tokens.refresh_token)
  expect([gone.status, JSON.parse(gone.body).error]).toEqual([400, 'invalid_grant'])
})

/** What an admin does for a new colleague. */
async function becomeClerk(email: string): Promise<void> {
  const token = await machineToken(portal)
  const found = await callApi(portal, token, 'GET', `/users?q=${encodeURIComponent(email)}`)
  const [user] = found.json.data
  const given = await callApi(portal, token, 'PUT', `/users/${user.id}/roles/rol_demo_clerk`)
  expect(given.status).toBeLessThan(300)
}
