import { expect, type Page, test } from '@playwright/test'
import { EXAMPLE_PORT } from '../../playwright.config'
import { expectNoViolations } from '../../support/axe'
import { type Example, startExample } from '../../support/example'
import { demo, demoUser } from '../../support/people'
import { typeSignIn } from '../../support/sign-in'

const HOME = 'http://localhost:3001/'

test.describe('examples/relying-party', () => {
  let example: Example | undefined

  // One after the other: every worker would start an example of its own.
  test.describe.configure({ mode: 'default' })

  // Built, not `next dev`: that allows one at a time in a folder, and somebody may be trying it.
  test.beforeAll(async () => {
    test.setTimeout(120_000)
    const next = (command: string, ...args: string[]) =>
      startExample(
        ['node_modules/next/dist/bin/next', command, 'examples/relying-party', ...args],
        settings(),
      )
    const build = next('build')
    expect(await build.exited, build.output()).toBe(0)
    example = next('start', '--port', String(EXAMPLE_PORT), '--hostname', '127.0.0.1')
    await example.says(/Ready in/)
  })

  test.afterAll(() => example?.stop())

  test('signs in, shows who and what was granted, and signs out here and at the portal', async ({
    page,
    context,
  }) => {
    await page.goto(HOME)
    await expectAccessible(page)
    const asked = page.waitForRequest(/\/oidc\/auth\?/)
    await page.getByRole('button', { name: 'Sign in with Gatehouse' }).click()
    const params = [...new URL((await asked).url()).searchParams.keys()]
    expect(params).toEqual(expect.arrayContaining(['state', 'nonce', 'code_challenge']))
    await signInAtPortal(page)
    await expect(page.locator('h1')).toHaveText('Demo web app wants access')
    await page.getByRole('button', { name: 'Allow' }).click()

    await expect(page).toHaveURL(HOME)
    await expect(page.locator('h1')).toHaveText('Hello, Alice Clerk')
    await expect(page.getByText('usr_demo_alice')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Granted', exact: true })).toHaveText(
      /^openid\s*profile\s*email\s*orders:read$/,
    )
    await expect(page.getByRole('list', { name: 'Not granted' })).toHaveText(
      'orders:refund (user_not_permitted)',
    )
    await expectAccessible(page)
    // What the browser's own script may ask for has no token in it.
    const session = await page.evaluate(async () => (await fetch('/api/auth/session')).text())
    expect(session).toContain('usr_demo_alice')
    expect(session).not.toContain('eyJ')

    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(HOME)
    const signIn = page.getByRole('button', { name: 'Sign in with Gatehouse' })
    await expect(signIn).toBeVisible()
    const left = (await context.cookies()).map(({ name }) => name)
    expect(left.filter((name) => name.includes('session'))).toEqual([])
    await signIn.click()
    await signInAtPortal(page)
    // The consent is remembered, the session was not.
    await expect(page.locator('h1')).toHaveText('Hello, Alice Clerk')
  })

  test('an answer to nothing that was asked signs nobody in', async ({ page }) => {
    await page.goto(`${HOME}api/auth/callback/gatehouse?code=ghac_made-up&state=made-up`)
    await expect(page.getByRole('alert').filter({ hasText: 'did not work' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign in with Gatehouse' })).toBeVisible()
  })
})

function settings(): Record<string, string> {
  const { issuer, web } = demo()
  return {
    ISSUER: issuer,
    CLIENT_ID: web.client_id,
    CLIENT_SECRET: web.client_secret,
    NEXTAUTH_URL: HOME.slice(0, -1),
    NEXTAUTH_SECRET: 'a-secret-of-the-example-0123456789',
  }
}

async function signInAtPortal(page: Page): Promise<void> {
  const { email, password } = demoUser(0)
  await expect(page.locator('#identifier')).toBeVisible()
  await typeSignIn(page, email, password)
}

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectNoViolations(page)
  }
}
