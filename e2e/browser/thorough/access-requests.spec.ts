import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { asOwner, enrolApp, newPerson, type Person } from '../../support/people'
import { enterAs, enterAsOwner } from '../../support/sign-in'

/** What else happens to requests for access: denied, withdrawn, given back; their rules; mistakes. */

const ANY = { 'if-match': '*' }
const own = crypto.randomUUID().slice(0, 8)
const prefix = `ledger${own}`
const WANTED = `${prefix}:close`
const SENTENCE = `Close the books of ${own}`
const CALLBACK = 'http://localhost:4000/callback'

// One after the other: they share what is made once.
test.describe.configure({ mode: 'default' })

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
  for (const key of [WANTED, `${prefix}:open`]) {
    await asOwner('POST', '/spaces/demo/permissions', { ...item, key })
  }
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

function authorizePath(client_id = clientId): string {
  const fields = {
    client_id,
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

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('asked from the catalogue, denied with a reason, asked again and withdrawn', async ({
    page,
  }) => {
    const person = await newPerson('Edsger')
    await enterAs(page, person, '/account/access')
    await page.getByRole('link', { name: `Ask for this: ${SENTENCE}` }).click()
    await page.locator('#reason').fill('Curiosity')
    await page.getByRole('button', { name: 'Send the request' }).click()
    await expect(page.getByText('Your request was sent.')).toBeVisible()
    const at = new URL(page.url()).pathname

    await enterAs(page, approver, at.replace('/access/', '/approvals/'))
    await page.locator('#reason').fill('Not for this')
    await page.getByRole('button', { name: 'Deny' }).click()
    await expect(page.getByText('You denied the request.')).toBeVisible()

    await enterAs(page, person, at)
    await expect(page.getByText('You did not get the permission.')).toBeVisible()
    await expect(page.getByText('Not for this')).toBeVisible()
    await page.goto(`/account/access?scope=${encodeURIComponent(WANTED)}`)
    await page.locator('#reason').fill('Again')
    await page.getByRole('button', { name: 'Send the request' }).click()
    await page.getByText('Withdraw the request').click()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await expect(page.getByText('Your request was withdrawn.')).toBeVisible()
  })

  test('access that is no longer needed is given back', async ({ page }) => {
    const person = await newPerson('Kathleen')
    await enterAs(page, person, `/account/access?scope=${encodeURIComponent(WANTED)}`)
    await page.locator('#reason').fill('One month')
    await page.getByRole('button', { name: 'Send the request' }).click()
    const at = new URL(page.url()).pathname
    await enterAs(page, approver, at.replace('/access/', '/approvals/'))
    await page.getByRole('button', { name: 'Approve' }).click()
    await expect(page.getByText('You approved the request.')).toBeVisible()
    await enterAs(page, person, at)
    await page.getByText('Give it back').click()
    await page.getByRole('button', { name: 'Give back' }).click()
    await expect(page.getByText('You gave the access back.')).toBeVisible()
    await expect(page.getByText(/^You had the permission until/)).toBeVisible()
  })

  test('a rule gets a second step, and loses the first', async ({ page }) => {
    await enterAsOwner(page, `/admin/apis/${apiId}/requests`)
    await page.locator('#name').fill('Two steps')
    await page.locator('#patterns').fill(`${prefix}:open`)
    await page.locator('#approvers').fill(`${asker.id}, ${approver.id}`)
    const added = page.locator('details', { hasText: 'Add a step' })
    await page.getByText('Add a step').click()
    await page.locator('#approvers-1').fill('no such role')
    await added.getByText('More about this approval').click()
    await page.locator('#needed-1').fill('2')
    await page.locator('#maxHours').fill('0')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.locator('#approvers-1')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.locator('#maxHours')).toHaveAttribute('aria-invalid', 'true')
    await page.locator('#maxHours').fill('8')
    await page.getByLabel('no such role').uncheck()
    await page.locator('#approvers-1').fill('rol_demo_clerk')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText('The rule was saved.')).toBeVisible()
    const heading = page.getByRole('heading', { name: 'Two steps' })
    const rule = page.locator('section', { has: heading })
    await expect(rule.getByRole('listitem')).toHaveCount(2)
    await page.getByRole('link', { name: 'Change: Two steps' }).click()
    await page.getByLabel('Remove step 1').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The rule was saved.')).toBeVisible()
    await expect(rule.getByRole('listitem')).toHaveCount(1)
    await expect(rule).toContainText('(2 approvals)')
  })
})

test('a user who is kept out of an application can ask, or goes back', async ({ page }) => {
  const app = { name: 'Vault', kind: 'web', redirectUris: [CALLBACK] }
  const { id } = await asOwner('POST', '/applications', app)
  const grants = { grants: [{ pattern: `${prefix}:*` }] }
  await asOwner('PUT', `/applications/${id}/grants`, grants, ANY)
  await asOwner('PATCH', `/applications/${id}`, { requiredScopes: [WANTED] }, ANY)
  await page.route(`${CALLBACK}*`, (route) => route.fulfill({ body: 'back' }))
  await enterAs(page, await newPerson('Kim'), authorizePath(id))
  await expect(page.locator('h1')).toHaveText('You can’t use Vault yet')
  const link = page.getByRole('link', { name: `Ask for this: ${SENTENCE}` })
  await expect(link).toHaveAttribute('href', /binding=/)
  await expectNoViolations(page)
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page.locator('h1')).toHaveText('You can’t use Vault yet')
  await page.getByRole('button', { name: 'Back to the application' }).click()
  await expect(page).toHaveURL(/callback\?error=access_denied/)
})

