import { expect, type Page, test } from '@playwright/test'
import type { TOTP } from 'otpauth'
import { expectNoViolations } from '../support/axe'
import { asOwner, enrolApp, newPerson, type Person } from '../support/people'
import { enterAs, enterAsOwner, typeSignIn } from '../support/sign-in'

/** Access that a person opens alone in an emergency, and its review, as the people meet it. */

const own = crypto.randomUUID().slice(0, 8)
const prefix = `vault${own}`
const WANTED = `${prefix}:restart`
const SENTENCE = `Restart the vault of ${own}`

let opener: Person
let reviewer: Person
let totp: TOTP

/** A person with an app who is named for emergencies, and one who reviews. */
test.beforeAll(async () => {
  opener = await newPerson('Margaret')
  reviewer = await newPerson('Radia')
  totp = await enrolApp(opener)
  const api = { prefix, name: 'Vault', audience: `https://${prefix}.example` }
  const { id: resource } = await asOwner('POST', '/spaces/demo/resources', api)
  const item = { resource, key: WANTED, descriptions: { en: SENTENCE }, needsRole: true }
  await asOwner('POST', '/spaces/demo/permissions', item)
  const named = (id: string) => ({ type: 'user', id })
  const stages = [{ approvers: [reviewer.id, 'usr_demo_alice'].map(named) }]
  const emergency = { people: [named(opener.id)], reviewers: [named(reviewer.id)] }
  const restarting = { name: 'Restarting', patterns: [WANTED], emergency }
  await asOwner('POST', '/request-rules', { api: prefix, stages, ...restarting })
})

/** With a code of the app. */
async function enterWithCode(page: Page, path: string): Promise<void> {
  await page.goto(`/login?returnTo=${encodeURIComponent(path)}`)
  await typeSignIn(page, opener.email, opener.password)
  await expect(page).toHaveURL(/\/second-factor/)
  await page.locator('#code').fill(totp.generate())
  await page.locator('#code').press('Enter')
  await expect(page).not.toHaveURL(/\/second-factor/)
}

test('opened in an emergency, reviewed by another person, and the state shows', async ({
  page,
}) => {
  await enterWithCode(page, '/account/access')
  await page.getByRole('link', { name: `Open in an emergency: ${SENTENCE}` }).click()
  await expect(page.locator('h1')).toHaveText('Open in an emergency')
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Open now' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toBeFocused()
  await expect(page.locator('#reason')).toHaveAccessibleDescription(/what happened/)
  await page.locator('#reason').fill('The vault does not answer')
  await page.getByRole('button', { name: 'Open now' }).click()
  await expect(page.getByText('You have the access now.')).toBeVisible()
  await expect(page.getByText('Somebody else reviews it by')).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await expectNoViolations(page)

  await enterAs(page, reviewer, '/account/approvals')
  const what = `Margaret opened in an emergency: ${SENTENCE}`
  await page.getByRole('link', { name: `Review it: ${what}` }).click()
  await expect(page.locator('h1')).toHaveText('Margaret opened access in an emergency')
  await expect(page.getByText('The vault does not answer')).toBeVisible()
  await expect(page.getByText('No token with this permission was issued')).toBeVisible()
  await expect(page.getByRole('link', { name: 'audit log' })).toHaveCount(0)
  await page.getByRole('button', { name: 'It was justified' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toBeFocused()
  await expectNoViolations(page)
  await page.locator('#reason').fill('It was down for an hour')
  await page.getByRole('button', { name: 'It was justified' }).click()
  await expect(page.getByText('Your review was saved.')).toBeVisible()
  await expect(page.getByText('Radia found it justified.')).toBeVisible()
  await page.goto('/account/approvals')
  await expect(page.getByText('You have nothing to decide.')).toBeVisible()
  await asOwner('POST', `/access-requests/${id}/revocation`, {})

  await enterAsOwner(page, `/account/approvals/${id}`)
  await page.getByRole('link', { name: 'See this time in the audit log' }).click()
  await expect(page.locator('h1')).toHaveText('Audit log')
  await expect(page.getByText('access_request.emergency_opened')).toBeVisible()
})
