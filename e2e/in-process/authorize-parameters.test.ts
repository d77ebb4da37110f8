import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  alice,
  demo,
  expectPage,
  expectRefusal,
  portal,
  startAuthorize,
  web,
  without,
} from '../support/authorize'
import { aliceAtWeb, authorizeUrl, exchange, pkcePair, received } from '../support/flow'
import { OldBrowser } from '../support/old-browser'

startAuthorize()

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
        { scope: 'orders:refund', code: 'user_not_permitted', next_action: 'none' },
        { scope: 'nope', code: 'unknown_scope', next_action: 'none' },
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
    const outsider = await aliceAtWeb(portal)
    const opened = await outsider.open(`/oidc/auth/${id}`)
    expect([opened.status, opened.url]).toEqual([400, `${portal.origin}/oidc/auth/${id}`])
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
    const outsider = new OldBrowser(portal.origin)
    const no = await outsider.open(
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
      scope_rejected_reasons: [
        { scope: 'orders:write', code: 'consent_withheld', next_action: 'consent' },
      ],
    })
    const again = received(await bob.open(authorizeUrl(fields)))
    expect(again.code).toBeDefined()
  })
})
