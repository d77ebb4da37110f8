import { expect, type Page, test } from '@playwright/test'
import type { TOTP } from 'otpauth'
import { expectNoViolations } from '../../support/axe'
import { asOwner, enrolApp, newPerson, type Person } from '../../support/people'
import { enterAs, enterAsOwner, typeSignIn } from '../../support/sign-in'

/** Who may open access alone in an emergency; opened and reviewed without JavaScript. */

const own = crypto.randomUUID().slice(0, 8)
const prefix = `vault${own}`
const WANTED = `${prefix}:restart`
const SENTENCE = `Restart the vault of ${own}`
const STEP_MS = 30_000

// One after the other: they share what is made once.
test.describe.configure({ mode: 'default' })

let opener: Person
let reviewer: Person
let totp: TOTP
let step = 0
let apiId = ''

/** A person with an app who is named for emergencies, and one who reviews. */
test.beforeAll(async () => {
  opener = await newPerson('Margaret')
  reviewer = await newPerson('Radia')
  totp = await enrolApp(opener)
  const api = { prefix, name: 'Vault', audience: `https://${prefix}.example` }
  apiId = (await asOwner('POST', '/spaces/demo/resources', api)).id
  const sentences = { [WANTED]: SENTENCE, [`${prefix}:stop`]: `Stop the vault of ${own}` }
  for (const [key, en] of Object.entries(sentences)) {
    const item = { resource: apiId, key, descriptions: { en }, needsRole: true }
    await asOwner('POST', '/spaces/demo/permissions', item)
  }
  const named = (id: string) => ({ type: 'user', id })
  const stages = [{ approvers: [reviewer.id, 'usr_demo_alice'].map(named) }]
  const emergency = { people: [named(opener.id)], reviewers: [named(reviewer.id)] }
  const restarting = { name: 'Restarting', patterns: [WANTED], emergency }
  await asOwner('POST', '/request-rules', { api: prefix, stages, ...restarting })
  const stopping = { name: 'Stopping', patterns: [`${prefix}:stop`] }
  await asOwner('POST', '/request-rules', { api: prefix, stages, ...stopping })
})

/** With the next code of the app. */
async function enterWithCode(page: Page, path: string): Promise<void> {
  await page.goto(`/login?returnTo=${encodeURIComponent(path)}`)
  await typeSignIn(page, opener.email, opener.password)
  await expect(page).toHaveURL(/\/second-factor/)
  await page.locator('#code').fill(totp.generate({ timestamp: Date.now() + step * STEP_MS }))
  step += 1
  await page.locator('#code').press('Enter')
  await expect(page).not.toHaveURL(/\/second-factor/)
}

test('an admin names who may open it in an emergency, and who reviews it', async ({ page }) => {
  await enterAsOwner(page, `/admin/apis/${apiId}/requests`)
  await expect(page.getByText('Nobody opens this alone.')).toBeVisible()
  await page.getByRole('link', { name: 'Change: Stopping' }).click()
  await page.getByText('In an emergency').click()
  await page.locator('#emergencyPeople').fill(opener.email)
  await page.getByRole('option').filter({ hasText: opener.email }).click()
  await page.locator('#emergencyMinutes').fill('30')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toBeFocused()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Nobody else could review')
  await expectNoViolations(page)
  await page.locator('#emergencyReviewers').fill(reviewer.email)
  await page.getByRole('option').filter({ hasText: reviewer.email }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The rule was saved.')).toBeVisible()
  await expect(page.getByText('30 minutes, reviewed within 1 day')).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('opened in an emergency, and found not justified', async ({ page }) => {
    const form = `/account/access?scope=${encodeURIComponent(WANTED)}&emergency=yes`
    await enterWithCode(page, form.replace('&emergency=yes', ''))
    await page.locator('#reason').fill('I need it')
    await page.getByRole('button', { name: 'Send the request' }).click()
    // Nobody may be there to decide about it.
    await expect(page.locator('h1')).toHaveText('Your request')
    await page.getByRole('link', { name: 'See what happens then' }).click()
    await page.locator('#reason').fill('I wanted to see what happens')
    await page.getByRole('button', { name: 'Open now' }).click()
    await expect(page.getByText('You have the access now.')).toBeVisible()
    const at = new URL(page.url()).pathname
    const cookies = await page.context().cookies()

    await enterAs(page, reviewer, at.replace('/access/', '/approvals/'))
    await page.locator('#reason').fill('There was no incident')
    await page.getByRole('button', { name: 'Not justified' }).click()
    await expect(page.getByText('Radia found it not justified.')).toBeVisible()

    await page.context().clearCookies()
    await page.context().addCookies(cookies)
    await page.goto('/account/access')
    await expect(page.getByText('Opened in an emergency, not justified')).toBeVisible()
    await page.goto(form)
    await expect(page.getByText('what you opened before was not justified')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open now' })).toHaveCount(0)

    // It was a mistake: an owner of the portal says so.
    await enterAsOwner(page, at.replace('/access/', '/approvals/'))
    await expect(page.getByRole('heading', { name: 'Correct the review' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Not justified' })).toHaveCount(0)
    await page.locator('#reason').fill('The incident was in another log')
    await page.getByRole('button', { name: 'It was justified' }).click()
    await expect(page.getByText('Your review was saved.')).toBeVisible()
    await page.context().clearCookies()
    await page.context().addCookies(cookies)
    await page.goto(form)
    await expect(page.getByText('what you opened before was not justified')).toHaveCount(0)
  })
})
