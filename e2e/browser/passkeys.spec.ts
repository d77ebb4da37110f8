import { expect, type Page, test } from '@playwright/test'
import { type Authenticator, addAuthenticator } from '../support/authenticator'
import { demo, newPerson, type Person } from '../support/people'
import { enterAs, typeSignInAtLeisure } from '../support/sign-in'
import { isThorough } from '../support/thorough'

/** Passkeys, with an authenticator inside the browser. */

const ROUNDS = isThorough ? 8 : 2

const submit = (page: Page) => page.locator('main button[type=submit]').first()

async function signOut(page: Page): Promise<void> {
  await page.goto('/logout')
  await submit(page).click()
  await expect(page.locator('h1')).toHaveText('You’re signed out')
}

/** A person with a passkey, made where it is offered after the password. */
async function withPasskey(page: Page, name: string): Promise<[Person, Authenticator]> {
  const person = await newPerson(name)
  const authenticator = await addAuthenticator(page)
  await page.goto('/login')
  await typeSignInAtLeisure(page, person.email, person.password)
  await expect(page).toHaveURL(/\/passkey/)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(page.locator('h1')).toHaveText(`Hello, ${name}.`)
  expect(await authenticator.count()).toBe(1)
  return [person, authenticator]
}

test('passkey autofill asks the authenticator once and stays signed in, each time (WebAuthn §5.1.10)', async ({
  page,
}) => {
  const [, authenticator] = await withPasskey(page, 'Otto')
  for (let round = 1; round <= ROUNDS; round += 1) {
    await authenticator.present(false)
    await signOut(page)
    // Only now: a page that waited for it would be answered, and then left.
    await authenticator.present(true)
    await page.goto('/login')
    await expect(page.locator('h1')).toHaveText('Hello, Otto.')
    await page.reload()
    await expect(page.locator('h1')).toHaveText('Hello, Otto.')
    expect(authenticator.assertions()).toBe(round)
  }
})

/** A browser that does not fill passkeys in: there the button is the way. */
const withoutAutofill = () => {
  PublicKeyCredential.isConditionalMediationAvailable = async () => false
}

test('a passkey is added on the security page, and its button leads on the way to an app', async ({
  page,
}) => {
  const person = await newPerson('Nell')
  const authenticator = await addAuthenticator(page)
  await page.addInitScript(withoutAutofill)
  await enterAs(page, person, '/account/security')
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.locator('#password').fill(person.password)
  await page.getByRole('button', { name: 'Confirm', exact: true }).first().click()
  await page.locator('#name').fill('Laptop')
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await expect(page).toHaveURL(/done=passkeyAdded/)
  await expect(page.getByText('Laptop')).toBeVisible()
  expect(await authenticator.count()).toBe(1)
  await signOut(page)
  const { client_id, redirect_uris } = demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const asked = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's' }
  await page.goto(`/oidc/auth?${new URLSearchParams(asked)}`)
  await expect(page).toHaveURL(/\/login\?/)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(/\/consent\?|localhost:4000\/callback\?code=/)
})
