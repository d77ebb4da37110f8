import { expect, type Page, test } from '@playwright/test'
import { demo, newPerson } from '../support/people'
import { enterAs, typeSignIn } from '../support/sign-in'

/** The consent page, each time with a person of the test's own. */

const SCOPE = 'openid profile offline_access orders:read orders:write'
const CALLBACK = 'http://localhost:4000/callback'

function address(more: Record<string, string> = {}): string {
  const { client_id, redirect_uris } = demo().web
  const redirect_uri = redirect_uris[0] ?? ''
  const fields = { client_id, redirect_uri, response_type: 'code', scope: SCOPE, state: 's' }
  return `/oidc/auth?${new URLSearchParams({ ...fields, ...more })}`
}

const expectCode = (page: Page) => expect(page).toHaveURL(/localhost:4000\/callback\?code=/)

for (const javaScriptEnabled of [true, false])
  test.describe(`the code flow ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test('M18: sign-in, Cancel, and consent with one scope unticked: the app learns what was withheld', async ({
      page,
      request,
    }) => {
      const { email, password } = await newPerson('Bo')
      await page.goto(address())
      await typeSignIn(page, email, password)
      await expect(page.locator('h1')).toHaveText('Demo web app wants access')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect(page).toHaveURL(/^http:\/\/localhost:4000\/callback\?error=access_denied/)
      await page.goto(address())
      await page.getByLabel('Create and change orders').uncheck()
      await page.getByRole('button', { name: 'Allow' }).click()
      await expectCode(page)
      const params = new URL(page.url()).searchParams
      expect(params.get('state')).toBe('s')
      const { client_id, client_secret, redirect_uris } = demo().web
      const answer = await request.post('/oidc/token', {
        form: {
          grant_type: 'authorization_code',
          code: params.get('code') ?? '',
          redirect_uri: redirect_uris[0] ?? '',
          client_id,
          client_secret,
        },
      })
      expect(await answer.json()).toMatchObject({
        scope: 'openid profile offline_access orders:read',
        scope_rejected: 'orders:write',
        scope_rejected_reasons: [
          { scope: 'orders:write', code: 'consent_withheld', next_action: 'consent' },
        ],
      })
    })
  })

test('form_post reaches the app by POST', async ({ page }) => {
  await enterAs(page, await newPerson('Fo'), address({ response_mode: 'form_post' }))
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(CALLBACK)
  await expect(page.locator('pre')).toHaveText(/^code=ghac_[\w-]{43}&state=s&iss=/)
})
