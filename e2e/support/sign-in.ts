import type { Page } from '@playwright/test'

/** At the sign-in page: first who, then the password. */
export async function typeSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.locator('#identifier').fill(email)
  await page.locator('#identifier').press('Enter')
  await page.locator('#password').fill(password)
  await page.locator('#password').press('Enter')
}
