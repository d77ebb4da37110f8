import { type APIRequestContext, expect, type Page, test } from '@playwright/test'
import { WITH_FONTS } from '../../playwright.config'
import { expectNoViolations } from '../../support/axe'
import { expectListening } from '../../support/listening'
import { enterAsOwner, enterAsUser } from '../../support/sign-in'

/** The calls themselves are compared with the API in lib/api/reference/reference.test.ts. */

test.use({ launchOptions: WITH_FONTS })

const FIRST = '/docs/api'
const SPACES = `${FIRST}/spaces`
const DECISIONS = `${FIRST}/decisions`

type Linked = { page: string; id: string }

/** Every call that the list beside the pages leads to. */
async function linkedCalls(request: APIRequestContext): Promise<Linked[]> {
  const html = await (await request.get(FIRST)).text()
  const links = html.matchAll(/href="(\/docs\/api\/[\w-]+)#([\w.-]+)"/g)
  const byId = new Map([...links].map(([, page = '', id = '']) => [id, { page, id }]))
  return [...byId.values()]
}

/** With script: without it the filter is not there, and it works once the script listens. */
async function open(page: Page, path = SPACES) {
  await page.goto(path)
  await expectListening(page.getByLabel('Filter operations'))
}

function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  return complaints
}

test.describe('what the reference lists', () => {
  test.use({ javaScriptEnabled: false })

  test('every call at its place, with a name of its own, and no link that leads nowhere', async ({
    page,
    request,
  }) => {
    const calls = await linkedCalls(request)
    const addresses = [...new Set(calls.map((call) => call.page))]
    const { paths } = await (await request.get('/api/v1/openapi.json')).json()
    const described = Object.values<Record<string, { operationId?: string }>>(paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ operationId }) => operationId ?? [])
    expect(calls.map(({ id }) => id)).toEqual(expect.arrayContaining(described))
    expect(described.length).toBeGreaterThan(100)
    await page.goto(FIRST)
    const onFirst = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
    for (const address of addresses) {
      await page.goto(address)
      const all = await page.locator('[id]').evaluateAll((found) => found.map(({ id }) => id))
      expect(all.filter((id, at) => all.indexOf(id) !== at)).toEqual([])
      const here = calls.filter((call) => call.page === address).map(({ id }) => id)
      expect(all).toEqual(expect.arrayContaining(here))
      const [own = [], first = []] = await page.evaluate(() => {
        const hrefs = [...document.querySelectorAll('main a')].map((a) => a.getAttribute('href'))
        const behind = (start: string) =>
          hrefs.filter((href) => href?.startsWith(start)).map((href) => href?.split('#')[1] ?? '')
        return [behind('#'), behind('/docs/api#')]
      })
      expect(own.filter((id) => !all.includes(id))).toEqual([])
      expect(first.filter((id) => !onFirst.includes(id))).toEqual([])
    }
  })

  test('the examples can be switched without script, and speak to this portal', async ({
    page,
    baseURL,
  }) => {
    await page.goto(SPACES)
    const call = page.locator('#createSpace')
    await expect(call.locator('#createSpace-curl')).toContainText(`'${baseURL}/api/v1/spaces'`)
    await expect(call.locator('#createSpace-curl')).toContainText('Idempotency-Key: $(uuidgen)')
    await expect(call.locator('#createSpace-python')).toBeHidden()
    await call.getByText('Python', { exact: true }).click()
    await expect(call.locator('#createSpace-python')).toContainText('requests.post(')
    await expect(call.locator('#createSpace-curl')).toBeHidden()
    await expect(page.locator('#changeSpace-curl')).toContainText(`'If-Match: "1"'`)
  })
})

test.describe('finding a call', () => {
  test('the filter narrows the list, says how far, and Enter goes to the first', async ({
    page,
    request,
  }) => {
    const calls = await linkedCalls(request)
    await open(page, FIRST)
    const links = page.locator('nav li a')
    await page.getByLabel('Filter operations').fill('spaces:write DELETE')
    await expect(links).toHaveText([/deleteSpace/])
    await expect(page.locator('nav [role=status]')).toHaveText(`1 of ${calls.length} operations`)
    await page.getByLabel('Filter operations').press('Enter')
    await expect(page).toHaveURL((url) => url.pathname + url.hash === `${SPACES}#deleteSpace`)
    await expect(page.locator('#deleteSpace h2')).toBeInViewport()
    await page.getByLabel('Filter operations').fill('no such words')
    await expect(page.locator('nav [role=status]')).toHaveText('No operation matches.')
    await page.getByLabel('Filter operations').fill('')
    expect(await links.count()).toBeGreaterThan(calls.length)
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 800 } })

    test('the list is folded away, and folds again when a call was chosen', async ({ page }) => {
      await open(page, `${FIRST}/roles`)
      const link = page.locator('nav a[href$="#listRoles"]')
      await expect(link).toBeHidden()
      await page.getByText('Find an operation').click()
      await link.click()
      await expect(page.locator('#listRoles h2')).toBeInViewport()
      await expect(link).toBeHidden()
    })
  })
})

test.describe('examples', () => {
  test('are copied as they are shown', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(page)
    await page.getByRole('button', { name: 'Copy the curl example for changeSpace' }).click()
    await expect(page.locator('#changeSpace').getByText('Copied').first()).toBeVisible()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(await page.locator('#changeSpace-curl').textContent())
    expect(copied).toMatch(/^curl -X PATCH '/)
  })

  test('one choice of a language is the choice for all, also next time', async ({ page }) => {
    await open(page)
    await page.locator('#createSpace').getByRole('radio', { name: 'Python' }).check({ force: true })
    await expect(page.locator('#deleteSpace-python')).toBeVisible()
    await open(page)
    await expect(page.locator('#createSpace-python')).toBeVisible()
  })

  test('long ones scroll in a box of their own that the keyboard reaches', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 })
    await open(page, DECISIONS)
    const box = page.getByRole('group', { name: 'curl example for checkPermission', exact: true })
    await box.focus()
    await expect(box).toBeFocused()
    expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(
      true,
    )
  })
})

test.describe('trying a call', () => {
  test('is offered neither without a session nor to a user who administers nothing', async ({
    page,
  }) => {
    await open(page)
    await expect(page.locator('[data-try]')).toHaveCount(0)
    await enterAsUser(page, 'alice', SPACES)
    await expect(page.locator('h1')).toHaveText('Spaces')
    await expect(page.locator('[data-try]')).toHaveCount(0)
  })

  test('an admin sends a GET and sees the answer', async ({ page }) => {
    const complaints = collectComplaints(page)
    await enterAsOwner(page, SPACES)
    const call = page.locator('[data-try=listSpaces]')
    await expectListening(call.getByRole('button', { name: 'Try listSpaces' }))
    await call.getByRole('button', { name: 'Try listSpaces' }).click()
    await call.getByRole('button', { name: 'Send' }).click()
    await expect(call.locator('[data-answer-status]')).toHaveText('200 OK')
    await expect(call.getByText('x-policy-version')).toBeVisible()
    await expect(call.getByRole('group', { name: 'Response body of listSpaces' })).toContainText(
      '"key": "demo"',
    )
    await expectNoViolations(page, { within: '#listSpaces' })
    expect(complaints).toEqual([])
  })
})
