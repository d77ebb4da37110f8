import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { exportJWK, SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { callApi, machineToken, sessionOf } from '../support/api'
import { ask, askToken, type Fields } from '../support/ask'
import type { Portal } from '../support/portal'
import { sharedPortal } from '../support/shared-portal'

/** What admins set, as it is seen on the pages. Each test leaves the settings as it found them. */

let portal: Portal
let token: string
let owner: Fields

beforeAll(async () => {
  portal = await sharedPortal()
  token = await machineToken(portal)
  owner = await sessionOf(portal, portal.demo().admin)
})

const page = (path: string, headers: Fields = {}) => ask(portal.origin, { path, headers })
const call = (method: string, path: string, body?: unknown, headers?: Fields) =>
  callApi(portal, token, method, path, body, headers)

async function seen(path: string): Promise<Fields> {
  return { 'if-match': (await call('GET', path)).headers.etag ?? '' }
}

async function set(patch: object) {
  const answer = await call('PATCH', '/settings', patch, await seen('/settings'))
  expect([answer.status, answer.raw]).toEqual([200, expect.any(String)])
}

test('name and colours are on the pages; the name is text (N17)', async () => {
  const name = `<i>Acme</i> ID`
  await set({ branding: { name, accent: { light: '#0b4b9a', dark: '#9ac4ff' } } })
  const front = await page('/login')
  expect(front.body).toContain('&lt;i&gt;Acme&lt;/i&gt; ID')
  expect(front.body).not.toContain('<i>Acme')
  const [href = ''] = /\/branding\.css\?v=\d+/.exec(front.body) ?? []
  const css = await page(href)
  expect(css.headers['content-type']).toContain('text/css')
  expect(css.body).toContain('--color-accent:light-dark(#0b4b9a,#9ac4ff)')
  await set({ branding: { name: 'Gatehouse', accent: null } })
  expect((await page('/login')).body).not.toContain('branding.css')
})

test('a language that is not offered is not spoken, whatever the browser wishes', async () => {
  const wish = { 'accept-language': 'en' }
  await set({ languages: { offered: ['zh-Hans'], default: 'zh-Hans' } })
  expect((await page('/login', wish)).body).toContain('<html lang="zh-Hans"')
  await set({ languages: { offered: ['en', 'zh-Hans'], default: 'zh-Hans' } })
  expect((await page('/login', wish)).body).toContain('<html lang="en"')
  const unknown = { 'accept-language': 'tlh' }
  expect((await page('/login', unknown)).body).toContain('<html lang="zh-Hans"')
  await set({ languages: { offered: ['en', 'zh-Hans'], default: 'en' } })
})

test('registration opens and closes', async () => {
  await set({ security: { registration: 'open' } })
  expect((await page('/register')).body).toContain('name="password"')
  expect((await page('/login')).body).toContain('/register')
  await set({ security: { registration: 'closed' } })
  expect((await page('/register')).body).not.toContain('name="password"')
})

test('an admin without a second factor sets one up first; others are not concerned', async () => {
  await set({ security: { adminSecondFactor: true } })
  try {
    const refused = await callApi(portal, owner, 'GET', '/settings')
    expect([refused.status, refused.json.code]).toEqual([403, 'second_factor_needed'])
    const { status, headers } = await page('/admin/users', { cookie: owner.cookie ?? '' })
    const setUp = '/account/security/factor?for=admin&returnTo=%2Fadmin%2Fusers'
    expect([status, headers.location]).toEqual([307, setUp])
    const way = await page(setUp, { cookie: owner.cookie ?? '' })
    expect(way.body).toContain('href="/account/security/passkey?returnTo=%2Fadmin%2Fusers"')
    expect(way.body).toContain('href="/account/security/authenticator?returnTo=%2Fadmin%2Fusers"')
    const user = await sessionOf(portal, portal.demo().users[0])
    expect((await page('/account', { cookie: user.cookie ?? '' })).status).toBe(200)
  } finally {
    await set({ security: { adminSecondFactor: false } })
  }
  expect((await callApi(portal, owner, 'GET', '/settings')).status).toBe(200)
})

test('a provider is offered at the sign-in while it is set', async () => {
  const path = '/settings/providers/acme'
  const acme = { kind: 'oidc', name: 'Acme Corp', issuer: 'https://id.acme.example' }
  const client = { clientId: 'portal', clientSecret: 'a secret of the provider' }
  expect((await call('PUT', path, { ...acme, ...client }, await seen('/settings'))).status).toBe(
    200,
  )
  expect((await page('/login')).body).toContain('Acme Corp')
  expect((await call('DELETE', path, undefined, await seen('/settings'))).status).toBe(200)
  expect((await page('/login')).body).not.toContain('Acme Corp')
})

test('the page of an application says when its key was last used', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }] }
  const signer = { kind: 'machine', name: 'Signer', authMethods: ['private_key_jwt'], jwks }
  const { id } = (await call('POST', '/applications', signer)).json
  const claims = { iss: id, sub: id, aud: portal.origin, jti: randomUUID() }
  const client_assertion = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .setExpirationTime('1m')
    .sign(privateKey)
  const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const assertion = { client_assertion_type, client_assertion }
  // It holds no grant, so no token is issued; the key was used all the same.
  const { status } = await askToken(portal.origin, {
    grant_type: 'client_credentials',
    scope: 'orders:read',
    ...assertion,
  })
  expect(status).toBe(400)
  const uses = async () => (await call('GET', `/applications/${id}/public-keys`)).json.data
  await expect.poll(async () => (await uses())[0]?.lastUsedAt ?? '').not.toBe('')
  const [{ lastUsedAt }] = await uses()
  const { body } = await page(`/admin/applications/${id}/credentials`, owner)
  expect(body).toContain(lastUsedAt)
})

