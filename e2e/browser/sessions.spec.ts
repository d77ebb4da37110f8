import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { demo, demoUser, type Login } from '../support/people'
import { typeSignIn } from '../support/sign-in'
import { SCRIPT_SETTINGS, scriptWords } from '../support/thorough'

async function signIn(page: Page, { email, password }: Login) {
  await page.goto('/login')
  await typeSignIn(page, email, password)
}

for (const javaScriptEnabled of SCRIPT_SETTINGS)
  test.describe(`signing in and out ${scriptWords(javaScriptEnabled)}`, () => {
    test.use({ javaScriptEnabled })

    test('the front page knows who is signed in, and who is not any more', async ({
      page,
      context,
    }) => {
      await page.goto('/')
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
      await signIn(page, demoUser(0))
      await expect(page.locator('h1')).toHaveText('Hello, Alice Clerk.')
      await expect(page.getByText(demoUser(0).email)).toBeVisible()
      await expectNoViolations(page)
      const cookies = await context.cookies()
      const cookie = cookies.find(({ name }) => name.endsWith('gatehouse.session'))
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })

      await page.goto('/logout')
      await page.locator('main button[type=submit]').click()
      await expect(page.locator('h1')).toHaveText('You’re signed out')
      await page.goto('/')
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
      // The old cookie is dead in the database too, not only gone from the browser (M12).
      if (cookie) await context.addCookies([cookie])
      await page.goto('/')
      await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
    })
  })

test('M11: a tampered, foreign or oversized cookie is nobody, never an error', async ({
  request,
}) => {
  for (const value of ['x', 'a.b.c', 'eyJhbGciOiJkaXIifQ..x.y.z', 'x'.repeat(6000), '%00']) {
    const response = await request.get('/', { headers: { cookie: `gatehouse.session=${value}` } })
    expect(response.status()).toBe(200)
    expect(await response.text()).toContain('Sign in once')
  }
})

test('M13: a sign-in sent by another site is refused, the same from here is not', async ({
  page,
  request,
  baseURL,
}) => {
  const address = `/login?${new URLSearchParams({ identifier: demo().admin.email })}`
  await page.goto(address)
  const hidden = await page
    .locator('main form input[type=hidden]')
    .evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ name, value }) => [name, value]))
  const { admin } = demo()
  const form = {
    ...Object.fromEntries(hidden),
    identifier: admin.email,
    password: admin.password,
  }
  const send = (headers: Record<string, string>) =>
    request.post(address, { headers, form, maxRedirects: 0 })
  const foreign = await send({ origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' })
  expect(foreign.status()).toBeGreaterThanOrEqual(400)
  expect(foreign.headers()).not.toHaveProperty('set-cookie')
  const own = await send({ origin: new URL(baseURL ?? '').origin, 'sec-fetch-site': 'same-origin' })
  expect(own.status()).toBeLessThan(400)
  expect(own.headers()['set-cookie']).toContain('gatehouse.session=')
})
