import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { AUTHZEN_PATHS } from '../../lib/api/authzen'
import { AUTHZEN_TASK_CALLS } from '../../lib/api/authzen-tasks'
import { reference } from '../../lib/api/reference'
import { routes } from '../../lib/api/table'
import type { Demo } from '../../lib/operations/demo'
import { expectNoViolations } from '../support/axe'
import { OPPOSITE_LOOKS } from '../support/looks'
import { typeSignIn } from '../support/sign-in'

const FIRST = '/docs/api'
const tags = reference()
const ids = tags.flatMap(({ calls }) => calls.map(({ id }) => id))

/** The page on which a call stands. */
function pageOf(call: string): string {
  const tag = tags.find(({ calls }) => calls.some(({ id }) => id === call))
  return `${FIRST}/${tag?.slug}`
}

const SPACES = pageOf('createSpace')

function demo(): Demo {
  return JSON.parse(readFileSync(join(process.env.E2E_DATA_DIR ?? '', 'demo.json'), 'utf8'))
}

async function signIn(page: Page, { email, password } = { email: '', password: '' }) {
  await page.goto(`/login?returnTo=${encodeURIComponent(SPACES)}`)
  await typeSignIn(page, email, password)
  await expect(page).toHaveURL((url) => url.pathname === SPACES)
}

/** With script: without it the filter is not there, and it works once somebody listens. */
async function open(page: Page, path = SPACES) {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
}

function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  return complaints
}

/** Every page is made of the same parts; these have all of them between them. */
const TAGS_LOOKED_AT = ['createSpace', 'checkPermission', Object.keys(AUTHZEN_PATHS)[0] ?? '']

for (const [colorScheme, locale, width] of OPPOSITE_LOOKS)
  test.describe(`the API reference: ${colorScheme}, ${locale}, ${width} px`, () => {
    test.use({ colorScheme, locale, viewport: { width, height: 900 } })

    test('has no accessibility violations, no sideways scrolling and a quiet console', async ({
      page,
    }) => {
      test.slow()
      const complaints = collectComplaints(page)
      await open(page, FIRST)
      await expect(page.locator('h1')).toHaveText(locale === 'zh-CN' ? 'API 参考' : 'API reference')
      if (width === 390) await page.locator('nav summary').click()
      await expect(page.locator('nav details')).toHaveAttribute('open')
      await expectNoViolations(page)
      for (const call of TAGS_LOOKED_AT) {
        await open(page, pageOf(call))
        const sideways = () => document.documentElement.scrollWidth - window.innerWidth
        expect(await page.evaluate(sideways)).toBe(0)
        // The list beside it is the first page's.
        await expectNoViolations(page, { within: 'main' })
      }
      expect(complaints).toEqual([])
    })
  })

test.describe('what the reference lists', () => {
  test.use({ javaScriptEnabled: false })

  test('every call of the table and of AuthZEN, each with its place and a link', async ({
    page,
  }) => {
    test.setTimeout(120_000)
    const described = [...routes, ...AUTHZEN_TASK_CALLS].map(({ id }) => id)
    expect(ids.sort()).toEqual([...described, ...Object.keys(AUTHZEN_PATHS)].sort())
    await page.goto(FIRST)
    const linked = await page
      .locator('nav a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    for (const id of ids) expect(linked).toContain(`${pageOf(id)}#${id}`)
    const onFirst = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
    for (const { slug, calls } of tags) {
      await page.goto(`${FIRST}/${slug}`)
      const all = await page.locator('[id]').evaluateAll((found) => found.map(({ id }) => id))
      expect(all.filter((id, at) => all.indexOf(id) !== at)).toEqual([])
      expect(all).toEqual(expect.arrayContaining(calls.map(({ id }) => id)))
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
  }) => {
    await open(page, FIRST)
    const links = page.locator('nav li a')
    await page.getByLabel('Filter operations').fill('spaces:write DELETE')
    await expect(links).toHaveText([/deleteSpace/])
    await expect(page.locator('nav [role=status]')).toHaveText(`1 of ${ids.length} operations`)
    await page.getByLabel('Filter operations').press('Enter')
    await expect(page).toHaveURL((url) => url.pathname + url.hash === `${SPACES}#deleteSpace`)
    await expect(page.locator('#deleteSpace h2')).toBeInViewport()
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Filter operations').fill('no such words')
    await expect(page.locator('nav [role=status]')).toHaveText('No operation matches.')
    await page.getByLabel('Filter operations').fill('')
    expect(await links.count()).toBeGreaterThan(ids.length)
  })

  test('an address with a name leads to its call', async ({ page }) => {
    await open(page, `${pageOf('checkPermission')}#checkPermission`)
    await expect(page.locator('#checkPermission h2')).toBeInViewport()
    // As it was when all of them were on one page.
    await open(page, `${FIRST}#checkPermission`)
    await expect(page.locator('#checkPermission h2')).toBeInViewport()
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 800 } })

    test('the list is folded away, and folds again when a call was chosen', async ({ page }) => {
      await open(page, pageOf('listRoles'))
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
    await open(page, pageOf('checkPermission'))
    const box = page.getByRole('group', { name: 'curl example for checkPermission', exact: true })
    await box.focus()
    await expect(box).toBeFocused()
    expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(
      true,
    )
  })
})

test.describe('trying a call', () => {
  test('is not offered to strangers', async ({ page }) => {
    await open(page)
    await expect(page.locator('[data-try]')).toHaveCount(0)
  })

  test('nor to a user who administers nothing', async ({ page }) => {
    await signIn(page, demo().users[0])
    await expect(page.locator('h1')).toHaveText('Spaces')
    await expect(page.locator('[data-try]')).toHaveCount(0)
  })

  test('an admin sends a GET and sees the answer', async ({ page }) => {
    const complaints = collectComplaints(page)
    await signIn(page, demo().admin)
    await page.waitForLoadState('networkidle')
    const call = page.locator('[data-try=listSpaces]')
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
    await signIn(page, demo().admin)
    await page.waitForLoadState('networkidle')
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/')) posts.push(request.method())
    })
    const key = `tried-${crypto.randomUUID().slice(0, 8)}`
    const create = page.locator('[data-try=createSpace]')
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
