import { expect, type Page, test } from '@playwright/test'
import { expectListening } from '../support/listening'
import { demo, newPerson } from '../support/people'
import { typeSignIn } from '../support/sign-in'

/** The sign-in pages, on the way to an app and without one. */

const SCOPE = 'openid profile offline_access orders:read orders:write'

function address(more: Record<string, string> = {}): string {
  const { client_id, redirect_uris } = demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const fields = { client_id, redirect_uri, response_type: 'code', scope: SCOPE, state: 's' }
  return `/oidc/auth?${new URLSearchParams({ ...fields, ...more })}`
}

/** Goes on with Tab until the focus is there; what cannot be reached so is a fault. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 30; step += 1) {
    const there = await page.evaluate((css) => document.activeElement?.matches(css), selector)
    if (there) return
    await page.keyboard.press('Tab')
    const visible = await page.evaluate(() => {
      const { activeElement: element } = document
      if (!element || element === document.body) return true
      const box = element.getBoundingClientRect()
      return box.bottom > 0 && box.top < window.innerHeight
    })
    expect(visible, 'the focus is never hidden (WCAG 2.4.11)').toBe(true)
  }
  throw new Error(`the keyboard does not reach ${selector}`)
}

test('a whole sign-in and consent by keyboard alone (WCAG 2.1.1)', async ({ page }) => {
  const person = await newPerson('Kay')
  await page.goto(address())
  await tabTo(page, '#identifier')
  await page.keyboard.type(person.email)
  await page.keyboard.press('Enter')
  await expect(page.locator('#password')).toBeFocused()
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/consent\?/)
  await tabTo(page, 'input[value="orders:write"]')
  await page.keyboard.press('Space')
  await expect(page.locator('input[value="orders:write"]')).not.toBeChecked()
  await tabTo(page, 'main button[type=submit]')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/localhost:4000\/callback\?code=/)
})

test('the address keeps the step, "back" means back, and managers find whose password it is', async ({
  page,
}) => {
  await page.goto('/login?returnTo=%2Faccount')
  await expect(page.locator('#identifier')).toHaveAttribute('autocomplete', 'username webauthn')
  await page.locator('#identifier').fill('kay@example.org')
  await page.keyboard.press('Enter')
  await expect(page.locator('#password')).toHaveAttribute('autocomplete', 'current-password')
  await expect(page.locator('input[autocomplete=username]')).toHaveValue('kay@example.org')
  await page.goBack()
  await expect(page.locator('#identifier')).toBeVisible()
  await page.goForward()
  await page.getByRole('link', { name: 'Change email or username' }).click()
  await expect(page.locator('#identifier')).toHaveValue('kay@example.org')
  await expect(page).toHaveURL(/returnTo=%2Faccount/)
})

test('two accounts in one browser: choose, use another, remove', async ({ page }) => {
  const [first, second] = [await newPerson('Nan'), await newPerson('Oli')]
  for (const person of [first, second]) {
    await page.goto('/login')
    await typeSignIn(page, person.email, person.password)
    await expect(page.locator('h1')).toHaveText(/^Hello/)
  }
  await page.goto(address({ prompt: 'select_account' }))
  await expect(page).toHaveURL(/\/accounts\?interaction=/)
  await page.getByRole('button', { name: /^Nan/ }).click()
  await expect(page).toHaveURL(/\/consent\?/)
  await expect(page.getByText(first.email)).toBeVisible()
  await page.getByRole('link', { name: 'Not you?' }).click()
  await page.getByRole('button', { name: /^Oli/ }).click()
  await expect(page.getByText(second.email)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/error=access_denied.*state=s.*iss=|iss=.*error=access_denied/)
  await page.goto('/accounts')
  await page.getByRole('button', { name: `Remove ${first.email} from this device` }).click()
  await expect(page.getByText(first.email)).toHaveCount(0)
  await expect(page.getByText(second.email)).toBeVisible()
})

test('an empty field is named, at each of the two steps', async ({ page }) => {
  await page.goto('/login')
  await page.locator('main button[type=submit]').click()
  const identifier = page.locator('#identifier')
  await expect(identifier).toHaveAttribute('aria-invalid', 'true')
  await expect(identifier).toHaveAccessibleDescription(/email address or username/)
  await identifier.fill('somebody@example.org')
  await page.locator('main button[type=submit]').click()
  await expect(page.locator('#password')).toBeFocused()
  await page.locator('main button[type=submit]').click()
  await expect(page.locator('#password')).toHaveAccessibleDescription(/password/)
})

test('the password is shown and hidden, and the caret stays; caps lock is told', async ({
  page,
}) => {
  await page.goto('/login?identifier=somebody')
  const input = page.locator('#password')
  const toggle = page.getByRole('button', { name: 'Show password' })
  await input.fill('abcdef')
  await input.press('ArrowLeft')
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await expect(input).toHaveAttribute('type', 'text')
  await expect(input).toBeFocused()
  const caret = () => input.evaluate((element: HTMLInputElement) => element.selectionStart)
  await expect.poll(caret).toBe(5)
  await toggle.click()
  await expect(input).toHaveAttribute('type', 'password')
  await expectListening(input)
  await input.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
  await expect(page.getByRole('status').filter({ hasText: 'Caps Lock is on' })).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a wrong password is answered in the page', async ({ page }) => {
    const unknown = `nobody-${crypto.randomUUID()}@example.org`
    await page.goto('/login')
    await typeSignIn(page, unknown, 'not the right password')
    await expect(page.getByRole('alert')).toContainText("That email and password don't match")
    await expect(page.getByText(unknown)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Show password' })).toBeHidden()
  })
})

test('sign-in and consent are read and used before any script has arrived', async ({ page }) => {
  const person = await newPerson('Yan')
  await page.route(/\.js(\?|$)/, () => {})
  await page.goto(address(), { waitUntil: 'commit' })
  await typeSignIn(page, person.email, person.password)
  await page.getByLabel('See your orders').uncheck()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(/localhost:4000\/callback\?code=/)
})
