import { expect, type Page } from '@playwright/test'
import { ownerSignedIn } from './people'

/** At the sign-in page: first who, then the password. */
export async function typeSignIn(page: Page, email: string, password: string): Promise<void> {
  await typeIdentifier(page, email)
  await typePassword(page, password)
}

/** The same, but not before the page's script has found out that this device could keep a passkey. */
export async function typeSignInAtLeisure(
  page: Page,
  email: string,
  password: string,
): Promise<void> {
  await typeIdentifier(page, email)
  await expect(page.locator('input[name=passkeys]')).toHaveValue('yes')
  await typePassword(page, password)
}

async function typeIdentifier(page: Page, email: string): Promise<void> {
  await page.locator('#identifier').fill(email)
  await page.locator('#identifier').press('Enter')
}

async function typePassword(page: Page, password: string): Promise<void> {
  await page.locator('#password').fill(password)
  await page.locator('#password').press('Enter')
}

/** The demo's owner, who signed in elsewhere: how one does that has tests of its own. */
export async function enterAsOwner(page: Page, path: string): Promise<void> {
  const { cookies, origin: url } = await ownerSignedIn()
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
  await page.goto(path)
  await expect(page).toHaveURL((asked) => asked.pathname === path.split('?')[0])
}
