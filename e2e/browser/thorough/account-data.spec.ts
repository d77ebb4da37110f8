import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { demo, newPerson, type Person } from '../../support/people'
import { twoColours } from '../../support/pictures'
import { enterAs, typeSignIn } from '../../support/sign-in'
import { SCRIPT_SETTINGS, scriptWords } from '../../support/thorough'

/** A person's picture, data, deletion and invitation, in a real browser. */

const NEXT = 'seven quiet herons by the weir'

let picture = Buffer.alloc(0)

test.beforeAll(async () => {
  picture = await twoColours(1200, 800).jpeg().toBuffer()
})

async function confirm(page: Page, { password }: Person) {
  await expect(page).toHaveURL(/\/account\/confirm\?/)
  await page.locator('#password').fill(password)
  await submit(page)
  await expect(page).not.toHaveURL(/\/account\/confirm/)
}

const submit = (page: Page) => page.locator('main button[type=submit]').first().click()
const says = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

const asFile = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })

/** The link that an administrator hands over. */
async function invitation(page: Page): Promise<{ link: string; email: string }> {
  const { client_id, client_secret } = demo().machine
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope: 'users:write' }
  const { access_token } = await (await page.request.post('/oidc/token', { form })).json()
  const headers = { authorization: `Bearer ${access_token}` }
  const email = `ivo-${crypto.randomUUID()}@example.org`
  const user = await page.request.post('/api/v1/users', { headers, data: { name: 'Ivo', email } })
  const path = `/api/v1/users/${(await user.json()).id}/invitation`
  const answer = await page.request.post(path, { headers, data: { returnLink: true } })
  return { link: (await answer.json()).link, email }
}

for (const javaScriptEnabled of SCRIPT_SETTINGS)
  test.describe(scriptWords(javaScriptEnabled), () => {
    test.use({ javaScriptEnabled, locale: 'en-GB' })

    test('a picture is added, shown everywhere, and removed', async ({ page }) => {
      await enterAs(page, await newPerson('Pia'), '/account')
      await page.getByRole('link', { name: 'Add a picture' }).click()
      const file = page.locator('#picture')
      await file.setInputFiles(asFile('me.png', 'image/png', Buffer.from('<svg/>')))
      await page.getByRole('button', { name: 'Use this picture' }).click()
      await expect(file).toHaveAccessibleDescription(/isn’t a PNG/)
      await expectNoViolations(page)
      await file.setInputFiles(asFile('me.jpg', 'image/jpeg', picture))
      await page.getByRole('button', { name: 'Use this picture' }).click()
      await says(page, 'Your new picture was saved.')
      const shown = page.getByRole('img', { name: 'Your picture' })
      await expect(shown).toBeVisible()
      await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(256)
      await expectNoViolations(page)
      await page.goto('/account/security')
      await expect(page.locator('nav img[src^="/avatar/"]')).toBeVisible()
      await page.goto('/account/picture')
      await page.getByRole('button', { name: 'Remove picture' }).click()
      await says(page, 'Your picture was removed.')
      await expect(page.locator('img[src^="/avatar/"]')).toHaveCount(0)
    })

    test('the account is deleted, and kept after all', async ({ page }) => {
      const person = await newPerson('Lea')
      await enterAs(page, person, '/account/data')
      await page.getByRole('link', { name: 'Delete your account' }).click()
      await confirm(page, person)
      await page.locator('#typed').fill('nobody')
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await expect(page.locator('#typed')).toHaveAttribute('aria-invalid', 'true')
      await expectNoViolations(page)
      await page.locator('#typed').fill(person.email)
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await expect(page.locator('h1')).toHaveText('Your account will be deleted')
      await expectNoViolations(page)
      await page.goto('/account')
      await expect(page).toHaveURL(/\/login/)
      await page.goto('/login?returnTo=%2Faccount%2Fapps')
      await typeSignIn(page, person.email, person.password)
      await expect(page.locator('h1')).toHaveText('Keep your account?')
      await expectNoViolations(page)
      await page.goto('/account/security')
      await expect(page.locator('h1')).toHaveText('Keep your account?')
      await page.getByRole('button', { name: 'Keep my account' }).click()
      await says(page, 'Your account will not be deleted')
    })

    test('an invitation leads to a password and to the account', async ({ page }) => {
      const { link, email } = await invitation(page)
      await page.goto(link)
      await expect(page.getByText(email)).toBeVisible()
      await page.locator('#password').fill('1qaz2wsx3edc4rfv')
      await submit(page)
      await expect(page.locator('#password')).toHaveAccessibleDescription(/less common one/)
      await expectNoViolations(page)
      await page.locator('#password').fill(NEXT)
      await submit(page)
      await expect(page.locator('h1')).toHaveText('Your account is active')
      await page.getByRole('link', { name: 'Go to your account' }).click()
      await expect(page).toHaveURL(/\/account$/)
      await page.goto(link)
      await expect(page.locator('h1')).toHaveText('This invitation no longer works')
    })
  })

test('a picture that is too large is refused before it travels', async ({ page }) => {
  await enterAs(page, await newPerson('Max'), '/account/picture')
  let posts = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') posts += 1
  })
  const large = asFile('me.png', 'image/png', Buffer.alloc(12 * 1024 * 1024))
  await page.locator('#picture').setInputFiles(large)
  await expect(page.locator('#picture')).toHaveAccessibleDescription(/larger than 5 MB/)
  await page.getByRole('button', { name: 'Use this picture' }).click()
  await expect(page.locator('#picture')).toHaveAttribute('aria-invalid', 'true')
  expect(posts).toBe(0)
})

test('one’s own data comes as a file', async ({ page }) => {
  const person = await newPerson('Dora')
  await enterAs(page, person, '/account/data')
  await page.getByRole('link', { name: 'Download', exact: true }).click()
  await expect(page).toHaveURL(/\/account\/confirm\?/)
  await page.locator('#password').fill(person.password)
  const download = page.waitForEvent('download')
  await submit(page)
  const file = await download
  expect(file.suggestedFilename()).toBe('gatehouse-my-data.json')
  const data = JSON.parse(readFileSync(await file.path(), 'utf8'))
  expect(data.profile.email).toBe(person.email)
})