/** A machine that asks for somebody, with a reason of its own. */
async function askedByAgent(page: Page, person: Person): Promise<string> {
  const { id, secret } = await asOwner('POST', '/applications', { kind: 'machine', name: 'Robot' })
  const scopes = ['permissions:check', 'permissions:request']
  const grants = { grants: scopes.map((pattern) => ({ pattern })) }
  await asOwner('PUT', `/applications/${id}/grants`, grants, ANY)
  const machine = { client_id: id, client_secret: secret, scope: scopes.join(' ') }
  const form = { grant_type: 'client_credentials', ...machine }
  // A change counts everywhere within a second.
  let token = ''
  await expect(async () => {
    const answer = await (await page.request.post('/oidc/token', { form })).json()
    expect(answer.scope).toBe(machine.scope)
    token = answer.access_token
  }).toPass()
  const headers = { authorization: `Bearer ${token}` }
  const post = async (path: string, data: object) =>
    (await page.request.post(path, { headers, data })).json()
  const asked = {
    subject: { type: 'user', id: person.id },
    action: { name: 'close' },
    resource: { type: prefix, id: 'book-1' },
  }
  const { context } = await post('/access/v1/evaluation', asked)
  const { binding_token } = context.access_request
  const more = { requested_access: { reason: 'She needs it' }, denial: { binding_token } }
  return (await post('/access/v1/request', { ...asked, ...more })).task.id
}

test('Q82: what an application asks for somebody is called so, to those who decide and to them', async ({
  page,
}) => {
  const person = await newPerson('Barbara')
  const id = await askedByAgent(page, person)
  await enterAs(page, approver, '/account/approvals')
  const what = `Robot asks for Barbara: ${SENTENCE}`
  await page.getByRole('link', { name: `Open the request: ${what}` }).click()
  await expect(page.locator('h1')).toHaveText('Robot asks for access for Barbara')
  await expect(page.getByText('Reason, by Robot')).toBeVisible()
  await expectNoViolations(page)
  await enterAs(page, person, `/account/access/${id}`)
  await expect(page.locator('h1')).toHaveText('A request for you')
  await expect(page.getByText(/^Robot asked for this for you/)).toBeVisible()
  await expect(page.getByText('You can go back to Robot')).toHaveCount(0)
  // It was for one instance: the whole permission can still be asked for.
  await page.goto('/account/access')
  const whole = `/account/access?scope=${encodeURIComponent(WANTED)}`
  await expect(page.locator(`a[href="${whole}"]`)).toBeVisible()
})

test('links that lead nowhere say so', async ({ page }) => {
  await enterAs(page, asker, '/account/access?binding=forged')
  await expect(page.locator('h1')).toHaveText('You can’t ask for this')
  await page.goto('/account/access?scope=portal:nothing')
  await expect(page.locator('h1')).toHaveText('You can’t ask for this')
  await page.goto('/account/access?q=nothing-of-this-name')
  await expect(page.getByText('You can ask for nothing of this name.')).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveValue('nothing-of-this-name')
  await page.goto('/account/approvals/arq_of-nobody')
  await expect(page.locator('h1')).toHaveText('There is nothing to decide')
  await page.goto('/account/access/arq_of-nobody')
  await expect(page.locator('h1')).toHaveText('There is no such request')
})

test('something sensitive is decided after a second factor', async ({ page }) => {
  const careful = await newPerson('Barbara')
  const secret = `${prefix}:burn`
  const item = { resource: apiId, key: secret, needsRole: true, sensitive: true }
  await asOwner('POST', '/spaces/demo/permissions', {
    ...item,
    descriptions: { en: 'Burn the books' },
  })
  const second = 'usr_demo_alice'
  await asOwner('POST', '/request-rules', {
    api: prefix,
    name: 'Burning',
    patterns: [secret],
    reasonRequired: false,
    stages: [{ approvers: [careful.id, second].map((id) => ({ type: 'user', id })), needed: 1 }],
  })
  await enterAs(page, asker, `/account/access?scope=${encodeURIComponent(secret)}`)
  await page.getByRole('button', { name: 'Send the request' }).click()
  await expect(page.getByText('Your request was sent.')).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await enterAs(page, careful, `/account/approvals/${id}`)
  await expect(page.getByRole('link', { name: 'Set up a second factor' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0)

  // With an authenticator app, but signed in without it: there and back.
  const totp = await enrolApp(careful)
  await page.reload()
  await page.getByRole('link', { name: 'Use a second factor now' }).click()
  await expect(page).toHaveURL(/\/second-factor\?/)
  await page.locator('#code').fill(totp.generate())
  await page.locator('#code').press('Enter')
  await expect(page).toHaveURL(new RegExp(`/account/approvals/${id}$`))
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('You approved the request.')).toBeVisible()
})

test('an admin makes, changes and deletes a rule, with mistakes at their fields', async ({
  page,
}) => {
  const path = `/admin/apis/${apiId}/requests`
  await enterAsOwner(page, path)
  await expect(page.getByRole('heading', { name: 'Closing' })).toBeVisible()
  await page.locator('#name').fill('Opening')
  await page.locator('#patterns').fill(`${prefix}:open\n${prefix}:nonsense`)
  await page.locator('#owners-yes').check()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeFocused()
  await expect(page.locator('#patterns')).toHaveAccessibleDescription(/no permission of the API/)
  await page.locator('#patterns').fill(`${prefix}:open`)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.locator('#needed')).toHaveAccessibleDescription(/approve/)
  await expectNoViolations(page)
  await page.getByLabel('People can ask now').uncheck()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('The rule was saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Change: Opening' }).click()
  await page.locator('#maxHours').fill('2')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('2 hours')).toBeVisible()
  await page.getByRole('link', { name: 'Change: Opening' }).click()
  await page.getByText('Delete the rule').click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('The rule was deleted.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Opening' })).toHaveCount(0)
})
