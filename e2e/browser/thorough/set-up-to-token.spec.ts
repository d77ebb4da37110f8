import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { askToken } from '../../support/ask'
import { addAuthenticator } from '../../support/authenticator'
import { expectNoViolations } from '../../support/axe'
import { handsOn } from '../../support/hands'
import { type Portal, startPortal } from '../../support/portal'
import { isThorough } from '../../support/thorough'

/** From the set-up link of an empty portal to a first token, by clicks alone. */

const SHOTS = fileURLToPath(new URL('../../results/first-token', import.meta.url))
const PASSWORD = 'nine patient otters upstream'

let portal: Portal
test.beforeEach(async () => {
  portal = await startPortal()
})
test.afterEach(() => portal.stop())

// Each of them is a whole way, with a portal of its own.
test.slow()

const setUpLink = () => /http\S+\/setup\?token=\S+/.exec(portal.output())?.[0] ?? ''

function openSetUp(page: Page) {
  return page.goto(setUpLink())
}

/** Pictures of the way; they take time. */
function shooting(page: Page, way: string) {
  let shots = 0
  return async (name: string) => {
    if (!isThorough) return
    shots += 1
    const path = join(SHOTS, `${way}-${String(shots).padStart(2, '0')}-${name}.png`)
    await page.screenshot({ path, fullPage: true })
  }
}

test('a passkey, the check of the issuer and a sample application: from the set-up link to a token by clicks', async ({
  page,
}) => {
  const shoot = shooting(page, 'sample')
  const hands = handsOn(page)
  const { press, follow, type } = hands
  const authenticator = await addAuthenticator(page)
  await openSetUp(page)
  // A passkey is made for a name.
  await press('Use a passkey instead of a password')
  expect(await authenticator.count()).toBe(0)
  await type('Your name', 'Olga Owner')
  await type('Email', 'olga@example.org')
  await press('Use a passkey instead of a password')
  await expect(page.locator('h1')).toHaveText('Is everything ready?')
  expect(await authenticator.count()).toBe(1)
  const issuer = page.getByRole('main').locator('li, div').filter({ hasText: portal.origin })
  await expect(issuer.first()).toBeVisible()
  await follow('Continue')
  await press('Load the sample shop')
  await expect(page.getByText('The sample shop was loaded.')).toBeVisible()
  await shoot('overview')
  await follow('Start: Get a token with it')
  await press('Get a token')
  await expect(page.getByText('This is a token')).toBeVisible()
  await shoot('token')
  const { clicks, keys } = hands.count()
  process.stdout.write(`with a passkey and the sample shop: ${clicks} clicks, ${keys} keys\n`)

  // The passkey is a way in: out, and in again with nothing typed.
  await authenticator.present(false)
  await page.goto(`${portal.origin}/logout`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.locator('h1')).toHaveText('You’re signed out')
  await authenticator.present(true)
  await page.goto(`${portal.origin}/login`)
  await expect(page).toHaveURL(`${portal.origin}/admin`)
})

test('an own configuration, shown first and then applied; an access key of an application in it gets a token', async ({
  page,
}) => {
  const { press, follow, type, tick } = handsOn(page)
  await openSetUp(page)
  await type('Your name', 'Olga Owner')
  await type('Email', 'olga@example.org')
  await type('Password', PASSWORD)
  await press('Create the account')
  await expect(page.locator('h1')).toHaveText('Protect your account')
  await page.goto(`${portal.origin}/setup/start`)
  await follow('Import a configuration')
  await press('Show what would change')
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toContainText('Choose a file')
  await type('Or paste the document', '{ "version": 1, "spaces": [{ "key": "team", }] }')
  await press('Show what would change')
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toContainText('not JSON')
  const document = {
    version: 1,
    spaces: [
      {
        key: 'team',
        name: 'Team',
        resources: [
          {
            prefix: 'bills',
            audience: 'https://bills.example.com',
            name: 'Bills',
            permissions: [
              { key: 'bills:read', descriptions: { en: 'See bills' } },
              { key: 'bills:write', descriptions: { en: 'Change bills' } },
            ],
          },
        ],
      },
    ],
  }
  await type('Or paste the document', JSON.stringify(document))
  await press('Show what would change')
  await expect(page.getByText('+ space team')).toBeVisible()
  await expectNoViolations(page)
  // Nothing has been made yet.
  const other = await page.context().newPage()
  await other.goto(`${portal.origin}/admin/apis`)
  await expect(other.getByText('No API yet')).toBeVisible()
  await page.getByRole('button', { name: /^Make \d+ changes$/ }).click()
  await expect(page.getByText('The configuration was applied.')).toBeVisible()
  await other.reload()
  await expect(other.getByText('https://bills.example.com')).toBeVisible()
  await other.close()

  // The access key is narrower than what is asked for, and the simulator says so.
  await follow('Applications')
  await follow('Create an application')
  await follow('Machine application')
  await type('Name', 'Nightly export')
  await press('Create')
  await follow('Grant permissions')
  await tick('See bills')
  await press('Grant selected')
  await follow('Credentials')
  await follow('Create an access key')
  await type('Name', 'export job')
  await press('Create an access key')
  await expect(page.getByText('It won’t be shown again.')).toBeVisible()
  const shown = (pattern: RegExp) =>
    page.locator('code', { hasText: pattern }).first().textContent()
  const accessKey = (await shown(/^ak_/)) ?? ''
  const asked = 'bills:read bills:write'
  const answer = await askToken(portal.origin, {
    grant_type: 'client_credentials',
    client_id: accessKey,
    client_secret: (await shown(/^ghsk_/)) ?? '',
    scope: asked,
  })
  const token = JSON.parse(answer.body)
  expect(token).toMatchObject({
    scope: 'bills:read',
    scope_rejected: 'bills:write',
    scope_rejected_reasons: [
      { scope: 'bills:write', code: 'client_not_granted', next_action: 'none' },
    ],
  })
  await page.goto(`${portal.origin}/admin/tools/token`)
  await page.locator('#token').fill(token.access_token)
  await press('Verify with this portal')
  await expect(page.getByText('https://bills.example.com').first()).toBeVisible()
  await follow('Simulator')
  await type('Application or access key', accessKey)
  await type('Scopes', asked)
  await press('Simulate')
  await expect(page.getByText('bills:write').first()).toBeVisible()
})
