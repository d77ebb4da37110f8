import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { handsOn } from '../support/hands'
import { type Portal, startPortal } from '../support/portal'
import { typeSignIn } from '../support/sign-in'
import { isThorough } from '../support/thorough'

/** From the set-up link of an empty portal to a first token, by clicks alone. */

const SHOTS = fileURLToPath(new URL('../results/first-token', import.meta.url))
const PASSWORD = 'nine patient otters upstream'

let portal: Portal
test.beforeAll(async () => {
  portal = await startPortal()
})
test.afterAll(() => portal.stop())

// A whole way, with a portal of its own.
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

/** As a terminal would run it. */
function run(command: string): { access_token: string; scope: string } {
  return JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }))
}

test('from the set-up link, which works once, to a token by clicks: an own API, an own application', async ({
  page,
  browser,
}) => {
  const shoot = shooting(page, 'empty')
  const hands = handsOn(page)
  const { press, follow, type } = hands
  const started = Date.now()

  // Another browser, before and after there is an owner.
  const other = await browser.newPage()
  await other.goto(`${portal.origin}/login`)
  await expect(other.locator('h1')).toHaveText('This portal has no owner yet')
  await expect(other.getByText('node bin/run.mjs db set-up')).toBeVisible()
  await expectNoViolations(other)
  await other.goto(setUpLink())
  const own = handsOn(other)
  await own.type('Your name', 'Grace Late')
  await own.type('Email', 'grace@example.org')
  await own.type('Password', 'too short')
  await own.press('Create the account')
  await expect(other.locator('#password')).toHaveAttribute('aria-invalid', 'true')
  await expect(other.locator('#password')).toHaveAccessibleDescription(/15 characters/)
  await expect(other.locator('#name')).toHaveValue('Grace Late')
  await expectNoViolations(other)

  await openSetUp(page)
  await shoot('account')
  await type('Your name', 'Olga Owner')
  await type('Email', 'olga@example.org')
  await type('Password', PASSWORD)
  await press('Create the account')
  await expect(page.locator('h1')).toHaveText('Protect your account')
  await expectNoViolations(page)
  await other.goto(setUpLink())
  await expect(other.locator('h1')).toHaveText('This set-up link no longer works')
  await other.goto(`${portal.origin}/login`)
  await typeSignIn(other, 'OLGA@example.org', PASSWORD)
  await expect(other.locator('h1')).toHaveText('Overview')
  await other.close()
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
  await type('Name', 'Orders')
  await type('Permissions (optional)', 'read See orders')
  await type('Audience', 'https://orders.example.com')
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
  const steps = page.locator('#first-steps')
  await expect(steps.getByRole('listitem').filter({ hasText: 'Done' })).toHaveCount(3)
  await shoot('more-steps')
  await press('Put the first steps away')
  await expect(steps).toBeHidden()
  await press('Show the first steps again')
  await expect(steps).toBeVisible()

  // The front page of an admin is the administration; the account is one link away.
  await page.goto(`${portal.origin}/`)
  await expect(page).toHaveURL(`${portal.origin}/admin`)
})
