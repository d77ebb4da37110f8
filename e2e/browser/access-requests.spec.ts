import { expect, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { asOwner, newPerson, type Person } from '../support/people'
import { enterAs, enterAsOwner } from '../support/sign-in'

/** From a refusal to access, as the people meet it: asked, decided, and back at the application. */

const ANY = { 'if-match': '*' }
const own = crypto.randomUUID().slice(0, 8)
const prefix = `ledger${own}`
const WANTED = `${prefix}:close`
const SENTENCE = `Close the books of ${own}`
const CALLBACK = 'http://localhost:4000/callback'

let asker: Person
let approver: Person
let apiId = ''
let clientId = ''

/** An API with a permission that needs a role, an application that asks for it, and two people. */
test.beforeAll(async () => {
  asker = await newPerson('Ada')
  approver = await newPerson('Grace')
  const api = { prefix, name: 'Ledger', audience: `https://${prefix}.example` }
  apiId = (await asOwner('POST', '/spaces/demo/resources', api)).id
  const item = { resource: apiId, descriptions: { en: SENTENCE }, needsRole: true }
  await asOwner('POST', '/spaces/demo/permissions', { ...item, key: WANTED })
  const app = { name: 'Bookkeeping', kind: 'web', redirectUris: [CALLBACK] }
  clientId = (await asOwner('POST', '/applications', app)).id
  const grants = { grants: [{ pattern: `${prefix}:*` }] }
  await asOwner('PUT', `/applications/${clientId}/grants`, grants, ANY)
  const second = 'usr_demo_alice'
  await asOwner('POST', '/request-rules', {
    api: prefix,
    name: 'Closing',
    patterns: [WANTED],
    maxSeconds: 24 * 60 * 60,
    stages: [
      {
        approvers: [approver.id, second].map((id) => ({ type: 'user', id })),
        needed: 1,
      },
    ],
  })
})

function authorizePath(): string {
  const fields = {
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    state: 's',
    scope: `openid ${WANTED}`,
    prompt: 'consent',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  }
  return `/oidc/auth?${new URLSearchParams(fields)}`
}

test('refused at consent, asked for, approved on the page, and the state shows', async ({
  page,
}) => {
  await enterAs(page, asker, authorizePath())
  await expect(page).toHaveURL(/\/consent\?/)
  const link = page.getByRole('link', { name: `Ask for this: ${SENTENCE}` })
  await expect(link).toBeVisible()
  const form = await link.getAttribute('href')

  await page.goto(form ?? '')
  await expect(page.locator('h1')).toHaveText('Ask for access')
  await expect(page.getByText('Bookkeeping', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Bookkeeping can use it once you have it/)).toBeVisible()
  await page.getByRole('button', { name: 'Send the request' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeFocused()
  await expect(page.locator('#reason')).toHaveAttribute('aria-invalid', 'true')
  await expectNoViolations(page)
  await page.locator('#reason').fill('The books of October\nand of November')
  await page.locator('#until').selectOption('14400')
  await page.getByRole('button', { name: 'Send the request' }).click()
  await expect(page.getByText('Your request was sent.')).toBeVisible()
  await expectNoViolations(page)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''

  // The same again leads to the same request; who asks does not decide.
  await page.goto(form ?? '')
  await expect(page).toHaveURL(new RegExp(`/account/access/${id}`))
  await page.goto(`/account/approvals/${id}`)
  await expect(page.locator('h1')).toHaveText('This is your own request')

  await enterAs(page, approver, '/account/approvals')
  await page.getByRole('link', { name: `Open the request: Ada asks for: ${SENTENCE}` }).click()
  await expect(page.locator('h1')).toHaveText('Ada asks for access')
  await expect(page.getByText('The books of October and of November')).toBeVisible()
  await expect(page.getByText('You are named as an approver.')).toBeVisible()
  await expect(page.getByText(`Ada gets ${WANTED}.`)).toBeVisible()
  await expectNoViolations(page)
  await page.locator('#until').selectOption('3600')
  await page.locator('#reason').fill('Only the books')
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('You approved the request.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'This request is closed' })).toBeVisible()
  await page.goto('/account/approvals')
  await expect(page.getByText('You have nothing to decide.')).toBeVisible()

  await enterAs(page, asker, `/account/access/${id}`)
  await expect(page.getByText('Go back to Bookkeeping')).toBeVisible()
  await expect(page.getByText('Only the books')).toBeVisible()

  // An admin of the API finds it there, and ends it.
  await enterAsOwner(page, `/admin/apis/${apiId}/requests`)
  await page.getByRole('link', { name: `Open the request: Ada, ${WANTED}` }).click()
  await expect(page.getByText(/^Ada has the permission until/)).toBeVisible()
  await page.getByText('End this access').click()
  await expectNoViolations(page)
  await page.locator('#reason').fill('The books are closed')
  await page.getByRole('button', { name: 'End access' }).click()
  await expect(page.getByText('The access was ended.')).toBeVisible()
  await expect(page.getByText('End this access')).toHaveCount(0)
  await enterAs(page, asker, `/account/access/${id}`)
  await expect(page.getByText(/^You had the permission until/)).toBeVisible()
  await expect(page.getByText('Go back to Bookkeeping')).toHaveCount(0)
})
