import { type Browser, expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { asOwner, newPerson, type Person } from '../support/people'
import { enterAs, enterAsOwner } from '../support/sign-in'

/** A review of access as people meet it: started by an admin, decided on a phone, carried out. */

const own = crypto.randomUUID().slice(0, 8)
const NAME = `Librarians ${own}`
const LIST = '/admin/reports/reviews'

let kept: Person
let removed: Person
let reviewer: Person
let role = ''

test.beforeAll(async () => {
  kept = await newPerson('Ada')
  removed = await newPerson('Edsger')
  reviewer = await newPerson('Grace')
  const fields = { key: `librarian-${own}`, name: `Librarian ${own}` }
  role = (await asOwner('POST', '/spaces/demo/roles', fields)).id
  for (const { id } of [kept, removed]) await asOwner('PUT', `/users/${id}/roles/${role}`)
})

async function choose(page: Page, field: string, text: string): Promise<void> {
  await page.locator(field).fill(text)
  await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first().click()
}

/** A phone, usually without JavaScript. */
async function onPhone(
  browser: Browser,
  person: Person,
  path: string,
  javaScriptEnabled = false,
): Promise<Page> {
  const look = { viewport: { width: 390, height: 844 }, javaScriptEnabled }
  const page = await (await browser.newContext(look)).newPage()
  await enterAs(page, person, path)
  await expect(page.locator('h1')).toBeVisible()
  return page
}

/** axe itself needs JavaScript. */
async function expectReadableRefusal(browser: Browser, path: string): Promise<void> {
  const page = await onPhone(browser, reviewer, path, true)
  await page.getByRole('button', { name: 'Save decisions' }).click()
  await expect(page.getByText('Choose what should happen')).toBeVisible()
  await expectNoViolations(page)
  await page.context().close()
}

const noRoom = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('an admin starts a review, a reviewer decides on a phone, and what was removed is gone', async ({
  page,
  browser,
}) => {
  await enterAsOwner(page, LIST)
  await page.getByRole('link', { name: 'Start a review' }).click()
  await page.getByRole('button', { name: 'Start the review' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeFocused()
  await expectNoViolations(page)
  await page.locator('#name').fill(NAME)
  await choose(page, '#thing', `Librarian ${own}`)
  await choose(page, '#reviewers', reviewer.email)
  await page.getByRole('button', { name: 'Start the review' }).click()
  await expect(page.getByText('The review has started.')).toBeVisible()
  await expect(page.getByText('0 of 2 items decided')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close it now' })).toHaveCount(0)
  const at = new URL(page.url()).pathname

  const phone = await onPhone(browser, reviewer, '/account/reviews')
  await phone.getByRole('link', { name: `Review now: ${NAME}` }).click()
  await expect(phone.getByText(/^What nobody decides about by .* is removed\.$/)).toBeVisible()
  expect(await noRoom(phone)).toBe(0)
  const card = (name: string) =>
    phone.locator('section', { has: phone.getByRole('heading', { name: `Person ${name}` }) })
  await expect(card('Ada').getByText('Suggestion: Keep it')).toBeVisible()
  await phone.getByRole('button', { name: 'Save decisions' }).click()
  await expect(phone.getByText('Choose what should happen')).toBeVisible()
  await expectReadableRefusal(browser, new URL(phone.url()).pathname)
  await expect(card('Edsger').getByLabel('A new end')).toBeHidden()
  await card('Edsger').getByLabel('Narrow').check()
  await expect(card('Edsger').getByLabel('A new end')).toBeVisible()
  await card('Edsger').getByLabel('Remove').check()
  await card('Edsger').getByLabel('Reason (optional)').fill('Left the library')
  await phone.getByRole('button', { name: 'Save decisions' }).click()
  await expect(phone.getByText('Your decisions were saved.')).toBeVisible()
  await expect(phone.getByText('1 of 2 items of yours decided')).toBeVisible()
  await phone.getByRole('button', { name: 'Accept the suggestions on this page' }).click()
  await expect(phone.getByText('You have decided about everything.')).toBeVisible()
  await phone.getByRole('link', { name: 'Decided', exact: true }).click()
  await expect(phone.getByText('Left the library')).toBeVisible()
  await phone.context().close()

  await page.goto(at)
  await expect(page.getByText('2 of 2 items decided')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Decided by Grace' })).toBeVisible()
  await page.getByRole('button', { name: 'Close it now' }).click()
  await expect(page.getByText('The review is closed')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download CSV' })).toBeVisible()
  await expectNoViolations(page)
  const id = at.split('/').at(-1)
  const file = await page.request.get(`/api/v1/reviews/${id}/evidence`)
  expect(file.status()).toBe(200)
  expect(await file.text()).toContain('Left the library')
  const { data } = await asOwner('GET', `/roles/${role}/members`)
  expect(data.map((one: { subject: { id: string } }) => one.subject.id)).toEqual([kept.id])
})
