import { expect, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { newPerson } from '../../support/people'
import { enterAs } from '../../support/sign-in'

/** Recovery codes without a second factor, in a real browser. */

test('recovery codes are explained, not made, while there is no second factor', async ({
  page,
}) => {
  await enterAs(page, await newPerson('Sami'), '/account/security/recovery-codes')
  await expect(page.getByText('Add an authenticator app first.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show new codes' })).toBeHidden()
  await expectNoViolations(page)
  await page.getByRole('link', { name: 'Add an authenticator app' }).click()
  await expect(page).toHaveURL(/\/account\/confirm\?returnTo=/)
})
