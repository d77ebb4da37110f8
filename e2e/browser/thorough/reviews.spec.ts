import { type Browser, expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { asOwner, newPerson, type Person } from '../../support/people'
import { enterAs, enterAsOwner } from '../../support/sign-in'

/** A review of access as people meet it: started by an admin, decided on a phone, carried out. */

const own = crypto.randomUUID().slice(0, 8)
const NAME = `Librarians ${own}`
const LIST = '/admin/reports/reviews'
const ANY = { 'if-match': '*' }

// One after the other: they share what is made once.
test.describe.configure({ mode: 'default' })

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
  await expect(
    phone.getByText(/^Access that no reviewer decides on by .* is removed\.$/),
  ).toBeVisible()
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

test('a review is cancelled, and links that lead nowhere say so', async ({ page }) => {
  const { id } = await asOwner('POST', '/reviews', {
    name: `Cancelled ${own}`,
    over: { type: 'role', id: role },
    reviewers: [{ type: 'user', id: reviewer.id }],
    deadline: new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString(),
  })
  await enterAsOwner(page, `${LIST}/${id}`)
  await page.getByText('Cancel it').click()
  await page.getByRole('button', { name: 'Cancel the review' }).click()
  await expect(page.getByText('The review was cancelled.')).toBeVisible()
  await page.goto(`/account/reviews/${id}`)
  await expect(page.getByText('This review is over.')).toBeVisible()
  await page.goto('/account/reviews/rvw_of-nobody')
  await expect(page.locator('h1')).toHaveText('There is no such review')
  await page.goto('/account/reviews')
  await expect(page.getByText('You have nothing to review.')).toBeVisible()
})

const startOver = (over: object, reviewers: readonly Person[], name: string) =>
  asOwner('POST', '/reviews', {
    name: `${name} ${own}`,
    over,
    reviewers: reviewers.map(({ id }) => ({ type: 'user', id })),
    deadline: new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString(),
  })

test('a changed decision leaves those of others, and its own end, as they were', async ({
  browser,
}) => {
  const [first, second] = [await newPerson('Barbara'), await newPerson('Frances')]
  for (const { id } of [kept, removed]) await asOwner('PUT', `/users/${id}/roles/${role}`)
  const { id } = await startOver({ type: 'role', id: role }, [first, second], 'Changed')
  const card = (page: Page, name: string) =>
    page.locator('section', { has: page.getByRole('heading', { name: `Person ${name}` }) })
  const save = (page: Page) => page.getByRole('button', { name: 'Save decisions' }).click()
  const decided = `/account/reviews/${id}?part=decided`

  const firsts = await onPhone(browser, first, `/account/reviews/${id}`)
  await card(firsts, 'Edsger').getByLabel('Keep').check()
  await card(firsts, 'Ada').getByLabel('Narrow').check()
  await card(firsts, 'Ada').getByLabel('A new end').selectOption('30 days after the deadline')
  await save(firsts)
  await expect(firsts.getByText('Your decisions were saved.')).toBeVisible()

  const seconds = await onPhone(browser, second, decided)
  await expect(card(seconds, 'Ada').getByText('Barbara decided: narrow')).toBeVisible()
  await save(seconds)
  await expect(seconds.getByText('You changed nothing, so nothing was saved.')).toBeVisible()
  await card(seconds, 'Edsger').getByLabel('Remove').check()
  await save(seconds)
  await expect(seconds.getByText('Your decisions were saved.')).toBeVisible()

  await firsts.goto(decided)
  await expect(card(firsts, 'Edsger').getByText('Frances decided: remove')).toBeVisible()
  await expect(card(firsts, 'Ada').getByText('Barbara decided: narrow')).toBeVisible()
  const end = card(firsts, 'Ada').getByLabel('A new end').locator('option:checked')
  await expect(end).toHaveText('30 days after the deadline')
  await asOwner('POST', `/reviews/${id}/cancellation`, {})
  for (const page of [firsts, seconds]) await page.context().close()
})

test('an app manager finds, starts, sees and cancels a review of their own application', async ({
  browser,
}) => {
  const manager = await newPerson('Radia')
  await asOwner('PATCH', `/users/${manager.id}`, { adminRole: 'app_manager' }, ANY)
  const application = await asOwner('POST', '/applications', {
    kind: 'machine',
    name: `Bridge ${own}`,
    owner: manager.id,
  })
  const grants = { grants: [{ pattern: 'orders:read' }] }
  await asOwner('PUT', `/applications/${application.id}/grants`, grants, ANY)
  const others = await startOver({ type: 'role', id: role }, [reviewer], 'Of others')

  const page = await (await browser.newContext()).newPage()
  await enterAs(page, manager, '/admin/applications')
  await page.getByRole('link', { name: 'Governance' }).click()
  await expect(page.locator('h1')).toHaveText('Governance')
  await page.getByRole('link', { name: 'Access reviews', exact: true }).click()
  await expect(page.locator('h1')).toHaveText('Access reviews')
  await expect(page.getByText(`Of others ${own}`)).toHaveCount(0)
  await page.getByRole('link', { name: 'Start a review' }).click()
  await page.locator('#name').fill(`Bridge ${own}`)
  await choose(page, '#thing', `Bridge ${own}`)
  await page.locator('#reviewers').fill(reviewer.id)
  await page.locator('#reviewers').press('Tab')
  await page.getByRole('button', { name: 'Start the review' }).click()
  await expect(page.getByText('The review has started.')).toBeVisible()
  await expect(page.getByText('0 of 1 item decided')).toBeVisible()
  const at = new URL(page.url()).pathname
  await page.goto(LIST)
  await page.getByRole('link', { name: `See the review: Bridge ${own}` }).click()
  await expect(page).toHaveURL((url) => url.pathname === at)
  await page.getByText('Cancel it').click()
  await page.getByRole('button', { name: 'Cancel the review' }).click()
  await expect(page.getByText('The review was cancelled.')).toBeVisible()
  expect((await page.goto(`${LIST}/${others.id}`))?.status()).toBe(404)
  await page.context().close()
  await asOwner('POST', `/reviews/${others.id}/cancellation`, {})
})
