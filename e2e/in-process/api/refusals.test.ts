import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  SignJWT,
} from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { changed, created, demo, getToken, portal, read, startApi } from '../../support/api-objects'
import { ask, askToken, FORM } from '../../support/ask'
import { usually } from '../../support/databases'
import { authorizeUrl, exchange, getCode, pkcePair, userinfo, webRequest } from '../../support/flow'
import { OldBrowser } from '../../support/old-browser'

/** Applications that older libraries drive: why they are refused, and the settings that let them in. */

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const CALLBACK = 'https://rp.example/callback'

describe.each(usually('sqlite'))('refusals on %s', (kind) => {
  startApi(kind)
  let keys: Awaited<ReturnType<typeof generateKeyPair>>
  let signer = ''
  let web = ''

  beforeAll(async () => {
    keys = await generateKeyPair('ES256')
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }
    const asserting = { authMethods: ['private_key_jwt'], jwks: { keys: [jwk] } }
    signer = (await created('/applications', { kind: 'machine', name: 'Signer', ...asserting })).id
    const redirecting = { kind: 'web', name: 'Older', redirectUris: [CALLBACK] }
    web = (await created('/applications', redirecting)).id
    for (const id of [signer, web]) {
      const grants = [{ pattern: 'orders:read' }]
      expect((await changed('PUT', `/applications/${id}/grants`, { grants })).status).toBe(200)
    }
  })

  const now = () => Math.floor(Date.now() / 1000)
  async function withAssertion(more: object = {}, kid = 'k1', path = '/oidc/token') {
    const claims = { iss: signer, sub: signer, aud: portal.origin, exp: now() + 60 }
    const assertion = await new SignJWT({ ...claims, jti: crypto.randomUUID(), ...more })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(keys.privateKey)
    const fields = {
      grant_type: 'client_credentials',
      scope: 'orders:read',
      token: 'x',
      client_assertion_type: TYPE,
      client_assertion: assertion,
    }
    const body = new URLSearchParams(fields).toString()
    return ask(portal.origin, { method: 'POST', path, headers: FORM, body })
  }

  async function lastRefusal(id: string) {
    await portal.op.settled()
    return (await read(`/applications/${id}/refusals`)).json.data[0]
  }
  const set = (id: string, body: object) => changed('PATCH', `/applications/${id}`, body)

  describe('private_key_jwt', () => {
    test.each<[string, object, string, string]>([
      ['an unknown key', {}, 'k2', 'assertion_key_unknown'],
      ['another issuer', { iss: 'somebody' }, 'k1', 'assertion_issuer'],
      ['an assertion that has expired', { exp: 1 }, 'k1', 'assertion_expired'],
      ['no ID', { jti: undefined }, 'k1', 'assertion_id'],
    ])('%s: the client learns nothing, its page says why', async (_what, more, kid, reason) => {
      const answer = await withAssertion(more, kid)
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        401,
        { error: 'invalid_client', error_description: 'client authentication failed' },
      ])
      expect(await lastRefusal(signer)).toMatchObject({
        event: 'client.refused',
        reason,
        offer: null,
      })
    })

    test('the token endpoint as the audience, for an hour: refused, offered, and accepted in one step', async () => {
      const aud = `${portal.origin}/oidc/token`
      const usual = { aud, exp: now() + 3_500 }
      expect((await withAssertion(usual)).status).toBe(401)
      const refusal = await lastRefusal(signer)
      expect(refusal).toMatchObject({
        reason: 'assertion_audience',
        facts: { given: aud, accepted: [portal.origin] },
        offer: { assertionAudience: 'compatible' },
      })
      expect((await set(signer, refusal.offer)).status).toBe(200)
      expect((await withAssertion(usual)).status).toBe(200)
      expect((await withAssertion({ aud: [aud] })).status).toBe(200)
      expect((await withAssertion({ aud: portal.origin })).status).toBe(200)
      expect((await lastRefusal(signer)).offer).toBeNull()
      expect((await read(`/applications/${signer}`)).json.assertionSeconds).toBe(300)
      expect((await set(signer, { assertionAudience: 'token_endpoint' })).status).toBe(200)
    })

    test('its key says when and from where it was last used', async () => {
      const used = (await read(`/applications/${signer}/public-keys`)).json.data
      expect(used).toEqual([
        {
          kid: 'k1',
          type: 'ES256',
          registered: true,
          lastUsedIp: expect.any(String),
          thumbprint: await calculateJwkThumbprint(await exportJWK(keys.publicKey)),
          lastUsedAt: expect.stringMatching(/^20\d\d-/),
        },
      ])
      const { lastUsedAt } = (await read(`/applications/${signer}/usage`)).json
      expect(lastUsedAt).toBe(used[0].lastUsedAt)
    })

    test('a list with one entry', async () => {
      const aud = [portal.origin]
      expect((await withAssertion({ aud })).status).toBe(401)
      expect((await lastRefusal(signer)).offer).toEqual({ assertionAudience: 'compatible' })
      expect((await set(signer, { assertionAudienceList: true })).status).toBe(200)
      expect((await withAssertion({ aud })).status).toBe(200)
      expect((await withAssertion({ aud: [portal.origin, 'https://x.example'] })).status).toBe(401)
    })

    test('the endpoint that is called, and no other', async () => {
      const path = '/oidc/token/introspection'
      const aud = portal.origin + path
      expect((await withAssertion({ aud }, 'k1', path)).status).toBe(401)
      const { offer } = await lastRefusal(signer)
      expect(offer).toEqual({ assertionAudience: 'endpoint' })
      expect((await set(signer, offer)).status).toBe(200)
      expect((await withAssertion({ aud }, 'k1', path)).status).toBe(200)
      expect((await withAssertion({ aud })).status).toBe(401)
    })

    test('an assertion that lives an hour', async () => {
      const hour = () => ({ exp: now() + 3_500 })
      expect((await withAssertion(hour())).status).toBe(401)
      const { reason, offer } = await lastRefusal(signer)
      expect([reason, offer]).toEqual(['assertion_life', { assertionSeconds: 3600 }])
      expect((await set(signer, offer)).status).toBe(200)
      expect((await withAssertion(hour())).status).toBe(200)
      expect((await withAssertion({ exp: now() + 7_200 })).status).toBe(401)
      expect((await lastRefusal(signer)).offer).toBeNull()
    })
  })

  test('a setting that weakens an application stands in the audit log and in the health check', async () => {
    const { json: log } = await read(
      `/audit-events?event=application.changed&targetId=${signer}&limit=1`,
    )
    expect(log.data[0].detail.weakens).toEqual(['assertion_life'])
    const { json: health } = await read('/health')
    const found = health.data.find(({ code }: { code: string }) => code === 'applications_weakened')
    expect(found).toMatchObject({ state: 'warn', detail: expect.stringContaining('Signer') })
  })

  test('D27: a wrong secret is recorded, but not each of many', async () => {
    for (let tries = 0; tries < 30; tries += 1) await getToken(web, 'ghcs_wrong')
    expect(await lastRefusal(web)).toMatchObject({ reason: 'wrong_secret', offer: null })
    const { json } = await read(`/audit-events?event=client.refused&targetId=${web}&limit=100`)
    expect(json.data.length).toBe(10)
  })

  describe('authorization requests', () => {
    const request = (more: object = {}) =>
      authorizeUrl({
        client_id: web,
        redirect_uri: CALLBACK,
        response_type: 'code',
        scope: 'openid',
        ...more,
      })

    test('PKCE is missing: offered for an application that has a secret', async () => {
      await set(web, { pkce: 'required' })
      const answer = await ask(portal.origin, { path: request() })
      expect(answer.headers.location).toContain('error=invalid_request')
      const refusal = await lastRefusal(web)
      expect(refusal).toMatchObject({ reason: 'pkce_missing', offer: { pkce: 'not_required' } })
      expect((await set(web, refusal.offer)).status).toBe(200)
      const again = await ask(portal.origin, { path: request() })
      expect(again.headers.location).toContain('/login')
    })

    test('PKCE is missing: never offered for a public application', async () => {
      const spa = await created('/applications', {
        kind: 'spa',
        name: 'Public',
        redirectUris: [CALLBACK],
      })
      await ask(portal.origin, { path: request({ client_id: spa.id }) })
      expect(await lastRefusal(spa.id)).toMatchObject({ reason: 'pkce_missing', offer: null })
    })

    test('A3: a redirect URI with one wrong character: which one', async () => {
      const given = 'https://rp.example/callbacks'
      const answer = await ask(portal.origin, { path: request({ redirect_uri: given }) })
      expect([answer.status, answer.headers.location]).toEqual([400, undefined])
      expect(answer.body).not.toContain(CALLBACK)
      expect(await lastRefusal(web)).toMatchObject({
        event: 'authorize.foreign_redirect',
        reason: 'redirect_uri',
        offer: null,
        facts: { given, nearest: CALLBACK, at: CALLBACK.length },
      })
    })
  })

  test('A3: what a database cannot store holds up neither the log nor anybody else', async () => {
    const asked = { response_type: 'code', scope: 'openid' }
    const bad = [
      { client_id: web, redirect_uri: '\0' },
      { client_id: web, redirect_uri: `${'x'.repeat(499)}😀` },
      { client_id: '\0', redirect_uri: CALLBACK },
      { client_id: web, redirect_uri: CALLBACK, state: '\0' },
      { client_id: web, redirect_uri: CALLBACK, claims: '{"userinfo":{"\\u0000":null}}' },
      {
        client_id: web,
        redirect_uri: CALLBACK,
        claims: '{"id_token":{"sub":{"value":"\\ud800"}}}',
      },
    ]
    for (const fields of bad) {
      const answer = await ask(portal.origin, { path: authorizeUrl({ ...asked, ...fields }) })
      expect(answer.status).toBeLessThan(500)
      expect(answer.headers.location ?? '').not.toContain('server_error')
    }
    await ask(portal.origin, {
      path: authorizeUrl({ ...asked, client_id: web, redirect_uri: 'x' }),
    })
    expect((await lastRefusal(web)).facts).toMatchObject({ given: 'x' })
    for (const sub of [1, {}, '\0']) {
      const answer = await withAssertion({ sub })
      expect([answer.status, JSON.parse(answer.body).error]).toEqual([401, 'invalid_client'])
    }
  })

  test('a wrong verifier and another redirect URI in the token request', async () => {
    const fields = { grant_type: 'authorization_code', code: 'x', redirect_uri: CALLBACK }
    const { client_id, client_secret } = demo.web
    await askToken(portal.origin, { ...fields, client_id, client_secret })
    expect(await lastRefusal(client_id)).toMatchObject({
      event: 'token.refused',
      reason: 'code_unknown',
    })
  })

  test('D26: access tokens of the type JWT are still no ID tokens, and the other way round', async () => {
    const browser = new OldBrowser(portal.origin)
    const login = await browser.open(authorizeUrl(webRequest(demo)))
    const consent = await browser.signIn(login, demo.users[0] ?? { email: '', password: '' })
    await browser.submit(consent, { scope: ['orders:read'] })
    expect((await set(demo.web.client_id, { accessTokenType: 'JWT' })).status).toBe(200)
    const { verifier, challenge } = pkcePair()
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await getCode(browser, webRequest(demo, pkce))
    const tokens = JSON.parse((await exchange(portal, code, { code_verifier: verifier })).body)
    expect(decodeProtectedHeader(tokens.access_token).typ).toBe('JWT')
    expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(200)
    expect((await userinfo(portal.origin, tokens.id_token)).status).toBe(401)
    const hint = webRequest(demo, { id_token_hint: tokens.access_token, prompt: 'none' })
    const page = await browser.open(authorizeUrl(hint))
    expect(new URL(page.url).searchParams.get('error')).toBe('invalid_request')
  })

  test('`audience` is accepted as `resource` if the application is set to it', async () => {
    const { client_id, client_secret } = demo.machine
    const asked = { grant_type: 'client_credentials', client_id, client_secret }
    const audience = 'https://unknown.example'
    const before = await askToken(portal.origin, { ...asked, scope: 'orders:read', audience })
    expect(before.status).toBe(200)
    expect((await set(client_id, { audienceParameter: true })).status).toBe(200)
    const after = await askToken(portal.origin, { ...asked, scope: 'orders:read', audience })
    expect([after.status, JSON.parse(after.body).error]).toEqual([400, 'invalid_target'])
  })
})
