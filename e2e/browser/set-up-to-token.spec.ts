import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { askToken } from '../support/ask'
import { addAuthenticator } from '../support/authenticator'
import { expectNoViolations } from '../support/axe'
import { handsOn } from '../support/hands'
import { type Portal, startPortal } from '../support/portal'

/** From the set-up link of an empty portal to a first token, by clicks alone. */

const SHOTS = fileURLToPath(new URL('../results/first-token', import.meta.url))
const PASSWORD = 'nine patient otters upstream'

let portal: Portal
test.beforeEach(async () => {
  portal = await startPortal()
})
test.afterEach(() => portal.stop())

// Each of them is a whole way, with a portal of its own.
test.slow()

function openSetUp(page: Page) {
  return page.goto(/http\S+\/setup\?token=\S+/.exec(portal.output())?.[0] ?? '')
}

function shooting(page: Page, way: string) {
  let shots = 0
  return (name: string) => {
    shots += 1
    const path = join(SHOTS, `${way}-${String(shots).padStart(2, '0')}-${name}.png`)
    return page.screenshot({ path, fullPage: true })
  }
}

/** As a terminal would run it. */
function run(command: string): { access_token: string; scope: string } {
  return JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }))
}

test('from the set-up link to a token by clicks: an own API, an own application', async ({
  page,
}) => {
  const shoot = shooting(page, 'empty')
  const hands = handsOn(page)
  const { press, follow, type } = hands
  const started = Date.now()

  await openSetUp(page)
  await shoot('account')
  await type('Your name', 'Olga Owner')
  await type('Email', 'olga@example.org')
  await type('Password', PASSWORD)
  await press('Create the account')
  await expect(page.locator('h1')).toHaveText('Protect your account')
  await expectNoViolations(page)
  await shoot('protect')
  await follow('Not now')
  await expect(page.locator('h1')).toHaveText('Is everything ready?')
  for (const check of ['Issuer', 'Mail', 'Clock']) {
    await expect(page.getByText(check, { exact: true }).first()).toBeVisible()
  }
  await expectNoViolations(page)
  await shoot('check')
  await follow('Continue')
  await expectNoViolations(page)
  await shoot('start')
  await follow('Start empty')
  await expect(page.locator('h1')).toHaveText('Overview')
  await shoot('overview')

  await follow('Start: Add an API and its permissions')
  await type('Prefix', 'orders')
  await type('Permissions', 'read See orders')
  await type('Name', 'Orders')
  await type('Audience', 'https://orders.example.com')
  await expectNoViolations(page)
  await shoot('api')
  await press('Create')
  await expect(page.getByText('The API was added.')).toBeVisible()
  await follow('Start: Create a machine application')
  await type('Name', 'Nightly export')
  await press('Create')
  await expect(page.getByText('It won’t be shown again.')).toBeVisible()
  await shoot('secret-once')
  await follow('Back to the first steps')
  await follow('Start: Get a token with it')
  await shoot('ask')
  await press('Get a token')
  await expect(page.getByText('This is a token')).toBeVisible()
  await expectNoViolations(page)
  await shoot('token')
  const { clicks, keys } = hands.count()
  process.stdout.write(
    `from the set-up link to a token: ${clicks} clicks, ${keys} keys, ${Math.round((Date.now() - started) / 1000)} s\n`,
  )
  expect(clicks).toBeLessThanOrEqual(11)

  // What the page shows is what a terminal gets.
  const command = (await page.locator('code', { hasText: 'curl' }).textContent()) ?? ''
  const shown = JSON.parse((await page.locator('pre').textContent()) ?? '')
  expect(shown).toMatchObject({ token_type: 'Bearer', scope: 'orders:read' })
  expect(run(command)).toMatchObject({ scope: 'orders:read' })
  await follow('Go to the overview')
  await expect(page.getByText('First steps')).toBeHidden()

  // The front page of an admin is the administration; the account is one link away.
  await page.goto(`${portal.origin}/`)
  await expect(page).toHaveURL(`${portal.origin}/admin`)
})

