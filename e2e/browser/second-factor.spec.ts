import { expect, type Page, test } from '@playwright/test'
import { addAuthenticator } from '../support/authenticator'
import { expectNoViolations } from '../support/axe'
import { demo, enrolApp, newPerson, type Person } from '../support/people'
import { typeSignIn, typeSignInAtLeisure } from '../support/sign-in'
import { SCRIPT_SETTINGS, scriptWords } from '../support/thorough'

/** The page between two factors, in a real browser: within a sign-in, and because an app asks. */

const toApp = (more: Record<string, string> = {}) => {
  const { client_id, redirect_uris } = demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const fields = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's' }
  return `/oidc/auth?${new URLSearchParams({ ...fields, ...more })}`
}

const submit = (page: Page) => page.locator('main button[type=submit]').first()

async function atSecondFactor(page: Page, { email, password }: Person): Promise<void> {
  await page.goto(toApp())
  await typeSignIn(page, email, password)
  await expect(page).toHaveURL(/\/second-factor\?/)
}

test('M7: between the two factors nobody is signed in; a missing code is said', async ({
  page,
}) => {
  const person = await newPerson('Fay')
  await enrolApp(person)
  await atSecondFactor(page, person)
  await submit(page).click()
  await expect(page.locator('[aria-invalid=true]')).toBeVisible()
  await expectNoViolations(page)
  await page.goto('/account')
  await expect(page).toHaveURL(/\/login\?/)
  const silent = await page.request.get(toApp({ prompt: 'none' }), { maxRedirects: 0 })
  expect(silent.headers().location).toContain('error=login_required')
})

for (const javaScriptEnabled of SCRIPT_SETTINGS)
  test.describe(scriptWords(javaScriptEnabled), () => {
    test.use({ javaScriptEnabled })

    test('the code leads back to the app; a trusted device is not asked for 30 days, and again once it is taken off its list', async ({
      page,
    }) => {
      const person = await newPerson('Rosa')
      const app = await enrolApp(person)
      const signInAgain = async () => {
        await page.goto('/logout')
        await submit(page).click()
        await expect(page.locator('h1')).toHaveText('You’re signed out')
        await page.goto('/login?returnTo=%2Faccount%2Fsessions')
        await typeSignIn(page, person.email, person.password)
      }
      await atSecondFactor(page, person)
      await page.locator('#code').fill(app.generate())
      await page.getByLabel('Don’t ask again on this device for 30 days').check()
      await submit(page).click()
      await expect(page).toHaveURL(/\/consent\?|localhost:4000\/callback\?code=/)
      await signInAgain()
      await expect(page).toHaveURL(/\/account\/sessions/)
      const heading = page.getByRole('heading', { name: 'Trusted devices' })
      const list = page.locator('section', { has: heading })
      await expect(list.locator('li')).toHaveCount(1)
      await expect(list.locator('li')).toContainText(/Chrom/)
      await expect(list.locator('li')).toContainText(/until /)
      if (javaScriptEnabled) await expectNoViolations(page)
      await list.getByRole('button', { name: /^Stop trusting / }).click()
      await expect(page.getByRole('status').first()).toContainText('no longer trusted')
      await expect(list).toBeHidden()
      await signInAgain()
      await expect(page.locator('#code')).toBeVisible()
    })
  })

test('a passkey is a second factor too, and answers an app that asks for more', async ({
  page,
}) => {
  const gina = await newPerson('Gina')
  const authenticator = await addAuthenticator(page)
  await page.goto('/login')
  await typeSignInAtLeisure(page, gina.email, gina.password)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(page).toHaveURL(/:3987\/$/)
  expect(await authenticator.count()).toBe(1)
  await page.goto(toApp({ acr_values: 'phr' }))
  await expect(page).toHaveURL(/\/second-factor\?interaction=/)
  await expect(page.locator('#code')).toHaveCount(0)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/consent\?|localhost:4000\/callback\?code=/)
})
