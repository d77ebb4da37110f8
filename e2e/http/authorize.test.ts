import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOp } from '../../lib/op'
import type { Demo } from '../../lib/operations/demo'
import { readConfig } from '../../lib/settings/config'
import { ask, FORM } from '../support/ask'
import { aliceAtWeb, authorizeUrl, exchange, pkcePair, received, webRequest } from '../support/flow'
import { OldBrowser, type Page } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'

/** docs/attacks.md, A to C: the authorization endpoint, row by row. */

let portal: Portal
let demo: Demo
let alice: OldBrowser

beforeAll(async () => {
  portal = await startPortal({ args: ['--demo'] })
  demo = portal.demo()
  alice = await aliceAtWeb(portal)
})

afterAll(() => portal.stop())

const get = (fields: Record<string, string> | string) =>
  ask(portal.origin, { path: authorizeUrl(fields) })
const web = (more: Record<string, string> = {}) => webRequest(demo, more)
const without = (name: string) => {
  const { [name]: _gone, ...rest } = web()
  return rest
}

/** EP: a page of ours and nothing else. */
async function expectPage(fields: Record<string, string> | string, status = 400): Promise<void> {
  const answer = await get(fields)
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.headers).not.toHaveProperty('location')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['referrer-policy']).toBe('no-referrer')
  expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(answer.body).toContain(answer.headers['x-request-id'])
  expect(answer.body).not.toMatch(/evil|<form|<a |http-equiv/)
}

/** ER(code): back to the application, with state and iss. */
async function expectRefusal(
  fields: Record<string, string> | string,
  error: string,
  browser: OldBrowser = new OldBrowser(portal.origin),
): Promise<Page> {
  const page = await browser.open(authorizeUrl(fields))
  expect(page.url.startsWith(`${demo.web.redirect_uris[0]}?`)).toBe(true)
  expect(page.status).toBe(303)
  expect(page.headers.get('cache-control')).toBe('no-store')
  const { error: told, error_description, ...rest } = received(page)
  expect(told).toBe(error)
  expect(error_description).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
  expect(rest).toEqual({ state: 'the-state', iss: portal.origin })
  return page
}

