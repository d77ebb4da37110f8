import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { newPerson } from '../../support/people'
import { enterAsOwner, typeSignIn } from '../../support/sign-in'

const PHONE = { viewport: { width: 390, height: 844 }, locale: 'en-GB', hasTouch: true }
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** An admin makes the application, as the wizard does it. */
async function newDeviceApp(page: Page): Promise<string> {
  await enterAsOwner(page, '/admin/applications/new')
  await page.getByRole('link', { name: 'Device', exact: true }).click()
  await expect(page.getByText('The device shows a code.')).toBeVisible()
  await expect(page.getByLabel('Redirect URIs', { exact: true })).toHaveCount(0)
  await page.getByLabel('Name').fill('Living room')
  await page.getByRole('button', { name: 'Create' }).click()
  const made = page.getByRole('status').filter({ hasText: 'The application was created.' })
  await expect(made).toBeVisible()
  return (await made.locator('code', { hasText: /^app_/ }).textContent()) ?? ''
}

test('a phone answers for a device: big code, “only continue if you started this”, application, place and time (RFC 8628 §5.4)', async ({
  page,
  browser,
}) => {
  const client_id = await newDeviceApp(page)
  const scope = 'openid profile offline_access'
  const started = await page.request.post('/oidc/device_authorization', {
    form: { client_id, scope },
  })
  const device = await started.json()
  const form = { grant_type: GRANT, client_id, device_code: device.device_code }
  const poll = async () => (await page.request.post('/oidc/token', { form })).json()
  expect((await poll()).error).toBe('authorization_pending')

  const person = await newPerson('Tove')
  const phone = await browser.newPage(PHONE)
  // What the QR code leads to: filled in, and not sent.
  await phone.goto(device.verification_uri_complete)
  const field = phone.getByLabel('Code')
  await expect(field).toHaveValue(device.user_code)
  await field.fill('WDJB-MJH')
  await phone.getByRole('button', { name: 'Continue' }).click()
  await expect(phone.getByRole('alert').filter({ hasText: /\S/ })).toBeFocused()
  await expect(field).toHaveAccessibleDescription(/eight letters, such as/)
  await field.fill(device.user_code.toLowerCase().replace('-', ' '))
  await phone.getByRole('button', { name: 'Continue' }).click()

  await expect(phone.locator('h1')).toHaveText('Does your device show this code?')
  const main = phone.getByRole('main')
  const code = main.getByText(device.user_code, { exact: true })
  const size = await code.evaluate((element) =>
    Number.parseFloat(getComputedStyle(element).fontSize),
  )
  expect(size).toBeGreaterThanOrEqual(28)
  await expect(main.getByText('Continue only if you started this')).toBeVisible()
  await expect(main.getByText('Living room')).toBeVisible()
  await expect(main.getByText(/IP address/)).toBeVisible()
  await expect(main.locator('time')).toBeVisible()
  await expectNoViolations(phone)

  await phone.getByRole('button', { name: 'Yes, continue' }).click()
  await typeSignIn(phone, person.email, person.password)
  await expect(phone.getByText('the device that shows the code')).toBeVisible()
  await expect(phone.getByText('You are asked each time a device')).toBeVisible()
  await phone.getByRole('button', { name: 'Allow' }).click()
  await expect(phone.locator('h1')).toHaveText('Your device is connected')
  expect(await poll()).toMatchObject({ token_type: 'Bearer', scope })
  await phone.getByRole('link', { name: 'Open my applications' }).click()
  await expect(phone.getByRole('heading', { name: 'Living room' })).toBeVisible()

  // Back on the page of the question: it was answered, and the page says so.
  await phone.goto(`/device?user_code=${device.user_code}`)
  await phone.getByRole('button', { name: 'Continue' }).click()
  await expect(phone.getByRole('alert').filter({ hasText: 'not valid' })).toBeVisible()
  await phone.close()
})
