import { expect, type Page, test } from '@playwright/test'
import { type Authenticator, addAuthenticator } from '../../support/authenticator'
import { newPerson, type Person } from '../../support/people'
import { typeSignInAtLeisure } from '../../support/sign-in'

/** Where a passkey is offered, and what its keepers learn, with an authenticator inside the browser. */

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

type Signals = Record<'unknown' | 'accepted', object[]>

/** What the page tells the keepers of passkeys. */
async function listenToSignals(page: Page): Promise<Signals> {
  const signals: Signals = { unknown: [], accepted: [] }
  await page.exposeFunction('heard', (kind: keyof Signals, said: object) => {
    signals[kind].push(said)
  })
  await page.addInitScript(() => {
    const { heard } = window as unknown as { heard(kind: string, said: object): void }
    Object.assign(PublicKeyCredential, {
      signalUnknownCredential: async (said: object) => heard('unknown', said),
      signalAllAcceptedCredentials: async (said: object) => heard('accepted', said),
    })
  })
  return signals
}

test('a passkey is offered after the password, "not now" and "don’t ask" are kept, and keepers learn what was deleted', async ({
  page,
  browser,
}) => {
  const signals = await listenToSignals(page)
  const [person, authenticator] = await withPasskey(page, 'Pia')
  await page.goto('/account/security')
  await expect.poll(() => signals.accepted.at(-1)).toMatchObject({ rpId: 'localhost' })
  expect(signals.accepted.at(-1)).toHaveProperty('allAcceptedCredentialIds.length', 1)

  // Deleted here, but still on the device: the list says so, and a use of it does too.
  await page.locator('summary', { hasText: 'Remove' }).first().click()
  await page.getByRole('button', { name: 'Remove this passkey' }).click()
  await confirmIfAsked(page, person)
  await expect.poll(() => signals.accepted.at(-1)).toMatchObject({ allAcceptedCredentialIds: [] })
  await authenticator.present(false)
  await signOut(page)
  await authenticator.present(true)
  await page.goto('/login')
  await expect(page.getByText('This passkey doesn’t work here.')).toBeVisible()
  await expect.poll(() => signals.unknown.length).toBeGreaterThan(0)
  expect(signals.unknown[0]).toMatchObject({
    rpId: 'localhost',
    credentialId: expect.stringMatching(/./),
  })

  // Another device: not now, then never.
  const other = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage()
  await addAuthenticator(other)
  for (const never of [false, true]) {
    await other.context().clearCookies()
    await other.goto('/login')
    await typeSignInAtLeisure(other, person.email, person.password)
    await expect(other).toHaveURL(/\/passkey/)
    if (never) await other.getByLabel('Don’t ask again on this device').check()
    await other.getByRole('button', { name: 'Not now' }).click()
    await expect(other.locator('h1')).toHaveText('Hello, Pia.')
  }
  await other.goto('/login')
  await typeSignInAtLeisure(other, person.email, person.password)
  await expect(other.locator('h1')).toHaveText('Hello, Pia.')
})

async function confirmIfAsked(page: Page, { password }: Person): Promise<void> {
  await expect(page).toHaveURL(/account\/confirm|done=passkeyRemoved/)
  if (!page.url().includes('/account/confirm')) return
  await page.locator('#password').fill(password)
  await page.getByRole('button', { name: 'Confirm', exact: true }).first().click()
  await page.locator('summary', { hasText: 'Remove' }).first().click()
  await page.getByRole('button', { name: 'Remove this passkey' }).click()
  await expect(page).toHaveURL(/done=passkeyRemoved/)
}