describe('A: client and redirect_uri', () => {
  test('A1: client_id missing, unknown or disabled', async () => {
    await expectPage(without('client_id'))
    await expectPage(web({ client_id: 'nobody' }))
    const house = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
    const disable = async (disabledAt: Date | null) => {
      const where = { id: 'app_demo_web' }
      await house.changePolicy((tx) => tx.application.update({ where, data: { disabledAt } }))
      await new Promise((resolve) => setTimeout(resolve, 1_050))
    }
    await disable(new Date())
    await expectPage(web())
    await disable(null)
    await house.close()
  })

  test('A2: redirect_uri missing', async () => {
    await expectPage(without('redirect_uri'))
  })

  test.each([
    'http://evil.example/callback',
    'http://localhost:4000/callback/x',
    'http://localhost:4000/callback/',
    'http://localhost:4000/callback/../evil',
    'http://localhost:4000/%63allback',
    'http://localhost:4000/callback;x',
    'http://LOCALHOST:4000/callback',
    'http://localhost:4000/callback?a=b',
    'http://localhost:4000/callback#x',
    'http://localhost:4000.evil.example/callback',
    'http://localhost:4000@evil.example/callback',
    'http://evil.example\\@localhost:4000/callback',
    'http://localhost%3a4000/callback',
    'http://localhost:4000/call\tback',
    'http://127.0.0.1:4000/callback',
  ])('A3, A4, A5: near miss %s', async (redirect_uri) => {
    await expectPage(web({ redirect_uri }))
  })

  test('A7: a native app’s loopback port that no machine has', async () => {
    const native = { client_id: 'app_demo_native', redirect_uri: 'http://127.0.0.1:99999/callback' }
    await expectPage(web(native))
  })

  test('A9: client_id or redirect_uri twice, also across query and body', async () => {
    const once = new URLSearchParams(web()).toString()
    await expectPage(`${once}&client_id=${demo.web.client_id}`)
    await expectPage(`${once}&redirect_uri=x`)
    const { client_id, ...rest } = web()
    const body = new URLSearchParams({ ...rest, client_id: client_id ?? '' }).toString()
    const path = `/oidc/auth?client_id=${client_id}`
    const answer = await ask(portal.origin, { method: 'POST', path, headers: FORM, body })
    expect([answer.status, answer.headers.location]).toEqual([400, undefined])
  })

  test('A10: any other parameter twice', async () => {
    const once = new URLSearchParams(web()).toString()
    await expectRefusal(`${once}&nonce=a&nonce=b`, 'invalid_request')
  })

  test('A11: POST that is no form', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type }
      const body = new URLSearchParams(web()).toString()
      const answer = await ask(portal.origin, { method: 'POST', path: '/oidc/auth', headers, body })
      expect([answer.status, answer.headers.location]).toEqual([400, undefined])
    }
  })

  test('A12: a form over 64 KiB is 413, a URL over 8 KiB is 414', async () => {
    const body = `x=${'y'.repeat(70_000)}`
    const posted = await ask(portal.origin, {
      method: 'POST',
      path: '/oidc/auth',
      headers: FORM,
      body,
    })
    expect(posted.status).toBe(413)
    await expectPage(web({ x: 'y'.repeat(9_000) }), 414)
  })

  test('A13: other methods are 405, HEAD too: a GET here has side effects', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD']) {
      const path = authorizeUrl(web())
      const { status, headers } = await ask(portal.origin, { method, path })
      expect([status, headers.allow]).toEqual([405, 'GET, POST, OPTIONS'])
    }
  })

  test('A14: a cross-site POST is answered on the next GET, where the session is seen', async () => {
    const body = new URLSearchParams(web({ prompt: 'none' })).toString()
    const stored = await ask(portal.origin, {
      method: 'POST',
      path: '/oidc/auth',
      headers: FORM,
      body,
    })
    expect(stored.status).toBe(303)
    const [name = '', value = ''] =
      (stored.headers['set-cookie']?.[0] ?? '').split(';')[0]?.split('=') ?? []
    alice.cookies.set(name, value)
    const page = await alice.open(stored.headers.location ?? '')
    expect(received(page).code).toMatch(/^ghac_/)
  })
})

