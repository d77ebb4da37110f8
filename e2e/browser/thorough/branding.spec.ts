import { expect, type Page, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { asOwner, demo } from '../../support/people'
import { twoColours } from '../../support/pictures'
import { enterAsOwner, enterAsUser } from '../../support/sign-in'

/** The look of an application's own. */

function address(client_id: string): string {
  const redirect_uri = demo().web.redirect_uris[0] ?? ''
  const asked = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's' }
  return `/oidc/auth?${new URLSearchParams(asked)}`
}

const background = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor)

const VIOLET = 'rgb(90, 44, 160)'
const LILAC = 'rgb(201, 168, 255)'
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')

async function uploadLogos(page: Page): Promise<void> {
  const png = { name: 'a.png', mimeType: 'image/png', buffer: await twoColours().png().toBuffer() }
  const light = page.getByLabel('Picture: On light pages')
  await light.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: SVG })
  await page.getByRole('button', { name: 'Upload' }).first().click()
  await expect(light).toHaveAttribute('aria-invalid', 'true')
  for (const [at, theme] of ['light', 'dark'].entries()) {
    await page.getByLabel(`Picture: On ${theme} pages`).setInputFiles(png)
    await page.getByRole('button', { name: 'Upload' }).nth(at).click()
    const remove = page.getByRole('button', { name: `Remove the picture: On ${theme} pages` })
    await expect(remove).toBeVisible()
  }
}

test('logos, colours that can be read and a line in each language, seen while typing and then by users', async ({
  page,
  browser,
}) => {
  const redirectUris = demo().web.redirect_uris
  const app = { kind: 'web', name: 'Violet shop', redirectUris, pkce: 'not_required' }
  const { id: client_id } = await asOwner('POST', '/applications', app)
  await enterAsOwner(page, `/admin/applications/${client_id}/branding`)
  await uploadLogos(page)

  // What cannot be read is said at once, is not shown, and is not saved.
  const frame = page.frameLocator('iframe[title="Preview of the sign-in page"]')
  const button = () =>
    frame.locator('.button-main').evaluate((element) => getComputedStyle(element).backgroundColor)
  await page.getByLabel('Colour on light pages').fill('#ffcc00')
  await expect(page.getByText('too low: it must be at least 4.5:1')).toBeVisible()
  await expect(page.getByText('something that you entered can’t be saved')).toBeVisible()
  expect(await button()).not.toBe('rgb(255, 204, 0)')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Colour on light pages')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Colour on light pages').fill('#5a2ca0')
  await page.getByLabel('Colour on dark pages').fill('#c9a8ff')
  await expect(page.getByText('easy to read')).toHaveCount(2)
  await expect.poll(button).toBe(VIOLET)
  await page.getByLabel('Dark', { exact: true }).check()
  await expect.poll(button).toBe(LILAC)
  await expect(frame.locator('body')).toHaveCSS('background-color', 'rgb(17, 21, 19)')

  // No word or mark of the portal; what was typed stays.
  const line = page.getByLabel('On the sign-in page, in English')
  await line.fill('Verified ✓ by the portal')
  await page.getByLabel('On the sign-in page, in Simplified Chinese').fill('欢迎光临紫色商店。')
  await page.getByLabel('On the consent page, in English').fill('We need this to deliver.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(line).toHaveAccessibleDescription(/Remove “Verified”/)
  await line.fill('Welcome to the violet shop.')
  await expect(frame.getByText('Welcome to the violet shop.')).toBeVisible()
  await expect(frame.getByText('Message from Violet shop')).toBeVisible()
  await expect(frame.locator('main img').filter({ visible: true })).toHaveCount(1)
  await page.getByLabel('Language of the preview').selectOption('zh-Hans')
  await expect(frame.getByText('欢迎光临紫色商店。')).toBeVisible()
  await expect(frame.getByText('登录', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'texts were saved' })).toBeVisible()

  await page.getByRole('link', { name: 'Preview the consent page' }).click()
  const preview = page.locator('.consent-preview')
  await expect(preview.getByText('We need this to deliver.')).toBeVisible()
  const allow = preview.getByRole('button', { name: 'Allow' })
  await expect(allow).toHaveCSS('background-color', VIOLET)
  // An answer would be a POST, or another page; the page's own icon may still be on its way.
  const answers: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' || request.isNavigationRequest()) answers.push(request.url())
  })
  await allow.click()
  await preview.getByRole('button', { name: 'Cancel' }).click()
  expect(answers).toEqual([])

  for (const [colorScheme, locale, said, colour] of [
    ['light', 'en-GB', 'Welcome to the violet shop.', VIOLET],
    ['dark', 'zh-CN', '欢迎光临紫色商店。', LILAC],
  ] as const) {
    const baseURL = new URL(page.url()).origin
    const user = await browser.newPage({ baseURL, colorScheme, locale })
    await user.goto(address(client_id))
    await expect(user.locator('figure', { hasText: 'Violet shop' })).toContainText(said)
    await expect(user.locator('main img').filter({ visible: true })).toHaveCount(1)
    expect(await background(user, 'main button[type=submit]')).toBe(colour)
    await expectNoViolations(user)
    await enterAsUser(user, 'alice', '/')
    await user.goto(address(client_id))
    await expect(user).toHaveURL(/\/consent\?/)
    await expect(user.getByText('We need this to deliver.')).toBeVisible()
    await user.close()
  }
})
