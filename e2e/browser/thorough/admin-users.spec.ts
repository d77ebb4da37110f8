import { expect, type Locator, type Page, test } from '@playwright/test'
import { asOwner, demo, enrolApp, newPerson, signedIn } from '../../support/people'
import { enterAsOwner, enterWith, typeSignIn } from '../../support/sign-in'

/** Users and groups, in a real browser. */

const says = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

/** The page's script may not listen yet. */
async function pressUntilFocused(page: Page, key: string, wanted: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key)
    await expect(wanted).toBeFocused({ timeout: 300 })
  }).toPass()
}

test('from a table, found, walked by keys, changed together, and one by one', async ({ page }) => {
  await enterAsOwner(page, '/admin/users/import')
  await page
    .getByLabel('Or paste the table here')
    .fill('name,email\nPia Porter,pia@list.example\nPaul Porter,paul@list.example\nBad,none')
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByRole('cell', { name: /can’t be added/ })).toBeVisible()
  await page.getByRole('button', { name: 'Import 2 users' }).click()
  await says(page, '2 users were added.')

  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await expect(page.locator('h1')).toHaveText('Users')
  await pressUntilFocused(page, '/', page.getByRole('searchbox'))
  await page.getByRole('searchbox').fill('porter')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=porter/)
  await expect(page.getByText('2 in all')).toBeVisible()
  const rows = page.locator('[data-row]')
  await pressUntilFocused(page, 'j', rows.last()) // which stays where it is
  await page.keyboard.press('k')
  await expect(rows.first()).toBeFocused()

  for (const name of ['Pia Porter', 'Paul Porter']) await page.getByLabel(`Select ${name}`).check()
  await page.getByLabel('Action for selected:').selectOption('Disable')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText(/2 users are signed out everywhere/)).toBeVisible()
  await page.getByRole('button', { name: 'Disable: 2 users' }).click()
  await says(page, 'All selected users were changed.')

  await page.goto('/admin/users?q=pia')
  await expect(page.getByText('Disabled', { exact: true }).last()).toBeVisible()
  await page.getByRole('link', { name: 'Pia Porter' }).click()
  await page.getByLabel('Attributes').fill('{"branch"')
  await page.getByLabel('Can sign in').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Attributes')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Can sign in')).toBeChecked()
  await page.getByLabel('Attributes').fill('{"branch": "Bern"}')
  await page.getByRole('button', { name: 'Save' }).click()
  await says(page, 'The user was saved.')
  await page.getByRole('link', { name: 'Permissions', exact: true }).click()
  await page.getByLabel('Role', { exact: true }).fill('clerk')
  await page.getByRole('option', { name: /^Clerk/ }).click()
  await page.getByRole('button', { name: 'Assign a role' }).click()
  await says(page, 'The roles of the user were changed.')
  await expect(page.getByRole('link', { name: /^Why\?/ }).first()).toBeVisible()
  await page.getByRole('link', { name: 'Sign-in and devices' }).click()
  await page.getByRole('button', { name: 'Send an invitation' }).click()
  await says(page, 'The invitation was sent.')
  await expect(page.getByText(/Whoever has the link can take over the account/)).toBeVisible()
  await page.getByRole('button', { name: 'Make a link to copy' }).click()
  await says(page, 'Save this now.')
  await expect(page.getByText(/\/invite\?token=ghlk_/)).toBeVisible()
})