const LINK = { privacy: null, terms: null, help: 'https://example.com/help' }
const EVERY = { order: [], hidden: [] }

test('the sign-in page has the texts, links and order of the portal, in the language of the reader', async () => {
  const signInTitle = { en: 'Hello <b>staff</b>', 'zh-Hans': '员工登录' }
  const signInText = { en: 'With your badge.' }
  const methods = { order: ['passkey'], hidden: [] }
  await set({ branding: { signInTitle, signInText, links: LINK, methods, drawing: false } })
  try {
    const { body } = await page('/login', { 'accept-language': 'en' })
    expect(body).toContain('Hello &lt;b&gt;staff&lt;/b&gt;</h1>')
    expect(body).toContain('With your badge.')
    expect(body).toMatch(/<a href="https:\/\/example\.com\/help"[^>]*rel="noopener noreferrer"/)
    expect(body.indexOf('Sign in with a passkey')).toBeLessThan(body.indexOf('name="identifier"'))
    expect(body).not.toContain('#drawing')
    const chinese = await page('/login', { 'accept-language': 'zh-CN' })
    expect(chinese.body).toContain('员工登录</h1>')
    expect(chinese.body).toContain('With your badge.')
    await set({ branding: { methods: { order: [], hidden: ['passkey'] } } })
    expect((await page('/login')).body).not.toContain('Sign in with a passkey')
  } finally {
    const links = { ...LINK, help: null }
    await set({
      branding: { signInTitle: {}, signInText: {}, links, methods: EVERY, drawing: true },
    })
  }
})

test('Q261: a preview opens for the session that it was made for, and can be framed here alone', async () => {
  const { body } = await page('/admin/settings/branding', { cookie: owner.cookie ?? '' })
  const [, address = ''] = /<iframe src="([^"]+)"[^>]*sandbox="allow-same-origin"/.exec(body) ?? []
  expect(address).toMatch(/^\/login\/preview\?draft=/)
  const own = await page(address, { cookie: owner.cookie ?? '' })
  expect(own.status).toBe(200)
  expect(own.body).toContain('<div inert="">')
  expect(own.headers['content-security-policy']).toContain("frame-ancestors 'self'")
  expect(own.headers['x-frame-options']).toBe('SAMEORIGIN')
  const other = await sessionOf(portal, portal.demo().admin)
  const user = await sessionOf(portal, portal.demo().users[0])
  for (const [at, cookie] of [
    [address, ''],
    [address, user.cookie ?? ''],
    [address, other.cookie ?? ''],
    [`${address}A`, owner.cookie ?? ''],
    ['/login/preview?draft=e30', owner.cookie ?? ''],
    ['/login/preview', owner.cookie ?? ''],
  ] as const) {
    const { status, headers } = await page(at, { cookie })
    expect([at, status, headers.location]).toEqual([at, 307, '/login'])
  }
  const login = await page(`/login${address.slice('/login/preview'.length)}`, owner)
  expect(login.headers['content-security-policy']).toContain("frame-ancestors 'none'")
})