test('ux 36: a set-up link that works once, a passkey, the check of the issuer and a sample application: to a token by clicks', async ({
  page,
}) => {
  const shoot = shooting(page, 'sample')
  const hands = handsOn(page)
  const { press, follow, type } = hands
  const authenticator = await addAuthenticator(page)
  const opened = (await openSetUp(page))?.url() ?? ''
  // Without a name there is nobody to make a passkey for.
  await press('Use a passkey instead of a password')
  expect(await authenticator.count()).toBe(0)
  await type('Your name', 'Olga Owner')
  await type('Email', 'olga@example.org')
  await press('Use a passkey instead of a password')
  await expect(page.locator('h1')).toHaveText('Is everything ready?')
  expect(await authenticator.count()).toBe(1)
  const issuer = page.getByRole('main').locator('li, div').filter({ hasText: portal.origin })
  await expect(issuer.first()).toBeVisible()
  await expectNoViolations(page)
  // The link was for one owner: whoever opens it now gets nowhere.
  const late = await (await page.context().browser()?.newContext())?.newPage()
  await late?.goto(opened)
  await expect(late?.locator('h1') ?? page.locator('h2')).toHaveText(
    'This set-up link no longer works',
  )
  await expect(late?.locator('form input[name=email]') ?? page.locator('h2')).toHaveCount(0)
  await late?.context().close()
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

test('an own configuration: shown first, then applied, and it ends in the overview', async ({
  page,
}) => {
  const { press, follow, type } = handsOn(page)
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
            permissions: [{ key: 'bills:read' }],
          },
        ],
      },
    ],
  }
  await type('Or paste the document', JSON.stringify(document))
  await press('Show what would change')
  await expect(page.getByText('+ space team')).toBeVisible()
  await expectNoViolations(page)
  await page.screenshot({ path: join(SHOTS, 'import.png'), fullPage: true })
  // Nothing has been made yet.
  const other = await page.context().newPage()
  await other.goto(`${portal.origin}/admin/apis`)
  await expect(other.getByText('No API yet')).toBeVisible()
  await page.getByRole('button', { name: /^Make \d+ changes$/ }).click()
  await expect(page.getByText('The configuration was applied.')).toBeVisible()
  await other.reload()
  await expect(other.getByText('https://bills.example.com')).toBeVisible()
})

test('before there is an owner, the sign-in page says where the set-up link is', async ({
  page,
}) => {
  await page.goto(`${portal.origin}/login`)
  await expect(page.locator('h1')).toHaveText('This portal has no owner yet')
  await expect(page.getByText('node bin/run.mjs db set-up')).toBeVisible()
  await expectNoViolations(page)
  await page.screenshot({ path: join(SHOTS, 'no-owner.png'), fullPage: true })
  await openSetUp(page)
  await handsOn(page).type('Your name', 'Olga Owner')
  await handsOn(page).type('Email', 'olga@example.org')
  await handsOn(page).type('Password', PASSWORD)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await expect(page.locator('h1')).toHaveText('Protect your account')
  const stranger = await (await page.context().browser()?.newContext())?.newPage()
  await stranger?.goto(`${portal.origin}/login`)
  await expect(stranger?.locator('h1') ?? page.locator('h2')).toHaveText('Sign in')
})

test('an access key gets a token, and the simulator says why the other scope was refused', async ({
  page,
}) => {
  const { press, follow, type, tick } = handsOn(page)
  await openSetUp(page)
  await type('Your name', 'Olga Owner')
  await type('Email', 'olga@example.org')
  await type('Password', PASSWORD)
  await press('Create the account')
  await expect(page.locator('h1')).toHaveText('Protect your account')
  await page.goto(`${portal.origin}/admin/apis`)
  await follow('Add an API')
  await type('Prefix', 'orders')
  await type('Permissions', 'orders:read See orders\norders:write Change orders')
  await type('Name', 'Orders')
  await type('Audience', 'https://orders.example.com')
  await press('Create')
  await expect(page.getByText('Change orders')).toBeVisible()
  await follow('Applications')
  await follow('Create an application')
  await follow('Machine application')
  await type('Name', 'Nightly export')
  await press('Create')
  await follow('Grant permissions')
  await tick('See orders')
  await press('Grant selected')
  await follow('Credentials')
  await follow('Create an access key')
  await type('Name', 'export job')
  await press('Create an access key')
  await expect(page.getByText('It won’t be shown again.')).toBeVisible()
  const shown = (pattern: RegExp) =>
    page.locator('code', { hasText: pattern }).first().textContent()
  const accessKey = (await shown(/^ak_/)) ?? ''
  const asked = 'orders:read orders:write'
  const answer = await askToken(portal.origin, {
    grant_type: 'client_credentials',
    client_id: accessKey,
    client_secret: (await shown(/^ghsk_/)) ?? '',
    scope: asked,
  })
  const token = JSON.parse(answer.body)
  expect(token).toMatchObject({
    scope: 'orders:read',
    scope_rejected: 'orders:write',
    scope_rejected_reasons: [
      { scope: 'orders:write', code: 'client_not_granted', next_action: 'none' },
    ],
  })
  await page.goto(`${portal.origin}/admin/tools/token`)
  await page.locator('#token').fill(token.access_token)
  await press('Verify with this portal')
  await expect(page.getByText('https://orders.example.com').first()).toBeVisible()
  await follow('Simulator')
  await type('Application or access key', accessKey)
  await type('Scopes', asked)
  await press('Simulate')
  await expect(page.getByText('orders:write').first()).toBeVisible()
})
