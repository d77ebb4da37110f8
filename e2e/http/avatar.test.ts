import { beforeAll, expect, test } from 'vitest'
import { ask } from '../support/ask'
import { aliceAtWeb, exchange, getCode, webRequest } from '../support/flow'
import { formOf, OldBrowser, type Page } from '../support/old-browser'
import { bombPng, twoColours } from '../support/pictures'
import type { Portal } from '../support/portal'
import { sharedPortal } from '../support/shared-portal'

/** docs/attacks.md, N18 and M21: pictures, as bytes over the wire. */

const MB = 1024 * 1024

let portal: Portal

beforeAll(async () => {
  portal = await sharedPortal()
})

type Sent = { bytes: Buffer; name?: string; type?: string }

/** The upload form of a page, sent as a browser without script sends it. */
async function upload(
  page: Page,
  cookie: string,
  { bytes, name = 'me.png', type = 'image/png' }: Sent,
) {
  const { action, inputs } = uploadForm(page)
  const body = new FormData()
  for (const [field, value] of inputs) body.append(field, value)
  body.append('picture', new File([new Uint8Array(bytes)], name, { type }))
  const headers = { cookie, origin: portal.origin, 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(action, { method: 'POST', body, headers, redirect: 'manual' })
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    html: await answer.text(),
  }
}

/** The page may have a form for removing before it. */
function uploadForm(page: Page) {
  const forms = page.html.match(/<form[\s\S]*?<\/form>/g) ?? []
  const html = forms.find((form) => form.includes('type="file"')) ?? ''
  return formOf({ ...page, html })
}

async function bob(): Promise<{ browser: OldBrowser; page: Page }> {
  const browser = new OldBrowser(portal.origin)
  const [, login = { email: '', password: '' }] = portal.demo().users
  await browser.signIn(await browser.open('/login'), login)
  return { browser, page: await browser.open('/account/picture') }
}

/** To a body of that length, before it is read. */
async function statusOf(path: string, length: number): Promise<number> {
  const headers = { 'content-length': String(length), 'content-type': 'multipart/form-data' }
  return (await ask(portal.origin, { method: 'POST', path, headers })).status
}

test('N18: what is uploaded is served as ours, for ever, to anybody who has its address, and apps learn it', async () => {
  const alice = await aliceAtWeb(portal)
  const png = await twoColours().png().toBuffer()
  const page = await alice.open('/account/picture')
  const sent = await upload(page, alice.cookieHeader(), {
    bytes: png,
    name: '../../x.html',
    type: 'text/html',
  })
  expect([sent.status, sent.location]).toEqual([303, '/account?done=picture'])
  const path = /src="(\/avatar\/ava_[\w-]+)"/.exec((await alice.open('/account')).html)?.[1] ?? ''
  const served = await ask(portal.origin, { path })
  expect(served.status).toBe(200)
  expect(served.headers).toMatchObject({
    'content-type': 'image/webp',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  })
  const tokens = JSON.parse(
    (await exchange(portal, await getCode(alice, webRequest(portal.demo())))).body,
  )
  const authorization = `Bearer ${tokens.access_token}`
  const me = await ask(portal.origin, { path: '/oidc/me', headers: { authorization } })
  expect(JSON.parse(me.body).picture).toBe(portal.origin + path)

  const outsider = await bob()
  await outsider.browser.submit(outsider.page, {})
  expect((await ask(portal.origin, { path })).status).toBe(200)
  await alice.submit(await alice.open('/account/picture'), {})
  const gone = await ask(portal.origin, { path })
  expect([gone.status, gone.headers['cache-control']]).toEqual([404, 'no-store'])
  expect((await ask(portal.origin, { path: '/avatar/ava_nobody' })).status).toBe(404)
})

test('N18: anything else is refused in words, and nothing is stored', async () => {
  const { browser, page } = await bob()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
  const jpeg = await twoColours(900, 900).jpeg().toBuffer()
  const refused: [Sent, RegExp][] = [
    [{ bytes: Buffer.from('<html>'), type: 'image/png' }, /isn’t a PNG, JPEG, WebP or GIF/],
    [{ bytes: svg, name: 'me.svg', type: 'image/svg+xml' }, /isn’t a PNG/],
    [{ bytes: svg, name: 'me.png' }, /isn’t a PNG/],
    [{ bytes: jpeg.subarray(0, jpeg.length / 2), name: 'me.jpg' }, /can’t read this picture/],
    [{ bytes: await bombPng() }, /can’t read this picture/],
    [{ bytes: Buffer.alloc(0) }, /Choose a picture first/],
    [{ bytes: Buffer.alloc(6 * MB) }, /larger than 5 MB/],
  ]
  for (const [sent, words] of refused) {
    const { location, html } = await upload(page, browser.cookieHeader(), sent)
    expect(location).toBeNull()
    expect(html).toMatch(words)
    expect(html).toContain('aria-invalid="true"')
  }
  expect(await statusOf('/account/picture', 10 * MB)).toBe(413)
  expect((await browser.open('/account')).html).not.toContain('/avatar/')
})

test('M21: nobody’s upload leads to the sign-in page; other pages take no such bodies', async () => {
  const { page } = await bob()
  const png = { bytes: await twoColours().png().toBuffer() }
  const anonymous = await upload(page, '', png)
  expect(anonymous.location).toMatch(/^\/login\?/)
  for (const path of ['/login', '/account', '/account/pictures']) {
    expect(await statusOf(path, MB)).toBe(413)
  }
})
