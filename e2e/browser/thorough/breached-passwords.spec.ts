import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { freePort } from '../../support/free-port'
import { type Portal, startPortal } from '../../support/portal'
import { typeSignIn } from '../../support/sign-in'

const submit = (page: Page) => page.locator('main button[type=submit]').first()

test.describe('breached passwords', () => {
  const BREACHED = 'seven breached lanterns'
  const hash = createHash('sha1').update(BREACHED).digest('hex').toUpperCase()
  const asked: string[] = []
  let service: Server
  let portal: Portal

  test.beforeAll(async () => {
    const port = await freePort()
    service = createServer((request, response) => {
      asked.push(request.url ?? '')
      const isAsked = request.url === `/range/${hash.slice(0, 5)}`
      response.end(`${'0'.repeat(35)}:0\r\n${isAsked ? `${hash.slice(5)}:12\r\n` : ''}`)
    })
    await new Promise<void>((resolve) => service.listen(port, '127.0.0.1', resolve))
    const host = `127.0.0.1:${port}`
    portal = await startPortal({
      args: ['--demo'],
      env: { BREACHED_PASSWORDS_URL: `http://${host}`, OUTBOUND_HOSTS: host },
    })
  })
  test.afterAll(async () => {
    await portal.stop()
    service.close()
  })

  async function signIn(browser: Browser, who: { email: string; password: string }, path: string) {
    const page = await (await browser.newContext({ baseURL: portal.origin })).newPage()
    await page.goto(path)
    await typeSignIn(page, who.email, who.password)
    return page
  }

  test('a common password is always refused; a breached one once an admin asks for it, and only five characters of its hash leave', async ({
    browser,
  }) => {
    test.slow()
    const { admin, users } = portal.demo()
    const [alice] = users
    if (!alice) throw new Error('the sample data has no users')
    const page = await signIn(browser, alice, '/account/security/password')
    await expect(page).toHaveURL(/account\/confirm|security\/password/)
    if (page.url().includes('/account/confirm')) {
      await page.locator('#password').fill(alice.password)
      await page.getByRole('button', { name: 'Confirm', exact: true }).first().click()
    }
    let current = alice.password
    const change = async (next: string) => {
      await page.goto('/account/security/password')
      await page.locator('#current').fill(current)
      await page.locator('#next').fill(next)
      await submit(page).click()
    }
    await change('passwordpassword')
    await expect(page.getByText('This password is easy to guess.').first()).toBeVisible()

    // Off by default: nobody is asked.
    await change(BREACHED)
    await expect(page).toHaveURL(/done=/)
    expect(asked).toEqual([])
    current = BREACHED

    const settings = await signIn(browser, admin, '/admin/settings')
    await settings.getByLabel('Refuse passwords that are known from a data breach').check()
    await settings.getByRole('button', { name: 'Save' }).click()
    await expect(settings.getByText('The settings were saved')).toBeVisible()
    await expectNoViolations(settings)
    await change('nine unheard marmots 31')
    await expect(page).toHaveURL(/done=/)
    current = 'nine unheard marmots 31'
    await change(BREACHED)
    await expect(page.getByText('known from a data breach').first()).toBeVisible()
    await expectNoViolations(page)
    expect(asked).toHaveLength(2)
    for (const path of asked) expect(path).toMatch(/^\/range\/[0-9A-F]{5}$/)

    // Without an answer the password is accepted, and the log says so.
    service.closeAllConnections()
    service.close()
    await change(BREACHED)
    await expect(page).toHaveURL(/done=/)
    expect(await portal.allOutput()).toContain('breached passwords did not answer')
  })
})