test('every standard claim of a user can be given, is checked at its field, and can be taken away', async ({
  page,
}) => {
  const typed = {
    'Given name': 'Zoë',
    'Family name': 'Zahn',
    'Phone number': '+41 44 123 45 67',
    'Middle name': 'Q.',
    Nickname: 'Zo',
    Gender: 'female',
    'Date of birth': '1990-02-30x',
    'Language for applications': 'de-CH',
    'Time zone': 'Europe/Zurich',
    'Profile page': 'https://zoe.example/me',
    Website: 'http://zoe.example',
    Picture: 'https://zoe.example/me.png',
    'Street and number': 'Weg 1\nPostfach',
    'Postal code': '8001',
    City: 'Zürich',
    Region: 'ZH',
    Country: 'CH',
    'Address as on a letter': 'Zoë Zahn\nWeg 1\n8001 Zürich',
  }
  await enterAsOwner(page, '/admin/users/new')
  await page.getByText('More fields').click()
  await page.getByLabel('Username').fill('zoe')
  const rare = page.getByLabel('Nickname')
  await expect(rare).toBeHidden()
  await page.getByText('More about the user').click()
  for (const [label, value] of Object.entries(typed)) {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
  await page.getByLabel('The phone number is verified').check()
  await page.getByRole('button', { name: 'Create' }).click()
  const birthdate = page.getByLabel('Date of birth')
  await expect(birthdate).toHaveAttribute('aria-invalid', 'true')
  await expect(birthdate).toBeVisible()
  await expect(rare).toHaveValue('Zo')
  await birthdate.fill('1990-02-28')
  await page.locator('#invite-yes').uncheck()
  await page.getByRole('button', { name: 'Create' }).click()
  await says(page, 'The user was added.')

  const id = /usr_[\w-]+/.exec(page.url())?.[0]
  const profile = async () => (await (await page.request.get(`/api/v1/users/${id}`)).json()).profile
  expect(await profile()).toEqual({
    given_name: 'Zoë',
    family_name: 'Zahn',
    middle_name: 'Q.',
    nickname: 'Zo',
    gender: 'female',
    birthdate: '1990-02-28',
    locale: 'de-CH',
    zoneinfo: 'Europe/Zurich',
    profile: 'https://zoe.example/me',
    website: 'http://zoe.example',
    picture: 'https://zoe.example/me.png',
    phone_number: '+41 44 123 45 67',
    phone_number_verified: true,
    address: {
      street_address: 'Weg 1\nPostfach',
      postal_code: '8001',
      locality: 'Zürich',
      region: 'ZH',
      country: 'CH',
      formatted: 'Zoë Zahn\nWeg 1\n8001 Zürich',
    },
  })

  await page.goto(`/admin/users/${id}/edit`)
  await page.getByLabel('Nickname').clear()
  await page.getByLabel('Phone number', { exact: true }).clear()
  for (const label of Object.keys(typed).slice(12)) {
    await page.getByLabel(label, { exact: true }).clear()
  }
  await page.getByRole('button', { name: 'Save' }).click()
  await says(page, 'The user was saved.')
  const left = await profile()
  for (const claim of ['nickname', 'phone_number', 'phone_number_verified', 'address']) {
    expect(left).not.toHaveProperty(claim)
  }
  expect(left).toMatchObject({ given_name: 'Zoë', website: 'http://zoe.example' })
})

test('a user with more roles than a page shows: the others on request', async ({ page }) => {
  const email = `lena-${Date.now()}@list.example`
  const { id } = await asOwner('POST', '/users', { name: 'Lena Laden', email })
  const { data: roles } = await asOwner('GET', '/spaces/demo/roles')
  const { key: role } = roles.find(({ type }: { type: string }) => type === 'user')
  const subject = { type: 'user', id }
  for (const first of [0, 60]) {
    const instances = Array.from({ length: 60 }, (_, at) => `shelf-${first + at}`)
    const assignments = instances.map((instance) => ({ role, subject, instance }))
    await asOwner('POST', '/spaces/demo/assignments:batch', { assignments })
  }
  await enterAsOwner(page, `/admin/users/${id}/permissions`)
  const given = page.locator('#roles li')
  await expect(given).toHaveCount(100)
  await page.getByRole('link', { name: 'Show more (100 of 120 are shown)' }).click()
  await expect(given).toHaveCount(120)
  await expect(page.getByRole('link', { name: /^Show more/ })).toHaveCount(0)
})

/** Where the demo's web app sends its users. */
function atWebApp(): string {
  const { client_id, redirect_uris } = demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const fields = { client_id, redirect_uri, response_type: 'code', state: 's' }
  return `/oidc/auth?${new URLSearchParams({ ...fields, scope: 'openid orders:read' })}`
}

test('a user is invited; another is seen with factors, sessions, grants and permissions, and locked', async ({
  page,
  browser,
}) => {
  await enterAsOwner(page, '/admin/users/new')
  await page.getByLabel('Name', { exact: true }).fill('Ines Invited')
  await page.getByLabel('Email', { exact: true }).fill(`ines-${Date.now()}@list.example`)
  await expect(page.getByLabel('Send an invitation by mail')).toBeChecked()
  await page.getByRole('button', { name: 'Create' }).click()
  await says(page, 'The user was added, and the invitation was sent.')
  await expect(page.getByText('Invited', { exact: true })).toBeVisible()

  const person = await newPerson('Lotte')
  const session = await signedIn(person)
  await enrolApp(person, session)
  const own = await browser.newPage({ locale: 'en-GB' })
  await enterWith(own, session, atWebApp())
  await own.getByRole('button', { name: 'Allow' }).click()
  await expect(own).toHaveURL(/localhost:4000\/callback\?code=/)
  await page.goto(`/admin/users/${person.id}/permissions`)
  const orders = page.getByRole('row').filter({ has: page.getByText('orders:read') })
  await expect(orders).toContainText(/clerk/i) // the role that it comes from
  await expect(orders.getByRole('link', { name: /^Why\?/ })).toBeVisible()
  await page.getByRole('link', { name: 'Sign-in and devices' }).click()
  for (const [button, told] of [
    ['Send a password reset', 'The mail was sent.'],
    ['Remove Phone', 'The sign-in method was removed.'],
    ['Remove: Demo web app', 'The application’s access was removed.'],
    [/^End: /, 'The session was ended.'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).first().click()
    await says(page, told)
  }
  await own.goto('/account')
  await expect(own).toHaveURL(/\/login/)
  await page.goto(`/admin/users/${person.id}/edit`)
  await page.getByLabel('Can sign in').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await says(page, 'The user was saved.')
  await typeSignIn(own, person.email, person.password)
  await expect(own.getByRole('alert', { name: /email and password don't match/ })).toBeVisible()
  await own.close()
})
