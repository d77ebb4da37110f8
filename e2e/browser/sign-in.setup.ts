import { expect, test } from '@playwright/test'
import { demo, demoUser, storageStateOf } from '../support/people'
import { typeSignIn } from '../support/sign-in'

/** Once for the whole run. Tests of the sign-in itself, and of sessions, sign in on their own. */

for (const user of ['owner', 'alice'] as const)
  test(`${user} of the sample data signs in at the sign-in page`, async ({ page }) => {
    const { email, password } = user === 'owner' ? demo().admin : demoUser(0)
    await page.goto('/login')
    await typeSignIn(page, email, password)
    await expect(page.locator('h1')).toHaveText(/^(Overview|Hello, Alice Clerk\.)$/)
    await page.context().storageState({ path: storageStateOf(user) })
  })
