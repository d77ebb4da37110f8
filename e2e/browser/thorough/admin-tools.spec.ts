import { expect, type Locator, type Page, test } from '@playwright/test'
import { demo } from '../../support/people'
import { enterAsOwner, typeSignIn } from '../../support/sign-in'

/** Simulator, why, least privilege, assertions, tools and what the command palette finds, in a real browser. */

const says = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

async function machineToken(page: Page, scope: string): Promise<string> {
  const { client_id, client_secret } = demo().machine
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope }
  const answer = await (await page.request.post('/oidc/token', { form })).json()
  return answer.access_token ?? ''
}

test('a refused scope is explained, and what would change it leads on', async ({ page }) => {
  await enterAsOwner(page, '/admin/simulator')
  await page.getByLabel('Application or access key', { exact: true }).fill('app_demo_web')
  await page.getByLabel('User', { exact: true }).fill('alice@gatehouse.example')
  await page.getByLabel('Scopes', { exact: true }).fill('openid orders:read orders:refund')
  await page.getByRole('button', { name: 'Simulate' }).click()
  await expect(page).toHaveURL(/client=app_demo_web&user=alice/)
  await says(page, 'A token would be issued')
  await expect(page.getByText('none of the user’s roles grants it')).toBeVisible()
  await expect(page.getByText('"scope": "openid orders:read"')).toBeVisible()
  await page.getByRole('link', { name: 'Assign the role manager' }).click()
  await expect(page).toHaveURL('/admin/users/usr_demo_alice/permissions')

  await page.goto('/admin/why?user=usr_demo_alice&permission=orders:read')
  await says(page, 'Alice Clerk has orders:read')
  await page.getByRole('link', { name: 'clerk', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/roles\/rol_demo_clerk/)
})

test('what nobody asks for is taken away after a look', async ({ page }) => {
  await enterAsOwner(page, '/admin/reports')
  await machineToken(page, 'orders:read orders:refund')
  const { access_key, secret_key } = demo().machine
  const key = { client_id: access_key, client_secret: secret_key }
  const form = { grant_type: 'client_credentials', scope: 'orders:read', ...key }
  await page.request.post('/oidc/token', { form })
  await expect(async () => {
    await page.goto('/admin/reports?days=7')
    await page.getByRole('link', { name: `Clean up ${access_key}` }).click()
    await expect(page.getByLabel(/Restrict it to the scopes that it requested/)).toBeVisible({
      timeout: 500,
    })
  }).toPass()
  await page.getByRole('button', { name: 'Remove selected' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Select at least one.' })).toBeVisible()
  await page.getByLabel(/Restrict it to the scopes that it requested/).check()
  await page.getByRole('button', { name: 'Remove selected' }).click()
  await says(page, 'The grants were removed.')
  await expect(page.getByRole('link', { name: `Clean up ${access_key}` })).toHaveCount(0)
})

test('an assertion is written, run, and turns red when it is edited to be wrong', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/reports/assertions')
  await page.getByRole('link', { name: 'Add a policy test' }).click()
  await page.getByLabel('User or application').fill('alice@gatehouse.example')
  await page.getByLabel('Permission', { exact: true }).fill('orders:read')
  await page.getByRole('button', { name: 'Create' }).click()
  await says(page, 'The policy test was saved.')
  await page.getByRole('button', { name: 'Run all' }).click()
  await says(page, 'All policy tests were run.')
  await expect(page.getByText('1 passed, 0 failed, 0 never run')).toBeVisible()
  await page.getByRole('link', { name: 'Edit: Alice Clerk has orders:read' }).click()
  await page.getByLabel('Expected answer').selectOption('no')
  await page.getByRole('button', { name: 'Save' }).click()
  await says(page, 'The policy test was saved.')
  await page.getByRole('button', { name: 'Run all' }).click()
  await expect(page.getByText('0 passed, 1 failed, 0 never run')).toBeVisible()
  await page.getByRole('link', { name: /^Edit: / }).click()
  await page.getByText('Delete this policy test').last().click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await says(page, 'The policy test was deleted.')
})

test('a test login as somebody else, shown to the admin who began it', async ({ page }) => {
  await enterAsOwner(page, '/admin/tools?client=app_demo_web')
  await page.getByLabel('Scopes').fill('openid profile orders:read orders:refund')
  await page.getByLabel('Who signs in').selectOption('login')
  await page.getByRole('button', { name: 'Start' }).click()
  const alice = demo().users[0] ?? { email: '', password: '' }
  await typeSignIn(page, alice.email, alice.password)
  await page.getByRole('button', { name: /^(Allow|Continue)/ }).click()
  await expect(page).toHaveURL(/\/admin\/tools\/test-login\?code=/)
  await says(page, 'Alice Clerk signed in')
  await expect(page.getByText('none of the user’s roles grants it')).toBeVisible()
  await expect(page.getByText('"sub": "usr_demo_alice"').first()).toBeVisible()
  await expect(page.getByText('This browser is now signed in as Alice Clerk.')).toBeVisible()
  await page.reload()
  await says(page, 'The code was already used')
})

test('a token is decoded here and verified there; a request is built with PKCE', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/tools/token')
  await page.getByLabel('Token').fill(await machineToken(page, 'users:read'))
  await expect(page.getByText(/^expires in/)).toBeVisible()
  await expect(page.getByText('The client ID that requested it')).toBeVisible()
  await page.getByRole('button', { name: 'Verify with this portal' }).click()
  await expect(page.getByRole('heading', { name: 'Valid' })).toBeVisible()
  await page.getByLabel('Token').fill('eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.')
  await page.getByRole('button', { name: 'Verify with this portal' }).click()
  await expect(page.getByRole('heading', { name: 'Not a token of this portal' })).toBeVisible()

  await page.goto('/admin/tools/playground?client=app_demo_web')
  const href = await page.getByRole('link', { name: 'Open' }).getAttribute('href')
  expect(new URL(href ?? '').searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
})

const PALETTE = 'Search pages, users, applications and more'

/** The page's script may not listen yet. */
async function openPalette(page: Page): Promise<Locator> {
  const box = page.getByRole('combobox', { name: PALETTE })
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(box).toBeFocused({ timeout: 500 })
  }).toPass()
  return box
}

/** What is typed, what is found, and where it leads; the last two leave the administration. */
const WAYS: readonly (readonly [typed: string, found: RegExp, path: RegExp])[] = [
  ['rotate a key', /Rotate a signing key.*Action/, /\/admin\/keys$/],
  ['mail', /Mail server.*Settings/, /\/admin\/settings\/mail$/],
  ['jwks', /Signing keys.*Page/, /\/admin\/keys$/],
  ['邮件服务器', /Mail server.*Settings/, /\/admin\/settings\/mail$/],
  ['orders:refund', /orders:refund.*Permission/, /\/admin\/apis\/[^/]+\?q=orders%3Arefund$/],
  ['alice', /Alice Clerk.*User/, /\/admin\/users\/usr_demo_alice$/],
  ['reference: webhooks', /API reference: Webhooks.*Docs/, /\/docs\/api\/webhooks$/],
  ['sign out', /Sign out.*Action/, /\/logout$/],
]

test('the palette finds pages, actions, settings, documents and things, by other words too', async ({
  page,
}) => {
  await enterAsOwner(page, '/admin/groups')
  for (const [typed, found, path] of WAYS) {
    if (!new URL(page.url()).pathname.startsWith('/admin')) await page.goto('/admin/groups')
    const box = await openPalette(page)
    await box.fill(typed)
    await page.getByRole('option', { name: found }).click()
    await expect(page).toHaveURL(path)
  }
})
