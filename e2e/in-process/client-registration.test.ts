import { createServer, type Server } from 'node:http'
import { createLocalJWKSet, decodeJwt, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, machineToken } from '../support/api'
import { type Answer, ask, askToken } from '../support/ask'
import { appsOf } from '../support/connected-apps'
import { consentAt } from '../support/consent-view'
import { usually } from '../support/databases'
import { authorizeUrl, pkcePair, received, userinfo } from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import { OldBrowser } from '../support/old-browser'
import { freePort } from '../support/postgres'
import { clientFetch } from '../support/send'

/** RFC 7591 and 7592; docs/attacks.md, R1 to R8 and from R16 on. */

const CALLBACK = 'https://rp.example/cb'
const NAMELESS = { client_name: undefined }

describe.each(usually('sqlite'))('clients that register themselves on %s', (kind) => {
  let portal: OpenPortal
  let token: string
  let keys: { server: Server; port: number; answer: unknown }

  beforeAll(async () => {
    keys = await serveKeys()
    const env = { OUTBOUND_HOSTS: `localhost:${keys.port}`, TRUSTED_PROXIES: '1' }
    portal = await openPortal({ kind, env })
    token = await machineToken(portal)
  })

  afterAll(async () => {
    await portal.stop()
    keys.server.close()
  })

  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    callApi(portal, token, method, path, body, headers)

  async function set(clientRegistration: object) {
    const { headers } = await call('GET', '/settings')
    const seen = { 'if-match': headers.etag ?? '' }
    return call('PATCH', '/settings', { clientRegistration }, seen)
  }

  async function sendTo(
    method: string,
    path: string,
    body: unknown,
    { bearer, ip = '203.0.113.7' }: { bearer?: string; ip?: string } = {},
  ): Promise<Answer & { json: Record<string, unknown> }> {
    const answer = await ask(portal.origin, {
      method,
      path,
      headers: {
        'x-forwarded-for': ip,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { ...answer, json: answer.body === '' ? {} : JSON.parse(answer.body) }
  }

  const register = (metadata: unknown, how: { bearer?: string; ip?: string } = {}) =>
    sendTo('POST', '/oidc/register', metadata, how)

  const metadata = (more: object = {}) => ({
    redirect_uris: [CALLBACK],
    client_name: 'A outsider',
    ...more,
  })

  const discovery = async () =>
    JSON.parse((await ask(portal.origin, { path: '/.well-known/openid-configuration' })).body)

  test('off by default: refused with its reason, and discovery does not name it', async () => {
    const answer = await register(metadata())
    expect([answer.status, answer.json.error]).toEqual([400, 'registration_not_supported'])
    expect(await discovery()).not.toHaveProperty('registration_endpoint')
  })

  describe('with an initial access token', () => {
    let bearer: string
    let id: string

    beforeAll(async () => {
      expect((await set({ mode: 'token' })).status).toBe(200)
      const made = await call('POST', '/initial-access-tokens', { name: 'Partner', mostUses: 2 })
      expect(made.status).toBe(201)
      bearer = made.json.token
      id = made.json.id
    })

    test('discovery names the endpoint, and the token is never shown again', async () => {
      expect((await discovery()).registration_endpoint).toBe(`${portal.origin}/oidc/register`)
      const { json, raw } = await call('GET', '/initial-access-tokens')
      expect(json.data).toMatchObject([{ id, name: 'Partner', mostUses: 2, uses: 0 }])
      expect(raw).not.toContain(bearer)
    })

    test('R1: without a token, with a wrong one, or a client secret for one, nobody registers', async () => {
      for (const wrong of [undefined, 'ghit_wrong', portal.demo().machine.client_secret]) {
        const answer = await register(metadata(), wrong ? { bearer: wrong } : {})
        expect([answer.status, answer.json.error]).toEqual([401, 'invalid_token'])
        expect(answer.headers['www-authenticate']).toContain('error="invalid_token"')
      }
    })

    test('R1: a refused registration does not use it up; two parallel ones do, a third is refused', async () => {
      const refused = await register(metadata({ redirect_uris: ['https://*.example/'] }), {
        bearer,
      })
      expect([refused.status, refused.json.error]).toEqual([400, 'invalid_redirect_uri'])
      const answers = await Promise.all([1, 2, 3, 4].map(() => register(metadata(), { bearer })))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 401, 401])
      const { json } = await call('GET', '/initial-access-tokens')
      expect(json.data[0]).toMatchObject({ uses: 2 })
    })

    test('a revoked token registers nobody', async () => {
      const made = await call('POST', '/initial-access-tokens', { name: 'Short', mostUses: 5 })
      const gone = await call('DELETE', `/initial-access-tokens/${made.json.id}`)
      expect(gone.status).toBe(204)
      expect((await register(metadata(), { bearer: made.json.token })).status).toBe(401)
      expect((await call('DELETE', `/initial-access-tokens/${made.json.id}`)).status).toBe(404)
    })
  })

  describe('open', () => {
    beforeAll(async () => {
      expect((await set({ mode: 'open', perNetwork: 1_000 })).status).toBe(200)
    })

    test('the answer has everything that was registered, and the secret only once', async () => {
      const { status, json, headers } = await register(
        metadata({
          scope: 'openid email orders:read users:write',
          contacts: ['ann@rp.example'],
          logo_uri: 'https://rp.example/logo.png',
          initiate_login_uri: 'https://rp.example/login',
          default_max_age: 3600,
          require_auth_time: true,
          token_endpoint_auth_signing_alg: 'ES256',
          userinfo_signed_response_alg: 'RS256',
          backchannel_logout_session_required: true,
          request_uris: ['https://rp.example/request.jwt'],
        }),
      )
      expect(status).toBe(201)
      expect(headers['cache-control']).toBe('no-store')
      expect(json).toEqual({
        client_id: expect.stringMatching(/^app_/),
        client_id_issued_at: expect.any(Number),
        client_secret: expect.stringMatching(/^ghcs_/),
        client_secret_expires_at: 0,
        registration_access_token: expect.stringMatching(/^ghrg_/),
        registration_client_uri: `${portal.origin}/oidc/register/${json.client_id}`,
        application_type: 'web',
        client_name: 'A outsider',
        redirect_uris: [CALLBACK],
        post_logout_redirect_uris: [],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
        id_token_signed_response_alg: 'RS256',
        initiate_login_uri: 'https://rp.example/login',
        default_max_age: 3600,
        require_auth_time: true,
        token_endpoint_auth_signing_alg: 'ES256',
        userinfo_signed_response_alg: 'RS256',
        backchannel_logout_session_required: true,
        request_uris: [],
        subject_type: 'public',
        scope: 'openid email',
        contacts: ['ann@rp.example'],
        logo_uri: 'https://rp.example/logo.png',
      })
      const { json: application } = await call('GET', `/applications/${json.client_id}`)
      expect(application).toMatchObject({
        registration: 'dynamic',
        owner: null,
        publisherVerified: false,
        scopeLimit: ['openid', 'email'],
        pkce: 'required',
        kind: 'web',
        initiateLoginUri: 'https://rp.example/login',
        defaultMaxAge: 3600,
        requireAuthTime: true,
        assertionAlg: 'ES256',
        userinfoAlg: 'RS256',
      })
      const audit = await call('GET', `/audit-events?targetId=${json.client_id}`)
      expect(audit.json.data[0]).toMatchObject({ event: 'registration.created' })
      expect(audit.raw).not.toContain(String(json.client_secret))
      expect(audit.raw).not.toContain(String(json.registration_access_token))
    })

    test.each<[string, object, string]>([
      ['a wildcard', { redirect_uris: ['https://*.example/cb'] }, 'invalid_redirect_uri'],
      ['a fragment', { redirect_uris: ['https://rp.example/#x'] }, 'invalid_redirect_uri'],
      ['plain http', { redirect_uris: ['http://rp.example/cb'] }, 'invalid_redirect_uri'],
      ['javascript:', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      ['a private address', { redirect_uris: ['https://10.0.0.1/cb'] }, 'invalid_redirect_uri'],
      ['link-local', { redirect_uris: ['https://169.254.169.254/'] }, 'invalid_redirect_uri'],
      ['a loopback of IPv6', { redirect_uris: ['https://[::1]/cb'] }, 'invalid_redirect_uri'],
      ['a name of the network', { redirect_uris: ['https://intranet/cb'] }, 'invalid_redirect_uri'],
      ['an internal name', { redirect_uris: ['https://a.internal/cb'] }, 'invalid_redirect_uri'],
      ['.local with a dot', { redirect_uris: ['https://nas.local./'] }, 'invalid_redirect_uri'],
      [
        'localhost of a web client',
        { redirect_uris: ['http://localhost/'], application_type: 'web' },
        'invalid_redirect_uri',
      ],
      ['no addresses', { redirect_uris: [] }, 'invalid_redirect_uri'],
      ['addresses that are none', { redirect_uris: [7] }, 'invalid_redirect_uri'],
      [
        'a private logout address',
        { post_logout_redirect_uris: ['https://10.0.0.1/'] },
        'invalid_client_metadata',
      ],
      [
        'keys inside',
        { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://127.0.0.1/' },
        'invalid_client_metadata',
      ],
      [
        'back-channel inside',
        { backchannel_logout_uri: 'https://192.168.1.1/' },
        'invalid_client_metadata',
      ],
    ])('R2: %s in the addresses is refused', async (_what, more, error) => {
      const { status, json } = await register(metadata(more))
      expect([status, json.error]).toEqual([400, error])
      expect(json.error_description).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
    })

    test.each<[string, object]>([
      ['client_credentials', { grant_types: ['authorization_code', 'client_credentials'] }],
      ['implicit', { grant_types: ['implicit', 'authorization_code'] }],
      ['__proto__', { grant_types: ['__proto__'] }],
      ['no code', { grant_types: ['refresh_token'] }],
      ['id_token', { response_types: ['id_token'] }],
      ['only scopes of the portal', { scope: 'users:write applications:write' }],
      ['no signature', { id_token_signed_response_alg: 'none' }],
      ['pairwise', { subject_type: 'pairwise' }],
      ['a sector', { sector_identifier_uri: 'https://rp.example/sector' }],
      ['userinfo without a signature', { userinfo_signed_response_alg: 'none' }],
      ['a sign-in that starts over http', { initiate_login_uri: 'http://rp.example/login' }],
      ['a sign-in that starts inside', { initiate_login_uri: 'https://10.0.0.1/' }],
      ['a time since the sign-in below zero', { default_max_age: -1 }],
      ['mutual TLS', { token_endpoint_auth_method: 'tls_client_auth' }],
      ['no keys', { token_endpoint_auth_method: 'private_key_jwt' }],
      ['the name of the portal', { client_name: 'gateHouse' }],
      ['a turned name', { client_name: 'A\u202Etxt.exe' }],
      ['a script for a logo', { logo_uri: 'javascript:alert(1)' }],
      ['a policy over http', { policy_uri: 'http://rp.example/' }],
    ])('R3: %s is refused as client metadata', async (_what, more) => {
      const { status, json } = await register(metadata(more))
      expect([status, json.error]).toEqual([400, 'invalid_client_metadata'])
      expect(json.error_description).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
    })

    test.each<[string, unknown]>([
      ['request_object_signing_alg', 'RS256'],
      ['request_object_encryption_alg', 'RSA-OAEP'],
      ['id_token_encrypted_response_alg', 'RSA-OAEP'],
      ['id_token_encrypted_response_enc', 'A128GCM'],
      ['userinfo_encrypted_response_alg', 'RSA-OAEP'],
      ['userinfo_encrypted_response_enc', 'A128GCM'],
      ['default_acr_values', ['mfa']],
      ['frontchannel_logout_uri', 'https://rp.example/out'],
      ['require_pushed_authorization_requests', true],
      ['dpop_bound_access_tokens', true],
      ['tls_client_certificate_bound_access_tokens', true],
      ['authorization_signed_response_alg', 'RS256'],
    ])('R3: %s, which the portal does not do, is refused by name', async (member, value) => {
      const { status, json } = await register(metadata({ [member]: value }))
      expect([status, json.error]).toEqual([400, 'invalid_client_metadata'])
      expect(json.error_description).toMatch(new RegExp(`^${member}: `))
    })

    test.each<[string, object]>([
      ['more than the name of the portal', { client_name: 'Gatehouse Security' }],
      ['the name in parts', { client_name: 'The gate-house' }],
      ['the name with an accent', { client_name: 'Gátehouse' }],
      ['a letter of another alphabet', { client_name: 'Gаtehouse' }],
      ['a letter that looks like one of it', { client_name: 'Gɑtehouse' }],
      ['a small capital', { client_name: 'ɢatehouse' }],
      ['a digit for a letter', { client_name: 'G4tehouse' }],
      ['a mark', { client_name: 'Contoso ✔' }],
      ['a claim of being verified', { client_name: 'Contoso (verified)' }],
      ['an address', { client_name: 'portal.example/login' }],
      ['the name in its host', { ...NAMELESS, redirect_uris: ['https://gatehouse.evil.example/'] }],
    ])('R20: a name that looks like the portal: %s', async (_what, more) => {
      const { status, json } = await register(metadata(more))
      expect([status, json.error]).toEqual([400, 'invalid_client_metadata'])
    })

    test('R20: what follows a private scheme is not shown as a host', async () => {
      const sent = {
        redirect_uris: ['com.evil.app://portal.example/cb'],
        token_endpoint_auth_method: 'none',
      }
      const { status, json } = await register(sent)
      expect([status, json.client_name]).toEqual([201, 'com.evil.app:'])
    })

    test.each<[string, unknown, number, string]>([
      ['no JSON', '{', 400, 'invalid_client_metadata'],
      ['a list', [], 400, 'invalid_client_metadata'],
      ['too much', { ...metadata(), contacts: ['x'.repeat(70_000)] }, 413, 'invalid_request'],
      [
        'too many addresses',
        metadata({ redirect_uris: Array(21).fill(CALLBACK) }),
        400,
        'invalid_redirect_uri',
      ],
    ])('R3: %s is refused as a body', async (_what, body, status, error) => {
      const answer = await register(body)
      expect([answer.status, answer.json.error]).toEqual([status, error])
    })

    test('another content type, another method', async () => {
      const form = await ask(portal.origin, {
        method: 'POST',
        path: '/oidc/register',
        headers: { 'content-type': 'text/plain' },
        body: JSON.stringify(metadata()),
      })
      expect(form.status).toBe(400)
      const read = await ask(portal.origin, { path: '/oidc/register' })
      expect([read.status, read.headers.allow]).toEqual([405, 'POST, OPTIONS'])
    })

    test('a public client on this machine is native: its port is free', async () => {
      const sent = {
        redirect_uris: ['http://127.0.0.1/cb', 'com.example.app:/cb'],
        token_endpoint_auth_method: 'none',
      }
      const { status, json } = await register(sent)
      expect(status).toBe(201)
      expect(json).toMatchObject({ application_type: 'native', client_name: '127.0.0.1' })
      expect(json).not.toHaveProperty('client_secret')
      const fields = {
        client_id: String(json.client_id),
        redirect_uri: 'http://127.0.0.1:43210/cb',
        response_type: 'code',
        scope: 'openid',
        code_challenge_method: 'S256',
        code_challenge: pkcePair().challenge,
      }
      expect((await ask(portal.origin, { path: authorizeUrl(fields) })).headers.location).toMatch(
        /^\/login/,
      )
    })

    test('one with a secret is native too, at the port that it registered', async () => {
      const { status, json } = await register({ redirect_uris: ['http://localhost:8090/cb'] })
      expect(status).toBe(201)
      expect(json).toMatchObject({
        application_type: 'native',
        token_endpoint_auth_method: 'client_secret_basic',
        client_secret: expect.any(String),
      })
      const landing = async (port: number) => {
        const redirect_uri = `http://localhost:${port}/cb`
        const asked = { ...requestOf(String(json.client_id)), redirect_uri }
        return (await ask(portal.origin, { path: authorizeUrl(asked) })).status
      }
      expect([await landing(8090), await landing(8091)]).toEqual([303, 400])
    })

    test('R4: a client gets the scopes that the settings allow, and no others, with and without a user', async () => {
      const widened = await set({ scopes: ['openid', 'email', 'orders:read'] })
      expect(widened.status).toBe(200)
      const { json: client } = await register(
        metadata({
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'client_secret_post',
        }),
      )
      const login = {
        client_id: String(client.client_id),
        client_secret: String(client.client_secret),
      }
      const alone = await askToken(portal.origin, {
        grant_type: 'client_credentials',
        scope: 'orders:read',
        ...login,
      })
      expect([alone.status, JSON.parse(alone.body).error]).toEqual([400, 'unauthorized_client'])
      const tokens = await signIn(
        portal,
        login,
        'openid profile email groups orders:read orders:write',
      )
      expect(new Set(tokens.scope.split(' '))).toEqual(new Set(['openid', 'email', 'orders:read']))
      await set({ scopes: ['openid', 'profile', 'email'] })
    })

    describe('claims asked for by name', () => {
      const claims = JSON.stringify({ userinfo: { name: null } })
      const named = { claims, prompt: 'none' }

      async function connected(scopes: string[]) {
        expect((await set({ scopes })).status).toBe(200)
        const sent = metadata({ token_endpoint_auth_method: 'client_secret_post' })
        const { json: client } = await register(sent)
        const id = String(client.client_id)
        const login = { client_id: id, client_secret: String(client.client_secret) }
        const page = await consentPage(portal, id)
        expect(received(await page.browser.submit(page, {}))).toHaveProperty('code')
        const { browser } = page
        const open = (more: object) => browser.open(authorizeUrl({ ...requestOf(id), ...more }))
        const told = async (code = '') => {
          const { access_token } = await tokensFor(portal, login, code)
          return JSON.parse((await userinfo(portal.origin, access_token)).body)
        }
        return { id, browser, open, told }
      }

      test('B29: nothing beyond the scopes that outsiders may have, and no question', async () => {
        const { open, told } = await connected(['openid'])
        const { code } = received(await open(named))
        expect(await told(code)).toEqual({ sub: 'usr_demo_alice' })
      })

      test('B29: the user is asked, the answer is remembered, and can be taken back', async () => {
        const { id, browser, open, told } = await connected(['openid', 'profile'])
        expect(received(await open(named))).toMatchObject({ error: 'consent_required' })
        const page = await open({ claims })
        expect((await consentAt(portal, browser, page)).signIn).toEqual(['openid', 'profile'])
        const { code } = received(await browser.submit(page, {}))
        const full = { sub: 'usr_demo_alice', name: 'Alice Clerk' }
        expect(await told(code)).toEqual(full)
        expect(await told(received(await open(named)).code)).toEqual(full)
        expect(await told(received(await open({ prompt: 'none' })).code)).toEqual({ sub: full.sub })
        expect(await appsOf(portal, browser).choose(id, ['openid'])).toBe(true)
        expect(await told(received(await open(named)).code)).toEqual({ sub: full.sub })
      })

      afterAll(() => set({ scopes: ['openid', 'profile', 'email'] }))
    })

    describe('what a client registered is kept to', () => {
      async function connected(more: object) {
        const sent = metadata({ token_endpoint_auth_method: 'client_secret_post', ...more })
        const { json: client } = await register(sent)
        const id = String(client.client_id)
        const page = await consentPage(portal, id)
        const login = { client_id: id, client_secret: String(client.client_secret) }
        const { code } = received(await page.browser.submit(page, {}))
        const tokens = await tokensFor(portal, login, code)
        return { client, id, browser: page.browser, tokens }
      }

      test('default_max_age, unless the request says max_age; auth_time is in the ID token', async () => {
        const { id, browser, tokens } = await connected({ default_max_age: 300 })
        expect(decodeJwt(tokens.id_token).auth_time).toEqual(expect.any(Number))
        const asked = (more: object) =>
          browser.open(authorizeUrl({ ...requestOf(id), prompt: 'none', ...more }))
        expect(received(await asked({}))).toHaveProperty('code')
        portal.moveClock(301_000)
        expect(received(await asked({}))).toMatchObject({ error: 'login_required' })
        expect(received(await asked({ max_age: '3600' }))).toHaveProperty('code')
      })

      test('userinfo_signed_response_alg: a JWT for this client, which is no token of another kind', async () => {
        const alg = 'ES256'
        const { id, browser, tokens } = await connected({ userinfo_signed_response_alg: alg })
        const { status, headers, body } = await userinfo(portal.origin, tokens.access_token)
        expect([status, headers['content-type']]).toEqual([200, 'application/jwt'])
        expect(headers['cache-control']).toBe('no-store')
        const { jwks_uri, userinfo_signing_alg_values_supported: offered } = await discovery()
        expect(offered).toEqual(['RS256', 'ES256'])
        const path = new URL(jwks_uri).pathname
        const keySet = JSON.parse((await ask(portal.origin, { path })).body)
        const expected = { issuer: portal.origin, audience: id, algorithms: [alg] }
        const { payload } = await jwtVerify(body, createLocalJWKSet(keySet), expected)
        expect(payload).toEqual({ iss: portal.origin, aud: id, sub: 'usr_demo_alice' })
        const hinted = { ...requestOf(id), id_token_hint: body, prompt: 'none' }
        expect(received(await browser.open(authorizeUrl(hinted)))).toMatchObject({
          error: 'invalid_request',
        })
        expect((await userinfo(portal.origin, body)).status).toBe(401)
      })

      test('initiate_login_uri: users open it from their applications, which a pause hides', async () => {
        const uri = 'https://rp.example/login?from=portal'
        const { id, browser } = await connected({ initiate_login_uri: uri })
        const apps = appsOf(portal, browser)
        const iss = encodeURIComponent(portal.origin)
        expect((await apps.find(id))?.opensAt).toBe(`${uri}&iss=${iss}`)
        await apps.pause(id)
        expect((await apps.find(id))?.opensAt).toBeNull()
        await apps.resume(id)
        await call('PATCH', `/applications/${id}`, { enabled: false }, { 'if-match': '*' })
        expect((await apps.find(id))?.opensAt).toBeNull()
      })

      test('R17: it cannot lead users to another host later', async () => {
        const uri = 'https://rp.example/login'
        const { client, id, browser } = await connected({ initiate_login_uri: uri })
        const put = (initiate_login_uri: string) => {
          const next = metadata({
            token_endpoint_auth_method: 'client_secret_post',
            client_id: id,
            initiate_login_uri,
          })
          const bearer = String(client.registration_access_token)
          return sendTo('PUT', `/oidc/register/${id}`, next, { bearer })
        }
        expect((await put('https://rp.example/other')).status).toBe(200)
        expect((await appsOf(portal, browser).find(id))?.opensAt).toContain('/other')
        expect((await put('https://evil.example/')).status).toBe(200)
        expect(await appsOf(portal, browser).find(id)).toBeUndefined()
      })

      test('R16: what an admin set instead stays', async () => {
        const said = { initiate_login_uri: 'https://rp.example/login', default_max_age: 3600 }
        const { json: client } = await register(metadata(said))
        const fields = { initiateLoginUri: null, defaultMaxAge: 60, assertionAlg: 'ES256' }
        const path = `/applications/${client.client_id}`
        expect((await call('PATCH', path, fields, { 'if-match': '*' })).status).toBe(200)
        const next = metadata({ ...said, default_max_age: 7200, client_id: client.client_id })
        const bearer = String(client.registration_access_token)
        for (let times = 0; times < 2; times += 1) {
          const { status, json } = await sendTo('PUT', `/oidc/register/${client.client_id}`, next, {
            bearer,
          })
          expect(status).toBe(200)
          expect(json).toMatchObject({
            default_max_age: 60,
            token_endpoint_auth_signing_alg: 'ES256',
          })
          expect(json).not.toHaveProperty('initiate_login_uri')
        }
      })
    })

    describe('a link to the portal is no link to anywhere', () => {
      let id: string
      const asked = (more: Record<string, string>) => ({ ...requestOf(id), ...more })
      const end = () => {
        const fields = { client_id: id, post_logout_redirect_uri: CALLBACK, state: 's' }
        return `/oidc/session/end?${new URLSearchParams(fields)}`
      }

      beforeAll(async () => {
        const sent = metadata({ post_logout_redirect_uris: [CALLBACK] })
        id = String((await register(sent)).json.client_id)
      })

      test.each<[string, Record<string, string>, string]>([
        ['a mistake', { response_type: 'token' }, 'unsupported_response_type'],
        ['a scope that is none', { scope: '"' }, 'invalid_scope'],
        ['more than silence', { prompt: 'none login' }, 'invalid_request'],
      ])(
        'R21: %s leads to a page of the portal, with the host and a choice',
        async (_what, more, error) => {
          const fields = asked({ ...more, state: 'x"y' })
          const body = new URLSearchParams(fields)
          for (const page of [
            await new OldBrowser(portal.origin).open(authorizeUrl(fields)),
            await new OldBrowser(portal.origin).open('/oidc/auth', { method: 'POST', body }),
          ]) {
            expect([page.status, new URL(page.url).origin]).toEqual([400, portal.origin])
            expect(page.html).toContain('Continue to rp.example')
            const [, href = ''] = /<a class="button" href="([^"]+)"/.exec(page.html) ?? []
            const onward = new URL(href.replaceAll('&amp;', '&'))
            expect(onward.origin + onward.pathname).toBe(CALLBACK)
            expect(Object.fromEntries(onward.searchParams)).toMatchObject({ error, state: 'x"y' })
          }
        },
      )

      test.each<[string, Record<string, string>, string]>([
        ['nobody is signed in', {}, 'login_required'],
        ['there is a mistake', { response_type: 'token' }, 'unsupported_response_type'],
      ])(
        'R21: silence is answered without a page, as OpenID Connect Core §3.1.2.6 asks: %s',
        async (_what, more, error) => {
          const fields = asked({ ...more, prompt: 'none', state: 's' })
          const body = new URLSearchParams(fields)
          for (const back of [
            await new OldBrowser(portal.origin).open(authorizeUrl(fields)),
            await new OldBrowser(portal.origin).open('/oidc/auth', { method: 'POST', body }),
          ]) {
            expect(received(back)).toMatchObject({ error, state: 's', iss: portal.origin })
            expect(back.url.startsWith(CALLBACK)).toBe(true)
          }
        },
      )

      test('R21: silence that is asked for twice is not silence', async () => {
        const twice = `${authorizeUrl(asked({ prompt: 'none' }))}&prompt=none`
        const page = await new OldBrowser(portal.origin).open(twice)
        expect([page.status, new URL(page.url).origin]).toEqual([400, portal.origin])
      })

      test('R21: a form that submits itself is not sent either', async () => {
        const fields = asked({ response_type: 'token', response_mode: 'form_post' })
        const { status, body } = await ask(portal.origin, { path: authorizeUrl(fields) })
        expect([status, body]).toEqual([400, expect.not.stringContaining('<form')])
      })

      test('R21: the error page does not invite to it', async () => {
        const fields = asked({ redirect_uri: 'https://evil.example/' })
        const { status, body } = await ask(portal.origin, { path: authorizeUrl(fields) })
        expect([status, body]).toEqual([400, expect.not.stringContaining('rp.example')])
      })

      test('R21: to a user who is signed in, and to an application that is verified, nothing changes', async () => {
        const { browser } = await consentPage(portal, id)
        const mistaken = authorizeUrl(asked({ response_type: 'token' }))
        const back = received(await browser.open(mistaken))
        expect(back).toMatchObject({ error: 'unsupported_response_type' })
        const silent = await browser.open(authorizeUrl(asked({ prompt: 'none' })))
        expect(received(silent)).toMatchObject({ error: 'consent_required' })
        const verified = { publisher: 'A partner', publisherVerified: true }
        const answer = await call('PATCH', `/applications/${id}`, verified, { 'if-match': '*' })
        expect(answer.status).toBe(200)
        for (const path of [mistaken, end()]) {
          const { status, headers } = await ask(portal.origin, { path })
          expect([status, headers.location]).toEqual([
            303,
            expect.stringMatching(/^https:\/\/rp\./),
          ])
        }
      })
    })

    test('R4: the portal’s own scopes cannot be offered to outsiders, nor scopes that nobody made', async () => {
      for (const scope of ['users:write', 'no:such']) {
        const answer = await set({ scopes: ['openid', scope] })
        expect([answer.status, answer.json.errors[0].pointer]).toEqual([
          400,
          '/clientRegistration/scopes/1',
        ])
      }
    })

    test('redirect hosts of the settings: exact, or everything below', async () => {
      await set({ redirectHosts: ['app.example.com', '*.corp.example', 'intranet'] })
      const tried = {
        'https://app.example.com/cb': 201,
        'https://x.corp.example/cb': 201,
        'https://intranet/cb': 201,
        'https://corp.example/cb': 400,
        'https://evil-corp.example/cb': 400,
        'https://app.example.com.evil.example/cb': 400,
        'https://app.example.com@evil.example/cb': 400,
      }
      for (const [uri, status] of Object.entries(tried)) {
        const answer = await register(metadata({ redirect_uris: [uri] }))
        expect([uri, answer.status]).toEqual([uri, status])
      }
      await set({ redirectHosts: [] })
    })

    test('a library registers with it and signs nobody in as somebody else', async () => {
      const issuer = new URL(portal.origin)
      const insecure = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: clientFetch }
      const as = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, insecure),
      )
      const response = await oauth.dynamicClientRegistrationRequest(
        as,
        { redirect_uris: [CALLBACK], client_name: 'By a library' },
        insecure,
      )
      const client = await oauth.processDynamicClientRegistrationResponse(response)
      expect(client.client_secret).toMatch(/^ghcs_/)
    })

    describe('RFC 7592', () => {
      const at = (client: Record<string, unknown>) => `/oidc/register/${client.client_id}`
      const own = (client: Record<string, unknown>) => ({
        bearer: String(client.registration_access_token),
      })

      test('reads, replaces and deletes with its token', async () => {
        const { json: client } = await register(metadata({ contacts: ['a@rp.example'] }))
        const { client_secret: _s, client_secret_expires_at: _e, ...rest } = client
        expect((await sendTo('GET', at(client), undefined, own(client))).json).toEqual(rest)
        const next = metadata({
          client_id: client.client_id,
          client_name: 'Another name',
          redirect_uris: ['https://rp.example/other'],
        })
        const put = await sendTo('PUT', at(client), next, own(client))
        expect(put.status).toBe(200)
        expect(put.json).toMatchObject({
          client_name: 'Another name',
          redirect_uris: ['https://rp.example/other'],
        })
        expect(put.json).not.toHaveProperty('contacts')
        const gone = await sendTo('DELETE', at(client), undefined, own(client))
        expect([gone.status, gone.body]).toEqual([204, ''])
        expect((await sendTo('GET', at(client), undefined, own(client))).status).toBe(401)
        const refused = await ask(portal.origin, {
          path: authorizeUrl({ client_id: String(client.client_id) }),
        })
        expect(refused.status).toBe(400)
      })

      test('R5: no token, another client’s token, an unknown client: the same answer', async () => {
        const { json: one } = await register(metadata())
        const { json: other } = await register(metadata())
        const answers = await Promise.all([
          sendTo('GET', at(one), undefined),
          sendTo('GET', at(one), undefined, own(other)),
          sendTo('DELETE', at(one), undefined, own(other)),
          sendTo('PUT', at(one), metadata({ client_id: one.client_id }), own(other)),
          sendTo('GET', '/oidc/register/app_unknown', undefined, own(one)),
          sendTo('GET', `/oidc/register/${portal.demo().web.client_id}`, undefined, own(one)),
        ])
        for (const { status, json } of answers)
          expect([status, json.error]).toEqual([401, 'invalid_token'])
        expect((await sendTo('GET', at(one), undefined, own(one))).status).toBe(200)
      })

      test('R5: replacing never widens: scopes stay within what the client has now', async () => {
        const { json: client } = await register(metadata({ scope: 'openid email' }))
        const path = `/applications/${client.client_id}`
        const { headers } = await call('GET', path)
        const seen = { 'if-match': headers.etag ?? '' }
        expect((await call('PATCH', path, { scopeLimit: ['openid'] }, seen)).status).toBe(200)
        const next = metadata({ client_id: client.client_id, scope: 'openid email profile' })
        const put = await sendTo('PUT', at(client), next, own(client))
        expect([put.status, put.json.scope]).toEqual([200, 'openid'])
      })

      test('R16: an address and a grant type that an admin took away stay away', async () => {
        const [one, two, three] = ['/1', '/2', '/3'].map((path) => `https://rp.example${path}`)
        const said = {
          redirect_uris: [one, two],
          grant_types: ['authorization_code', 'refresh_token'],
        }
        const { json: client } = await register(metadata(said))
        const fields = { redirectUris: [one], grantTypes: ['authorization_code'] }
        const any = { 'if-match': '*' }
        const path = `/applications/${client.client_id}`
        expect((await call('PATCH', path, fields, any)).status).toBe(200)
        const put = (redirect_uris: unknown[]) => {
          const next = metadata({ ...said, client_id: client.client_id, redirect_uris })
          return sendTo('PUT', at(client), next, own(client))
        }
        for (const uris of [
          [one, three],
          [one, two, three],
        ]) {
          const { status, json } = await put(uris)
          expect([status, json.redirect_uris]).toEqual([200, [one, three]])
          expect(json.grant_types).toEqual(['authorization_code'])
        }
        const { status, json } = await put([two])
        expect([status, json.error]).toEqual([400, 'invalid_redirect_uri'])
      })

      test('R17: a leaked token sends nobody’s codes elsewhere: users are asked again', async () => {
        const sent = metadata({ token_endpoint_auth_method: 'client_secret_post' })
        const { json: client } = await register(sent)
        const page = await consentPage(portal, String(client.client_id))
        expect(received(await page.browser.submit(page, {}))).toHaveProperty('code')
        const moved = async (redirect_uri: string) => {
          const next = { ...sent, client_id: client.client_id, redirect_uris: [redirect_uri] }
          expect((await sendTo('PUT', at(client), next, own(client))).status).toBe(200)
          const asked = { ...requestOf(String(client.client_id)), redirect_uri, prompt: 'none' }
          return received(await page.browser.open(authorizeUrl(asked)))
        }
        expect(await moved('https://rp.example/other')).toHaveProperty('code')
        expect(await moved('https://evil.example/cb')).toMatchObject({ error: 'consent_required' })
        expect(await moved(CALLBACK)).toMatchObject({ error: 'consent_required' })
        const audit = await call('GET', `/audit-events?targetId=${client.client_id}`)
        expect(audit.raw).toContain('"consentsEnded":1')
      })

      test.each<[string, object]>([
        ['name', { client_name: 'Contoso Payroll' }],
        ['logo', { logo_uri: 'https://rp.example/other.png' }],
      ])(
        'R41: with another %s it is another application to users: they are asked again',
        async (_what, more) => {
          const sent = metadata({
            token_endpoint_auth_method: 'client_secret_post',
            logo_uri: 'https://rp.example/logo.png',
          })
          const { json: client } = await register(sent)
          const page = await consentPage(portal, String(client.client_id))
          expect(received(await page.browser.submit(page, {}))).toHaveProperty('code')
          const replaced = async (how: object) => {
            const next = { ...sent, client_id: client.client_id, ...how }
            expect((await sendTo('PUT', at(client), next, own(client))).status).toBe(200)
            const asked = { ...requestOf(String(client.client_id)), prompt: 'none' }
            return received(await page.browser.open(authorizeUrl(asked)))
          }
          expect(await replaced({ contacts: ['ann@rp.example'] })).toHaveProperty('code')
          expect(await replaced(more)).toMatchObject({ error: 'consent_required' })
        },
      )

      test.each<[string, object]>([
        ['another client_id', { client_id: 'app_other' }],
        ['a secret that it does not have', { client_secret: 'ghcs_wrong' }],
        ['its token', { registration_access_token: 'x' }],
        ['another kind', { application_type: 'native' }],
      ])('R5: %s in the body is refused', async (_what, more) => {
        const { json: client } = await register(metadata())
        const body = { ...metadata({ client_id: client.client_id }), ...more }
        const put = await sendTo('PUT', at(client), body, own(client))
        expect([put.status, put.json.error]).toEqual([400, 'invalid_client_metadata'])
      })

      test('R5: a client that an admin disabled cannot change itself', async () => {
        const { json: client } = await register(metadata())
        const path = `/applications/${client.client_id}`
        const { headers } = await call('GET', path)
        await call('PATCH', path, { enabled: false }, { 'if-match': headers.etag ?? '' })
        expect((await sendTo('GET', at(client), undefined, own(client))).status).toBe(401)
      })
    })

    describe('software statements', () => {
      const issuer = 'https://directory.example'
      let sign: (claims: object, by?: CryptoKey) => Promise<string>

      beforeAll(async () => {
        const { publicKey, privateKey } = await generateKeyPair('ES256')
        keys.answer = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] }
        sign = (claims, by = privateKey) =>
          new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(by)
      })

      test('R6: unsigned, of an outsider, or signed with another key', async () => {
        const statement = await sign({ iss: issuer, client_name: 'Approved' })
        const outsider = await register(metadata({ software_statement: statement }))
        expect(outsider.json.error).toBe('unapproved_software_statement')
        const jwksUri = 'https://directory.example/jwks'
        await set({ softwareIssuers: [{ issuer, jwksUri }], requireStatement: true })
        const none = await register(metadata())
        expect(none.json.error).toBe('invalid_software_statement')
        const text = await register(metadata({ software_statement: 'x' }))
        expect(text.json.error).toBe('invalid_software_statement')
        await set({ softwareIssuers: [], requireStatement: false })
      })
    })

    test('R7: a flood from one network is stopped with 429, others still register; the total has an end', async () => {
      await set({ perNetwork: 3 })
      const flood = []
      for (let i = 0; i < 6; i += 1) flood.push(await register(metadata(), { ip: '198.51.100.9' }))
      expect(flood.map(({ status }) => status)).toEqual([201, 201, 201, 429, 429, 429])
      expect(Number(flood[5]?.headers['retry-after'])).toBeGreaterThan(0)
      expect((await register(metadata(), { ip: '198.51.100.10' })).status).toBe(201)
      await set({ most: 1 })
      const full = await register(metadata(), { ip: '198.51.100.11' })
      expect([full.status, full.json.error]).toEqual([503, 'temporarily_unavailable'])
      await set({ most: 1_000, perNetwork: 1_000 })
    })

    test('R8: configuration as code never prunes what registered itself', async () => {
      const { json } = await register(metadata())
      const file = { version: 1, prune: ['applications'] }
      const { raw, status } = await call('POST', '/configuration?dryRun=true', file)
      expect(status).toBe(200)
      expect(raw).toContain(`- application ${portal.demo().web.client_id}`)
      expect(raw).not.toContain(String(json.client_id))
    })
  })
})

async function serveKeys() {
  const port = await freePort()
  const served = { port, answer: { keys: [] } as unknown }
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(served.answer))
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return Object.assign(served, { server })
}

const { verifier, challenge } = pkcePair()

function requestOf(client_id: string, scope = 'openid') {
  return {
    client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
}

async function consentPage(portal: OpenPortal, client_id: string, scope = 'openid') {
  const browser = new OldBrowser(portal.origin)
  const login = await browser.open(authorizeUrl(requestOf(client_id, scope)))
  const [alice = { email: '', password: '' }] = portal.demo().users
  return Object.assign(await browser.signIn(login, alice), { browser })
}

async function signIn(
  portal: OpenPortal,
  login: { client_id: string; client_secret: string },
  scope: string,
) {
  const page = await consentPage(portal, login.client_id, scope)
  const back = await page.browser.submit(page, { scope: ['orders:read'] })
  return tokensFor(portal, login, received(back).code)
}

async function tokensFor(
  portal: OpenPortal,
  login: { client_id: string; client_secret: string },
  code = '',
) {
  const answer = await askToken(portal.origin, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    ...login,
  })
  expect([answer.status, answer.body]).toEqual([200, expect.any(String)])
  return JSON.parse(answer.body)
}
