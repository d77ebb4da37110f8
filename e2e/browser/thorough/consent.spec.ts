import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { asOwner, demo, newPerson } from '../../support/people'
import { enterAs, enterAsOwner } from '../../support/sign-in'

/** The consent page, each time with a person of the test's own. */

const SCOPE = 'openid profile offline_access orders:read orders:write'
const CALLBACK = 'http://localhost:4000/callback'
/** Of no verifier: these tests never exchange the code. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

function address(more: Record<string, string> = {}): string {
  const { client_id, redirect_uris } = demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const fields = { client_id, redirect_uri, response_type: 'code', scope: SCOPE, state: 's' }
  return `/oidc/auth?${new URLSearchParams({ ...fields, ...more })}`
}

const expectCode = (page: Page) => expect(page).toHaveURL(/localhost:4000\/callback\?code=/)

test('who asks and whether it was checked, where it leads, what exactly is asked, and what was allowed before', async ({
  page,
}) => {
  await enterAs(page, await newPerson('Pat'), address({ scope: 'openid orders:read' }))
  const main = page.getByRole('main')
  await expect(main.getByText('Gatehouse demo')).toBeVisible()
  await expect(main.getByText('Verified', { exact: true })).toBeVisible()
  await expect(main.getByText('localhost:4000')).toBeVisible()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expectCode(page)

  await page.goto(address({ prompt: 'consent' }))
  await expect(main.getByText('Keep access when you’re away')).toBeVisible()
  await expect(page.locator('input[value="orders:write"]')).toBeVisible()
  await expect(page.locator('input[value="orders:read"]')).toBeHidden()
  await page.locator('summary', { hasText: 'You already allowed these (1)' }).click()
  await expect(page.locator('input[value="orders:read"]')).toBeChecked()
  const keys = main.getByText(/^orders:(read|write)$/).filter({ visible: true })
  await expect(keys).toHaveCount(0)
  await main.getByText('What exactly?').filter({ visible: true }).first().click()
  await expect(keys).toHaveCount(1)
  await expectNoViolations(page)
})

test('terms and privacy are linked, a choice is remembered and said to be, prompt=consent asks again', async ({
  page,
  browser,
}) => {
  const links = { tosUri: 'https://shop.example/terms', policyUri: 'https://shop.example/privacy' }
  const app = { name: 'Remembered', redirectUris: [CALLBACK], ...links }
  const { id } = await asOwner('POST', '/applications', { kind: 'web', ...app })
  const native = await asOwner('POST', '/applications', { kind: 'native', ...app })
  const person = await newPerson('Remy')
  const own = await browser.newPage({ locale: 'en-GB' })
  await enterAs(own, person, asking(id))
  const main = own.getByRole('main')
  await expect(main.getByText('Keep access when you’re away')).toBeVisible()
  for (const [name, href] of [
    ['Terms of service', links.tosUri],
    ['Privacy policy', links.policyUri],
  ] as const) {
    await expect(main.getByRole('link', { name })).toHaveAttribute('href', href)
  }
  await expect(main.getByText('We remember your choice')).toBeVisible()
  await own.getByRole('button', { name: 'Allow' }).click()
  await expectCode(own)
  await own.goto(asking(id))
  await expectCode(own)
  await own.goto(asking(id, { prompt: 'consent' }))
  await expect(own.getByRole('button', { name: 'Allow' })).toBeVisible()
  // A program that anybody could pretend to be is never remembered, and the page says so.
  for (let time = 0; time < 2; time += 1) {
    await own.goto(asking(native.id))
    await expect(main.getByText('You are asked every time')).toBeVisible()
    await own.getByRole('button', { name: 'Allow' }).click()
    await expectCode(own)
  }
  await enterAsOwner(page, `/admin/applications/${native.id}/consent`)
  await expect(page.getByText('You are asked every time')).toBeVisible()
  await own.close()
})

function asking(client_id: string, more: Record<string, string> = {}): string {
  const request = {
    client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    state: 's',
    scope: 'openid profile offline_access',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  }
  return `/oidc/auth?${new URLSearchParams(request)}`
}
