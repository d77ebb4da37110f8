import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../support/axe'
import { expectListening } from '../support/listening'
import { demo } from '../support/people'
import { enterAsOwner } from '../support/sign-in'

/** The calls themselves are compared with the API in lib/api/reference/reference.test.ts. */

const FIRST = '/docs/api'
const SPACES = `${FIRST}/spaces`
const DECISIONS = `${FIRST}/decisions`

/** With script: without it the filter is not there, and it works once the script listens. */
async function open(page: Page, path = SPACES) {
  await page.goto(path)
  await expectListening(page.getByLabel('Filter operations'))
}

test.describe('what the reference lists', () => {
  test.use({ javaScriptEnabled: false })

  test('a group that is not there is not found', async ({ request }) => {
    expect((await request.get(`${FIRST}/nothing`)).status()).toBe(404)
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
  test('an address with a name leads to its call', async ({ page }) => {
    await open(page, `${DECISIONS}#checkPermission`)
    await expect(page.locator('#checkPermission h2')).toBeInViewport()
    // As it was when all of them were on one page.
    await open(page, `${FIRST}#checkPermission`)
    await expect(page.locator('#checkPermission h2')).toBeInViewport()
  })
})

test.describe('trying a call', () => {
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