describe('B: parameters', () => {
  test('B1, B2: response_type missing or not code', async () => {
    await expectRefusal(without('response_type'), 'invalid_request')
    for (const response_type of ['token', 'id_token', 'code id_token', 'none', 'foo']) {
      await expectRefusal(web({ response_type }), 'unsupported_response_type')
    }
  })

  test('B3: an application without this flow', async () => {
    const fields = web({ client_id: demo.machine.client_id })
    await expectPage(fields) // it has no redirect URI to send anybody to
  })

  test('B4: response_mode unknown', async () => {
    await expectRefusal(web({ response_mode: 'fragment' }), 'invalid_request')
  })

  test('B6, B7: unknown and forbidden scopes are refused one by one, in the token response', async () => {
    const page = await alice.open(
      authorizeUrl(web({ scope: 'openid orders:refund orders:read nope' })),
    )
    const answer = await exchange(portal, received(page).code ?? '')
    expect(JSON.parse(answer.body)).toMatchObject({
      scope: 'openid orders:read',
      scope_rejected: 'orders:refund nope',
      scope_rejected_reasons: [
        { scope: 'orders:refund', code: 'user_not_permitted' },
        { scope: 'nope', code: 'unknown_scope' },
      ],
    })
  })

  test('B8: a malformed scope', async () => {
    await expectRefusal(web({ scope: 'a"b' }), 'invalid_scope')
    await expectRefusal(web({ scope: 'nope' }), 'invalid_scope', alice)
  })

  test.each(['x'.repeat(2048), 'ünïcode ✓ 漢', 'a\0b', `"'<>&`, 'a b+c%20'])(
    'B9: state comes back byte for byte',
    async (state) => {
      const page = await alice.open(authorizeUrl(web({ state })))
      expect(received(page).state).toBe(state)
    },
  )

  test('B11, B12: prompt=none without a session, and without consent', async () => {
    await expectRefusal(web({ prompt: 'none' }), 'login_required')
    await expectRefusal(web({ prompt: 'none', scope: 'openid phone' }), 'consent_required', alice)
  })

  test('B14, B15: prompt none with another, or unknown', async () => {
    await expectRefusal(web({ prompt: 'none login' }), 'invalid_request')
    await expectRefusal(web({ prompt: 'maybe' }), 'invalid_request')
  })

  test('B16: prompt=login asks again, and cannot be skipped on the way', async () => {
    const asked = await alice.open(authorizeUrl(web({ prompt: 'login' })))
    expect(asked.url).toContain('/login?')
    const resumeAt = new URL(asked.url).searchParams.get('returnTo') ?? ''
    expect((await alice.open(`${resumeAt}?prompt=none`)).url).toContain('/login?')
    const done = await alice.signIn(asked, demo.users[0] ?? { email: '', password: '' })
    expect(received(done).code).toMatch(/^ghac_/)
  })

  test('B17: prompt=consent shows it again', async () => {
    const page = await alice.open(authorizeUrl(web({ prompt: 'consent' })))
    expect(page.url).toContain('/consent?')
    const done = await alice.submit(page, { scope: ['orders:read'] })
    expect(received(done).code).toMatch(/^ghac_/)
  })

  test('B19, B20: max_age', async () => {
    for (const max_age of ['-1', '1e9999', 'abc', '1.5']) {
      await expectRefusal(web({ max_age }), 'invalid_request')
    }
    expect((await alice.open(authorizeUrl(web({ max_age: '0' })))).url).toContain('/login?')
    expect(received(await alice.open(authorizeUrl(web({ max_age: '10000' })))).code).toBeDefined()
  })

  test('B21, B22, B23: id_token_hint', async () => {
    for (const hint of ['garbage', 'eyJhbGciOiJub25lIn0.e30.', 'a.b.c']) {
      await expectRefusal(web({ id_token_hint: hint }), 'invalid_request')
    }
    const code = received(await alice.open(authorizeUrl(web()))).code ?? ''
    const { id_token, access_token } = JSON.parse((await exchange(portal, code)).body)
    const hinted = web({ id_token_hint: id_token, prompt: 'none' })
    expect(received(await alice.open(authorizeUrl(hinted))).code).toBeDefined()
    await expectRefusal(web({ id_token_hint: access_token }), 'invalid_request')
    const claims = decodeJwt(id_token)
    const foreign = await generateKeyPair('RS256')
    const { kid = '' } = decodeProtectedHeader(id_token)
    for (const hint of [
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(Buffer.from(demo.web.client_secret)),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
        .sign(foreign.privateKey),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'nobody' })
        .sign(foreign.privateKey),
    ]) {
      await expectRefusal(web({ id_token_hint: hint }), 'invalid_request')
    }
    const spa = { client_id: demo.spa.client_id, redirect_uri: demo.spa.redirect_uris[0] ?? '' }
    const { challenge } = pkcePair()
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const elsewhere = authorizeUrl(web({ ...spa, ...pkce, id_token_hint: id_token }))
    const refused = await new OldBrowser(portal.origin).open(elsewhere)
    expect(received(refused).error).toBe('invalid_request')
    const bob = new OldBrowser(portal.origin)
    await bob.signIn(await bob.open('/login'), demo.users[1] ?? { email: '', password: '' })
    await expectRefusal(hinted, 'login_required', bob)
  })

  test('B24: login_hint is filled in, escaped', async () => {
    const hint = '"><script>alert(1)</script>'
    const page = await new OldBrowser(portal.origin).open(authorizeUrl(web({ login_hint: hint })))
    expect(page.html).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  })

  test('B25, B26: unknown locales and acr_values are ignored', async () => {
    const more = {
      ui_locales: 'se tlh',
      claims_locales: 'xx',
      acr_values: 'gold',
      display: 'popup',
    }
    expect(received(await alice.open(authorizeUrl(web(more)))).code).toBeDefined()
  })

  test('B27, B28: claims', async () => {
    const essential = JSON.stringify({ id_token: { acr: { essential: true, value: 'gold' } } })
    await expectRefusal(web({ claims: essential }), 'unmet_authentication_requirements', alice)
    for (const claims of [
      '{',
      '[]',
      '"x"',
      '{"userinfo":[1]}',
      '{"id_token":{"acr":1}}',
      `{"userinfo":${'['.repeat(900)}${']'.repeat(900)}}`,
    ]) {
      await expectRefusal(web({ claims }), 'invalid_request')
    }
    const polluted = '{"__proto__":{"polluted":1},"userinfo":{"__proto__":null,"constructor":null}}'
    expect(received(await alice.open(authorizeUrl(web({ claims: polluted })))).code).toBeDefined()
  })

  test('B30, B31, B32: request, request_uri and registration', async () => {
    await expectRefusal(web({ request: 'x' }), 'request_not_supported')
    await expectRefusal(
      web({ request_uri: 'https://169.254.169.254/' }),
      'request_uri_not_supported',
    )
    await expectRefusal(web({ registration: '{}' }), 'registration_not_supported')
  })

  test('B34: resource unknown or relative', async () => {
    for (const resource of [
      'relative',
      'https://nobody.example',
      'https://orders.gatehouse.example#x',
    ]) {
      await expectRefusal(web({ resource }), 'invalid_target')
    }
  })

  test('B36: unknown parameters are ignored', async () => {
    expect(received(await alice.open(authorizeUrl(web({ extra: 'foobar' })))).code).toBeDefined()
  })

  test('B36: over a hundred of them are too many', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x${i}`, '1']))
    expect(received(await alice.open(authorizeUrl(web(many))))).toMatchObject({
      error: 'invalid_request',
      state: 'the-state',
    })
  })

  test('B37: Cancel', async () => {
    const page = await alice.open(authorizeUrl(web({ prompt: 'consent' })))
    const done = await alice.submit(page, {}, ['answer', 'cancel'])
    expect(received(done)).toMatchObject({
      error: 'access_denied',
      state: 'the-state',
      iss: portal.origin,
    })
  })

  test('B41: an interaction of another browser', async () => {
    const page = await alice.open(authorizeUrl(web({ prompt: 'consent' })))
    const id = new URL(page.url).searchParams.get('interaction')
    const stranger = await aliceAtWeb(portal)
    const opened = await stranger.open(`/oidc/auth/${id}`)
    expect([opened.status, opened.url]).toEqual([400, `${portal.origin}/oidc/auth/${id}`])
    expect((await stranger.open(`/consent?interaction=${id}`)).html).toContain(
      'This request has expired',
    )
  })

  test('B42: an interaction that was completed', async () => {
    const page = await alice.open(authorizeUrl(web({ prompt: 'consent' })))
    const id = new URL(page.url).searchParams.get('interaction')
    const cookies = new Map(alice.cookies)
    const done = await alice.submit(page, { scope: ['orders:read'] })
    expect(received(done).code).toBeDefined()
    for (const [name, value] of cookies) alice.cookies.set(name, value)
    expect((await alice.open(`/oidc/auth/${id}`)).status).toBe(400)
  })

  test('form_post: code and errors are posted, nothing is in the URL', async () => {
    const ok = await alice.open(authorizeUrl(web({ response_mode: 'form_post' })))
    expect(ok.status).toBe(200)
    expect(ok.html).toContain(`action="${demo.web.redirect_uris[0]}"`)
    expect(ok.html).toMatch(/name="code" value="ghac_[\w-]{43}"/)
    expect(ok.html).toContain('<noscript>')
    const stranger = new OldBrowser(portal.origin)
    const no = await stranger.open(
      authorizeUrl(web({ response_mode: 'form_post', prompt: 'none' })),
    )
    expect(no.html).toContain('name="error" value="login_required"')
  })

  test('what was unticked is remembered and not asked again', async () => {
    const bob = new OldBrowser(portal.origin)
    const fields = web({ scope: 'openid orders:read orders:write' })
    const login = await bob.open(authorizeUrl(fields))
    const consent = await bob.signIn(login, demo.users[1] ?? { email: '', password: '' })
    const done = await bob.submit(consent, { scope: ['orders:read'] })
    const first = JSON.parse((await exchange(portal, received(done).code ?? '')).body)
    expect(first).toMatchObject({
      scope: 'openid orders:read',
      scope_rejected: 'orders:write',
      scope_rejected_reasons: [{ scope: 'orders:write', code: 'consent_withheld' }],
    })
    const again = received(await bob.open(authorizeUrl(fields)))
    expect(again.code).toBeDefined()
  })
})

describe('C: PKCE', () => {
  const spa = (more: Record<string, string> = {}) => ({
    ...web(),
    client_id: demo.spa.client_id,
    redirect_uri: demo.spa.redirect_uris[0] ?? '',
    ...more,
  })
  const refusal = async (fields: Record<string, string>) =>
    received(await alice.open(authorizeUrl(fields)))

  test('C1: a public client without a challenge', async () => {
    expect(await refusal(spa())).toMatchObject({
      error: 'invalid_request',
      error_description: 'code challenge required',
    })
  })

  test('C2, C3, C4: plain, no method, no challenge, malformed', async () => {
    const { challenge } = pkcePair()
    for (const more of [
      { code_challenge: challenge, code_challenge_method: 'plain' },
      { code_challenge: challenge },
      { code_challenge_method: 'S256' },
      { code_challenge: 'short', code_challenge_method: 'S256' },
      { code_challenge: `${challenge}=`, code_challenge_method: 'S256' },
    ] as Record<string, string>[]) {
      expect((await refusal(web(more))).error).toBe('invalid_request')
    }
  })

  async function codeWith(more: Record<string, string>): Promise<string> {
    return received(await alice.open(authorizeUrl(web(more)))).code ?? ''
  }

  const S256 = { code_challenge_method: 'S256' }

  test('C5, C6, C8, C9: no verifier, a wrong or a malformed one; the right one still works', async () => {
    const { verifier, challenge } = pkcePair()
    const code = await codeWith({ code_challenge: challenge, ...S256 })
    const attempts = [
      {},
      { code_verifier: '' },
      { code_verifier: pkcePair().verifier },
      { code_verifier: 'short' },
    ]
    for (const attempt of attempts as Record<string, string>[]) {
      const answer = await exchange(portal, code, attempt)
      expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'invalid_grant'])
    }
    expect((await exchange(portal, code, { code_verifier: verifier })).status).toBe(200)
  })

  test('C6: after five failures the code is burnt', async () => {
    const { verifier, challenge } = pkcePair()
    const code = await codeWith({ code_challenge: challenge, ...S256 })
    for (let i = 0; i < 5; i += 1)
      await exchange(portal, code, { code_verifier: pkcePair().verifier })
    expect((await exchange(portal, code, { code_verifier: verifier })).status).toBe(400)
  })

  test('C7: a verifier for a code without a challenge', async () => {
    const answer = await exchange(portal, await codeWith({}), {
      code_verifier: pkcePair().verifier,
    })
    expect(JSON.parse(answer.body).error).toBe('invalid_grant')
  })

  test('C11: discovery says S256 only', async () => {
    const { body } = await ask(portal.origin, { path: '/.well-known/openid-configuration' })
    expect(JSON.parse(body).code_challenge_methods_supported).toEqual(['S256'])
  })
})
