import { expect, type Page } from '@playwright/test'
import type { OldBrowser } from './old-browser'
import { cookiesOf, type Login, ORIGIN, type SignedIn, signedIn } from './people'

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

/** The owner of the sample data, who signed in before the first test. */
export function enterAsOwner(page: Page, path: string): Promise<void> {
  return enterAsUser(page, 'owner', path)
}

export async function enterAsUser(page: Page, user: SignedIn, path: string): Promise<void> {
  await page.context().clearCookies()
  await page.context().addCookies(cookiesOf(user))
  await page.goto(path)
  await expect(page).toHaveURL((asked) => asked.pathname === path.split('?')[0])
}

/** Each person signs in once; a test that is about the session signs in at the page. */
const sessions = new WeakMap<Login, Promise<OldBrowser>>()

export async function enterAs(page: Page, person: Login, path: string): Promise<void> {
  const session = sessions.get(person) ?? signedIn(person)
  sessions.set(person, session)
  await enterWith(page, await session, path)
}

export async function enterWith(page: Page, { cookies }: OldBrowser, path: string): Promise<void> {
  const session = [...cookies].map(([name, value]) => ({ name, value, url: ORIGIN }))
  await page.context().clearCookies()
  await page.context().addCookies(session)
  await page.goto(path)
}
