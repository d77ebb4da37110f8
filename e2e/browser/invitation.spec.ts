import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { demo } from '../support/people'
import { typeSignIn } from '../support/sign-in'
import { SCRIPT_SETTINGS, scriptWords } from '../support/thorough'

/** From an invitation to an account, in a real browser. */

const NEXT = 'seven quiet herons by the weir'

const submit = (page: Page) => page.locator('main button[type=submit]').first().click()

/** The link that an administrator hands over. */
async function invitation(page: Page): Promise<{ link: string; email: string }> {
  const { client_id, client_secret } = demo().machine
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope: 'users:write' }
  const { access_token } = await (await page.request.post('/oidc/token', { form })).json()
  const headers = { authorization: `Bearer ${access_token}` }
  const email = `ivo-${crypto.randomUUID()}@example.org`
  const user = await page.request.post('/api/v1/users', { headers, data: { name: 'Ivo', email } })
  const path = `/api/v1/users/${(await user.json()).id}/invitation`
  const answer = await page.request.post(path, { headers, data: { returnLink: true } })
  return { link: (await answer.json()).link, email }
}

for (const javaScriptEnabled of SCRIPT_SETTINGS)
  test.describe(scriptWords(javaScriptEnabled), () => {
    test.use({ javaScriptEnabled, locale: 'en-GB' })

    test('an invitation leads to a password and to the account', async ({ page }) => {
      const { link, email } = await invitation(page)
      await page.goto(link)
      await expect(page.getByText(email)).toBeVisible()
      await page.locator('#password').fill('1qaz2wsx3edc4rfv')
      await submit(page)
      await expect(page.locator('#password')).toHaveAccessibleDescription(/less common one/)
      await expectNoViolations(page)
      await page.locator('#password').fill(NEXT)
      await submit(page)
      await expect(page.locator('h1')).toHaveText('Your account is active')
      await page.getByRole('link', { name: 'Sign in' }).click()
      await typeSignIn(page, email, NEXT)
      await expect(page.locator('h1')).toHaveText('Hello, Ivo.')
      await page.goto(link)
      await expect(page.locator('h1')).toHaveText('This invitation no longer works')
    })
  })
