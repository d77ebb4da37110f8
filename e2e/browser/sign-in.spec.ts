import { gzipSync } from 'node:zlib'
import { expect, type Page, test } from '@playwright/test'
import { demo, newPerson } from '../support/people'
import { typeSignIn } from '../support/sign-in'

/** What people expect of the sign-in pages, as far as no other file shows it. */

const SCOPE = 'openid profile offline_access orders:read orders:write'

function address(more: Record<string, string> = {}): string {
  const { client_id, redirect_uris } = demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const fields = { client_id, redirect_uri, response_type: 'code', scope: SCOPE, state: 's' }
  return `/oidc/auth?${new URLSearchParams({ ...fields, ...more })}`
}

/** Goes on with Tab until the focus is there; what cannot be reached so is a fault. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 30; step += 1) {
    const there = await page.evaluate((css) => document.activeElement?.matches(css), selector)
    if (there) return
    await page.keyboard.press('Tab')
    const visible = await page.evaluate(() => {
      const { activeElement: element } = document
      if (!element || element === document.body) return true
      const box = element.getBoundingClientRect()
      return box.bottom > 0 && box.top < window.innerHeight
    })
    expect(visible, 'the focus is never hidden (WCAG 2.4.11)').toBe(true)
  }
  throw new Error(`the keyboard does not reach ${selector}`)
}

test('ux 39: a whole sign-in and consent by keyboard alone (WCAG 2.1.1)', async ({ page }) => {
  const person = await newPerson('Kay')
  await page.goto(address())
  await tabTo(page, '#identifier')
  await page.keyboard.type(person.email)
  await page.keyboard.press('Enter')
  await expect(page.locator('#password')).toBeFocused()
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/consent\?/)
  await tabTo(page, 'input[value="orders:write"]')
  await page.keyboard.press('Space')
  await expect(page.locator('input[value="orders:write"]')).not.toBeChecked()
  await tabTo(page, 'main button[type=submit]')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/localhost:4000\/callback\?code=/)
})

test('ux 42: our own script on sign-in and consent is at most 25 kB beyond the framework', async ({
  page,
}) => {
  const person = await newPerson('Lou')
  const scriptsOf = async (go: () => Promise<unknown>) => {
    const scripts = new Map<string, number>()
    const note = async (response: Awaited<ReturnType<typeof page.waitForResponse>>) => {
      if (response.request().resourceType() !== 'script') return
      const body = await response.body().catch(() => Buffer.alloc(0))
      scripts.set(new URL(response.url()).pathname, gzipSync(body).length)
    }
    page.on('response', note)
    await go()
    await page.waitForLoadState('networkidle')
    page.off('response', note)
    return scripts
  }
  // A page of ours that has no script of its own brings the framework and nothing else.
  const framework = await scriptsOf(() => page.goto('/nothing/here'))
  const own = (scripts: Map<string, number>) =>
    [...scripts].filter(([path]) => !framework.has(path)).reduce((sum, [, size]) => sum + size, 0)
  const login = await scriptsOf(() => page.goto(address()))
  const password = await scriptsOf(() =>
    page.goto(`/login?${new URLSearchParams({ identifier: person.email })}`),
  )
  await page.goto(address())
  await page.locator('#identifier').fill(person.email)
  await page.keyboard.press('Enter')
  await page.locator('#password').fill(person.password)
  const consent = await scriptsOf(async () => {
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/consent\?/)
  })
  const sizes = { login: own(login), password: own(password), consent: own(consent) }
  console.log('own script, gzipped bytes:', JSON.stringify(sizes))
  for (const [name, size] of Object.entries(sizes))
    expect([name, size < 25_000]).toEqual([name, true])
})

test('the address keeps the step, "back" means back, and managers find whose password it is', async ({
  page,
}) => {
  await page.goto('/login?returnTo=%2Faccount')
  await expect(page.locator('#identifier')).toHaveAttribute('autocomplete', 'username webauthn')
  await page.locator('#identifier').fill('kay@example.org')
  await page.keyboard.press('Enter')
  await expect(page.locator('#password')).toHaveAttribute('autocomplete', 'current-password')
  await expect(page.locator('input[autocomplete=username]')).toHaveValue('kay@example.org')
  await page.goBack()
  await expect(page.locator('#identifier')).toBeVisible()
  await page.goForward()
  await page.getByRole('link', { name: 'Change email or username' }).click()
  await expect(page.locator('#identifier')).toHaveValue('kay@example.org')
  await expect(page).toHaveURL(/returnTo=%2Faccount/)
})

test('ux 4, 39: paste is never blocked (WCAG 3.3.8), and caps lock is told', async ({ page }) => {
  await page.goto('/login?identifier=kay')
  const prevented = await page.locator('#password').evaluate((input) => {
    const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true })
    return !input.dispatchEvent(event)
  })
  expect(prevented).toBe(false)
  await page.locator('#password').dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
  await expect(page.getByRole('status').filter({ hasText: 'Caps Lock is on' })).toBeVisible()
})

test('the method that was used last carries a badge', async ({ page }) => {
  const person = await newPerson('Mo')
  await page.goto('/login')
  await page.locator('#identifier').fill(person.email)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Last used')).toHaveCount(0)
  await page.locator('#password').fill(person.password)
  await page.keyboard.press('Enter')
  await expect(page.locator('h1')).toHaveText(/^Hello/)
  await page.goto(`/login?${new URLSearchParams({ identifier: person.email })}`)
  await expect(page.getByText('Last used')).toBeVisible()
})

test('two accounts in one browser: choose, use another, remove', async ({ page }) => {
  const [first, second] = [await newPerson('Nan'), await newPerson('Oli')]
  for (const person of [first, second]) {
    await page.goto('/login')
    await page.locator('#identifier').fill(person.email)
    await page.keyboard.press('Enter')
    await page.locator('#password').fill(person.password)
    await page.keyboard.press('Enter')
    await expect(page.locator('h1')).toHaveText(/^Hello/)
  }
  await page.goto(address({ prompt: 'select_account' }))
  await expect(page).toHaveURL(/\/accounts\?interaction=/)
  await page.getByRole('button', { name: /^Nan/ }).click()
  await expect(page).toHaveURL(/\/consent\?/)
  await expect(page.getByText(first.email)).toBeVisible()
  // 19: "not you?" leads back to the choice.
  await page.getByRole('link', { name: 'Not you?' }).click()
  await page.getByRole('button', { name: /^Oli/ }).click()
  await expect(page.getByText(second.email)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/error=access_denied.*state=s.*iss=|iss=.*error=access_denied/)
  await page.goto('/accounts')
  await page.getByRole('button', { name: `Remove ${first.email} from this device` }).click()
  await expect(page.getByText(first.email)).toHaveCount(0)
  await expect(page.getByText(second.email)).toBeVisible()
})

test('who asks, where it leads, and what was allowed before is folded', async ({ page }) => {
  const person = await newPerson('Pat')
  await page.goto(address({ scope: 'openid orders:read' }))
  await page.locator('#identifier').fill(person.email)
  await page.keyboard.press('Enter')
  await page.locator('#password').fill(person.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('localhost:4000')).toBeVisible()
  await expect(page.getByText('Gatehouse demo')).toBeVisible()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(/callback\?code=/)
  await page.goto(address({ prompt: 'consent' }))
  await expect(page.locator('input[value="orders:write"]')).toBeVisible()
  await expect(page.locator('input[value="orders:read"]')).toBeHidden()
  await page.locator('summary', { hasText: 'You already allowed these (1)' }).click()
  await expect(page.locator('input[value="orders:read"]')).toBeChecked()
})

test('signing out says how far it went', async ({ page }) => {
  const person = await newPerson('Quin')
  await page.goto('/login?returnTo=%2Flogout')
  await page.locator('#identifier').fill(person.email)
  await page.keyboard.press('Enter')
  await page.locator('#password').fill(person.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`You’re signed in as ${person.email}.`)).toBeVisible()
  await page.getByLabel('All devices').check()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('All your sessions have ended on every device')).toBeVisible()
})

test('ux 39: nothing is lost at 320 px, which is 1280 px at 400 %, nor in forced colours (WCAG 1.4.10)', async ({
  page,
}) => {
  const person = await newPerson('Ria')
  await page.setViewportSize({ width: 320, height: 640 })
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  const fits = async () => {
    await expect(page.locator('h1')).toBeVisible()
    const overflow = () => document.documentElement.scrollWidth - window.innerWidth
    expect([page.url(), await page.evaluate(overflow)]).toEqual([page.url(), 0])
  }
  await page.goto(address())
  await fits()
  await typeSignIn(page, person.email, person.password)
  await expect(page).toHaveURL(/\/consent\?/)
  await fits()
  for (const path of ['', '/security', '/sessions', '/apps', '/activity', '/data', '/picture']) {
    await page.goto(`/account${path}`)
    await fits()
  }
})
