import { type APIRequestContext, expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { expectListening } from '../support/listening'
import { demo } from '../support/people'
import { enterAsOwner, enterAsUser } from '../support/sign-in'

/** The calls themselves are compared with the API in lib/api/reference/reference.test.ts. */

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

  test('a group that is not there is not found', async ({ request }) => {
    expect((await request.get(`${FIRST}/nothing`)).status()).toBe(404)
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

  test('the token that it tells to get is one that the API takes', async ({ request, baseURL }) => {
    const html = await (await request.get(FIRST)).text()
    expect(html).toContain(`resource=${baseURL}/api/v1`)
    const { client_id, client_secret } = demo().machine
    const token = await request.post('/oidc/token', {
      form: {
        grant_type: 'client_credentials',
        client_id,
        client_secret,
        resource: `${baseURL}/api/v1`,
        scope: 'spaces:read permissions:check',
      },
    })
    const { access_token } = await token.json()
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await request.get('/api/v1/spaces', { headers })).status()).toBe(200)
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

  test('an address with a name leads to its call', async ({ page }) => {
    await open(page, `${DECISIONS}#checkPermission`)
    await expect(page.locator('#checkPermission h2')).toBeInViewport()
    // As it was when all of them were on one page.
    await open(page, `${FIRST}#checkPermission`)
    await expect(page.locator('#checkPermission h2')).toBeInViewport()
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

  test('what changes data asks first, and sends only after a yes', async ({ page }) => {
    await enterAsOwner(page, SPACES)
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/')) posts.push(request.method())
    })
    const key = `tried-${crypto.randomUUID().slice(0, 8)}`
    const create = page.locator('[data-try=createSpace]')
    await expectListening(create.getByRole('button', { name: 'Try createSpace' }))
    await create.getByRole('button', { name: 'Try createSpace' }).click()
    const body = create.getByLabel('Body (JSON)')
    await expect(body).toHaveValue(/"key": "shop"/)
    await body.fill('{ not json')
    await create.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(body).toBeFocused()
    await expect(body).toHaveAccessibleDescription('The body is not JSON.')
    await body.fill(JSON.stringify({ key, name: 'Tried out' }))
    await create.getByRole('button', { name: 'Send', exact: true }).click()
    const question = page.getByRole('dialog', {
      name: 'This changes data in this portal. Do you want to send it?',
    })
    await expect(question).toBeVisible()
    await expectNoViolations(page, { within: 'dialog[open]' })
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    expect(posts).toEqual([])
    await create.getByRole('button', { name: 'Send', exact: true }).click()
    await question.getByRole('button', { name: 'Send' }).click()
    await expect(create.locator('[data-answer-status]')).toHaveText('201 Created')
    expect(posts).toEqual(['POST'])

    // The version that was read goes along by itself.
    const read = page.locator('[data-try=getSpace]')
    await read.getByRole('button', { name: 'Try getSpace' }).click()
    await read.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(read.getByLabel('space')).toHaveAccessibleDescription('Enter a value.')
    await read.getByLabel('space').fill(key)
    await read.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(read.locator('[data-answer-status]')).toHaveText('200 OK')
    const remove = page.locator('[data-try=deleteSpace]')
    await remove.getByRole('button', { name: 'Try deleteSpace' }).click()
    await remove.getByLabel('space').fill(key)
    await remove.getByRole('button', { name: 'Send', exact: true }).click()
    await question.getByRole('button', { name: 'Send' }).click()
    await expect(remove.locator('[data-answer-status]')).toHaveText('204 No Content')
  })
})

test('the page keeps the policy: a nonce on every script, no style of its own', async ({
  request,
}) => {
  const response = await request.get(SPACES)
  const policy = response.headers()['content-security-policy'] ?? ''
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none'
  const html = await response.text()
  const scripts = html.match(/<script\b[^>]*>/g) ?? []
  expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([])
  expect(html).not.toMatch(/<[^>]+ style="/)
})

test('the front page leads there', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'API reference' }).click()
  await expect(page).toHaveURL(/\/docs\/api$/)
})
