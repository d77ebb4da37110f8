import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Demo } from '../../lib/operations/demo'
import { ADMIN_SCOPES, type ApiAnswer, callApi, machineToken, sessionOf } from '../support/api'
import { askToken, type Fields } from '../support/ask'
import { freshDatabase, KINDS } from '../support/databases'
import {
  authorizeUrl,
  exchange,
  getCode,
  received,
  refresh,
  userinfo,
  webRequest,
} from '../support/flow'
import { OldBrowser } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'
import { freePort } from '../support/postgres'

/** The portal's own objects: applications, secrets, grants, access keys, users, groups, audit. */

const ANY = { 'if-match': '*' }

describe.each(KINDS)('/api/v1 objects on %s', (kind) => {
  let portal: Portal
  let demo: Demo
  let token: string
  let owner: Fields
  const told: Told = { bodies: [], port: 0, close: () => undefined }

  beforeAll(async () => {
    Object.assign(told, await startReceiver())
    const DATABASE_URL = await freshDatabase[kind]()
    const OUTBOUND_HOSTS = `localhost:${told.port}`
    portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL, OUTBOUND_HOSTS } })
    demo = portal.demo()
    token = await machineToken(portal, ADMIN_SCOPES)
    owner = await sessionOf(portal, demo.admin)
  })

  afterAll(async () => {
    told.close()
    await portal.stop()
  })

  const call = (method: string, path: string, body?: unknown, headers?: Fields) =>
    callApi(portal, token, method, path, body, headers)
  const as = (who: Fields, method: string, path: string, body?: unknown, headers?: Fields) =>
    callApi(portal, who, method, path, body, headers)

  async function read(path: string) {
    const answer = await call('GET', path)
    expect(answer.status).toBe(200)
    return answer
  }

  /** Changes what is there, having seen it. */
  async function changed(
    method: string,
    path: string,
    body?: unknown,
    who: string | Fields = token,
  ) {
    const seen = await read(path)
    return callApi(portal, who, method, path, body, { 'if-match': seen.headers.etag ?? '' })
  }

  async function created(path: string, body: unknown) {
    const answer = await call('POST', path, body)
    expect([answer.status, answer.raw]).toEqual([201, expect.any(String)])
    return answer.json
  }

  let counter = 0
  function unique(word: string): string {
    counter += 1
    return `${word}-${kind}-${counter}`
  }

  const machine = (more: object = {}) =>
    created('/applications', { kind: 'machine', name: unique('machine'), ...more })

  const getToken = (client_id: string, client_secret: string, scope = 'orders:read') =>
    askToken(portal.origin, { grant_type: 'client_credentials', client_id, client_secret, scope })

  const pointers = ({ json }: ApiAnswer) =>
    json.errors?.map(({ pointer }: { pointer: string }) => pointer) ?? []

  describe('applications', () => {
    test('are created with safe defaults for their kind', async () => {
      const redirectUris = ['https://rp.example/cb']
      const web = await created('/applications', { kind: 'web', name: 'Web', redirectUris })
      expect(web).toMatchObject({
        grantTypes: ['authorization_code', 'refresh_token'],
        authMethods: ['client_secret_basic', 'client_secret_post'],
        requirePkce: true,
        enabled: true,
        owner: null,
        secret: expect.stringMatching(/^ghcs_/),
      })
      for (const publicKind of ['spa', 'native']) {
        const app = await created('/applications', {
          kind: publicKind,
          name: 'Public',
          redirectUris,
        })
        expect(app).toMatchObject({ authMethods: ['none'], requirePkce: true })
        expect(app).not.toHaveProperty('secret')
        const refused = await call('POST', `/applications/${app.id}/secrets`, { name: 'x' })
        expect(refused.status).toBe(409)
        expect((await call('POST', `/applications/${app.id}/keys`, { name: 'x' })).status).toBe(409)
      }
      expect(await machine()).toMatchObject({ grantTypes: ['client_credentials'] })
    })

    test('are read, changed and deleted; every field comes back as it was sent', async () => {
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const fields = {
        name: unique('full'),
        publisher: 'The publisher',
        logoUri: 'https://rp.example/logo.png',
        policyUri: 'https://rp.example/policy',
        tosUri: 'https://rp.example/tos',
        redirectUris: ['https://rp.example/cb', 'http://localhost:3000/cb'],
        postLogoutRedirectUris: ['https://rp.example/bye'],
        backchannelLogoutUri: 'https://rp.example/bcl',
        origins: ['https://rp.example'],
        grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
        authMethods: ['client_secret_basic', 'private_key_jwt'],
        jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] },
        jwksUri: null,
        assertionAudience: 'token_endpoint',
        requirePkce: false,
        strictScopes: true,
        requiredScopes: ['orders:read'],
        defaultScopes: ['openid', 'orders:read'],
        idTokenAlg: 'ES256',
        accessTokenAlg: 'RS256',
        enabled: false,
        owner: 'usr_demo_alice',
      }
      const { id, secret } = await created('/applications', {
        kind: 'web',
        ...fields,
        space: 'demo',
      })
      expect(secret).toMatch(/^ghcs_/)
      const { json } = await read(`/applications/${id}`)
      expect(json).toMatchObject({ ...fields, space: 'spc_demo', kind: 'web' })
      const patch = {
        name: 'Another',
        jwks: null,
        authMethods: ['client_secret_post'],
        space: null,
      }
      const after = await changed('PATCH', `/applications/${id}`, patch)
      expect(after.json).toMatchObject({ ...fields, ...patch })
      expect((await read(`/applications/${id}`)).json).toEqual(after.json)
      expect((await changed('DELETE', `/applications/${id}`)).status).toBe(204)
      expect((await call('GET', `/applications/${id}`)).status).toBe(404)
    })

    test.each<[string, object, string]>([
      ['a redirect to plain http', { redirectUris: ['http://rp.example/cb'] }, '/redirectUris/0'],
      ['no redirect for the code flow', { redirectUris: [] }, '/redirectUris'],
      ['an unknown grant', { grantTypes: ['password'] }, '/grantTypes/0'],
      ['an unknown method', { authMethods: ['tls_client_auth'] }, '/authMethods/0'],
      ['public without PKCE', { authMethods: ['none'], requirePkce: false }, '/requirePkce'],
      ['signing without keys', { authMethods: ['private_key_jwt'] }, '/jwks'],
      ['an origin with a path', { origins: ['https://rp.example/x'] }, '/origins/0'],
      ['N17: a logo from a script', { logoUri: 'javascript:alert(1)' }, '/logoUri'],
      ['N17: a logo as data', { logoUri: 'data:image/svg+xml,<svg/>' }, '/logoUri'],
      ['N17: a logo without TLS', { logoUri: 'http://rp.example/logo.png' }, '/logoUri'],
      ['N17: a policy from a script', { policyUri: 'javascript:alert(1)' }, '/policyUri'],
      ['N17: terms with a password', { tosUri: 'https://a:b@rp.example/' }, '/tosUri'],
      ['N17: a long name', { name: 'x'.repeat(101) }, '/name'],
      ['N17: a name that turns around', { name: 'Bank\u202Egro' }, '/name'],
      ['N17: a name with a line feed', { name: 'Bank\nX' }, '/name'],
      [
        'N19: this machine',
        { backchannelLogoutUri: 'http://localhost:1/x' },
        '/backchannelLogoutUri',
      ],
      ['N19: loopback', { backchannelLogoutUri: 'https://0x7f.1/x' }, '/backchannelLogoutUri'],
      ['N19: mapped', { jwksUri: 'https://[::ffff:127.0.0.1]/keys' }, '/jwksUri'],
      ['N19: metadata', { jwksUri: 'https://169.254.169.254/latest' }, '/jwksUri'],
      ['N20: a line feed in an address', { jwksUri: 'https://rp.example/\nkeys' }, '/jwksUri'],
      ['an unknown space', { space: 'nowhere' }, '/space'],
      ['an unknown owner', { owner: 'usr_nobody' }, '/owner'],
      ['an id like a person’s', { id: 'usr_mine' }, '/id'],
      ['an id like an access key’s', { id: 'ak_mine' }, '/id'],
      ['N3: somebody else as the owner', { ownerId: 'usr_demo_alice' }, '/ownerId'],
      ['a symmetric key', { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }, '/jwks/keys/0/kty'],
      ['no key at all', { jwks: { keys: [{ kty: 'EC', crv: 'P-256' }] } }, '/jwks/keys/0'],
    ])('400 for %s', async (_what, fields, pointer) => {
      const whole = { kind: 'web', name: 'Web', redirectUris: ['https://rp.example/cb'] }
      const answer = await call('POST', '/applications', { ...whole, ...fields })
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid'])
      expect(pointers(answer)).toContain(pointer)
    })

    test('N26: an id that was somebody’s is nobody’s again, chosen or not', async () => {
      const chosen = { kind: 'machine', name: 'Chosen', id: 'chosen.app' }
      const made = await created('/applications', chosen)
      expect(made.id).toBe('chosen.app')
      expect((await call('POST', '/applications', chosen)).status).toBe(409)
      const key = { name: 'k', accessKey: 'ak_chosen' }
      await created('/applications/chosen.app/keys', key)
      await call('DELETE', '/applications/chosen.app/keys/ak_chosen', undefined, ANY)
      const again = await call('POST', '/applications/chosen.app/keys', key)
      expect([again.status, ...pointers(again)]).toEqual([400, '/accessKey'])
      await call('DELETE', '/applications/chosen.app', undefined, ANY)
      const anew = await call('POST', '/applications', chosen)
      expect([anew.status, ...pointers(anew)]).toEqual([400, '/id'])
    })

    test('400 for a private key, and it is not echoed', async () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const jwk = privateKey.export({ format: 'jwk' })
      const answer = await call('POST', '/applications', {
        kind: 'machine',
        name: 'Leak',
        authMethods: ['private_key_jwt'],
        jwks: { keys: [jwk] },
      })
      expect(answer.status).toBe(400)
      expect(pointers(answer)).toEqual(['/jwks/keys/0/d'])
      expect(answer.raw).not.toContain(jwk.d)
    })

    test('a change is checked together with what is there already', async () => {
      const { id } = await machine()
      const answer = await changed('PATCH', `/applications/${id}`, {
        redirectUris: ['https://rp.example/cb'],
      })
      expect(pointers(answer)).toEqual(['/redirectUris'])
    })

    test('N17: what looks like HTML is a name like any other', async () => {
      const name = '<img src=x onerror=alert(1)>'
      expect(await machine({ name })).toMatchObject({ name })
    })
  })

  describe('N6: unknown fields are named and nothing changes', () => {
    const texts = [
      ['isAdmin', '{"isAdmin":true}'],
      ['roles', '{"roles":["owner"]}'],
      ['passwordHash', '{"passwordHash":"x"}'],
      ['password', '{"password":"x"}'],
      ['secretHash', '{"secretHash":"x"}'],
      ['createdAt', '{"createdAt":"2020-01-01T00:00:00Z"}'],
      ['version', '{"version":7}'],
      ['__proto__', '{"__proto__":{"adminRole":"owner"}}'],
      ['constructor', '{"constructor":{"prototype":{}}}'],
    ] as const

    test.each(texts)('%s', async (field, text) => {
      for (const path of ['/users/usr_demo_alice', '/applications/app_demo_web']) {
        const before = await read(path)
        const patched = await changed('PATCH', path, text)
        expect([patched.status, pointers(patched)]).toEqual([400, [`/${field}`]])
        expect((await read(path)).raw).toBe(before.raw)
      }
      for (const path of ['/users', '/applications', '/groups']) {
        const answer = await call('POST', path, text)
        expect(answer.status).toBe(400)
        expect(pointers(answer)).toContain(`/${field}`)
      }
    })

    test('400 for a day that databases count differently', async () => {
      const secrets = '/applications/app_demo_machine/secrets'
      for (const day of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-02:00']) {
        expect((await call('POST', secrets, { name: 'x', expiresAt: day })).status).toBe(400)
        const query = new URLSearchParams({ from: day })
        expect((await call('GET', `/audit-events?${query}`)).status).toBe(400)
      }
    })

    test('N13: an operator where a value belongs', async () => {
      for (const email of [{ contains: '' }, { not: null }, ['a@b.example'], 7, true]) {
        expect((await call('POST', '/users', { email })).status).toBe(400)
      }
      for (const query of ['email[contains]=a', 'filter[not]=x', 'sort=passwordHash', 'select=*']) {
        expect((await call('GET', `/users?${query}`)).status).toBe(400)
      }
    })

    test('400 for what no database can hold', async () => {
      const texts = ['{"name":"a\\u0000b"}', '{"name":"\\ud800"}', '{"attributes":{"a":"\\u0000"}}']
      texts.push(`{"username":"x","attributes":{"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}}`)
      texts.push('{"attributes":{"a":{"__proto__":{"x":1}}},"username":"polluter"}')
      for (const text of texts) expect((await call('POST', '/users', text)).status).toBe(400)
      expect((await call('GET', '/users?q=%00')).status).toBe(400)
      expect((await call('GET', '/users/%00')).status).toBe(404)
    })
  })

  describe('If-Match', () => {
    test.each([
      ['PATCH', '/applications/app_demo_web', { name: 'X' }],
      ['DELETE', '/applications/app_demo_web', undefined],
      ['PUT', '/applications/app_demo_web/grants', { grants: [] }],
      ['PATCH', '/users/usr_demo_alice', { name: 'X' }],
      ['DELETE', '/users/usr_demo_alice', undefined],
    ])(
      '%s %s: 428 without one, 412 with an old one, which says what is there',
      async (method, path, body) => {
        expect((await call(method, path, body)).status).toBe(428)
        const stale = await call(method, path, body, { 'if-match': '"0"' })
        expect(stale.status).toBe(412)
        const now = await read(path)
        expect(stale.json.current).toEqual(now.json)
        expect(stale.headers.etag).toBe(now.headers.etag)
      },
    )

    test('of two changes with the same version one wins', async () => {
      const { id } = await machine()
      const seen = { 'if-match': (await read(`/applications/${id}`)).headers.etag ?? '' }
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((name) => call('PATCH', `/applications/${id}`, { name }, seen)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
    })
  })

  describe('Idempotency-Key', () => {
    test('the same request gets the same answer, the secret too; another one 422', async () => {
      const body = { kind: 'machine', name: unique('once') }
      const key = { 'idempotency-key': unique('key') }
      const first = await call('POST', '/applications', body, key)
      const again = await call('POST', '/applications', body, key)
      expect([first.status, again.status]).toEqual([201, 201])
      expect(again.json).toEqual(first.json)
      expect(again.headers['idempotency-replayed']).toBe('true')
      expect((await read(`/applications?q=${body.name}&count=true`)).json.page.total).toBe(1)
      const other = await call('POST', '/applications', { ...body, name: 'other' }, key)
      expect([other.status, other.json.code]).toEqual([422, 'key_reused'])
    })

    test('a refusal is repeated as one', async () => {
      const key = { 'idempotency-key': unique('key') }
      const body = { name: 'Two', email: demo.admin.email }
      for (const _again of [1, 2])
        expect((await call('POST', '/users', body, key)).status).toBe(409)
    })
  })

  describe('secrets', () => {
    test('D19: shown once; several live together, and a revoked one is dead at once', async () => {
      const app = await machine()
      await grant(app.id, ['orders:read'])
      expect((await getToken(app.id, app.secret)).status).toBe(200)
      const second = await created(`/applications/${app.id}/secrets`, {
        name: 'second',
        expiresAt: '2099-01-01T00:00:00Z',
      })
      expect(second.secret.endsWith(second.hint)).toBe(true)
      expect((await getToken(app.id, second.secret)).status).toBe(200)
      expect((await getToken(app.id, app.secret)).status).toBe(200)
      const list = await read(`/applications/${app.id}/secrets?count=true`)
      expect(list.json.page.total).toBe(2)
      const [first] = list.json.data
      const gone = await call('DELETE', `/applications/${app.id}/secrets/${first.id}`)
      expect(gone.status).toBe(204)
      expect((await getToken(app.id, app.secret)).status).toBe(401)
      expect((await getToken(app.id, second.secret)).status).toBe(200)
      const left = await read(`/applications/${app.id}/secrets`)
      expect(left.json.data[0].revokedAt).toEqual(expect.any(String))
      for (const path of ['', '/secrets', '/keys', '/grants']) {
        const { raw } = await read(`/applications/${app.id}${path}`)
        for (const secret of [app.secret, second.secret]) expect(raw).not.toContain(secret)
      }
    })

    test('N2: a secret of another application is not there', async () => {
      const [one, two] = [await machine(), await machine()]
      const { json } = await read(`/applications/${one.id}/secrets`)
      const path = `/applications/${two.id}/secrets/${json.data[0].id}`
      expect((await call('DELETE', path)).status).toBe(404)
    })

    test('400 for one that is over before it begins, 409 for an eleventh', async () => {
      const { id } = await machine()
      const path = `/applications/${id}/secrets`
      const past = await call('POST', path, { name: 'old', expiresAt: '2020-01-01T00:00:00Z' })
      expect(pointers(past)).toEqual(['/expiresAt'])
      for (let nth = 2; nth <= 10; nth += 1) await created(path, { name: `nth ${nth}` })
      expect((await call('POST', path, { name: 'eleventh' })).status).toBe(409)
    })
  })

  async function grant(id: string, patterns: string[], who: string | Fields = token) {
    const grants = patterns.map((pattern) => ({ pattern }))
    const path = `/applications/${id}/grants`
    const seen = await callApi(portal, who, 'GET', path)
    const headers = { 'if-match': seen.headers.etag ?? '' }
    return callApi(portal, who, 'PUT', path, { grants }, headers)
  }

  describe('grants', () => {
    test('are replaced as a set, and decide the next token', async () => {
      const app = await machine()
      expect((await getToken(app.id, app.secret)).status).toBe(400)
      const put = await grant(app.id, ['orders:*'])
      expect(put.json.grants).toMatchObject([
        {
          pattern: 'orders:*',
          effect: 'allow',
          condition: null,
          validFrom: null,
          validUntil: null,
        },
      ])
      expect((await getToken(app.id, app.secret)).status).toBe(200)
      const denied = await changed('PUT', `/applications/${app.id}/grants`, {
        grants: [
          { pattern: 'orders:read' },
          { pattern: 'orders:read', effect: 'deny', condition: 'request.grant_type == "x"' },
          {
            pattern: 'orders:write',
            validFrom: '2098-01-01T00:00:00Z',
            validUntil: '2099-01-01T00:00:00+02:00',
          },
        ],
      })
      expect(denied.status).toBe(200)
      expect((await read(`/applications/${app.id}/grants`)).json).toEqual(denied.json)
      expect(JSON.parse((await getToken(app.id, app.secret, 'orders:write')).body)).toMatchObject({
        scope_rejected_reasons: [{ code: 'grant_expired' }],
      })
      await grant(app.id, [])
      expect((await getToken(app.id, app.secret)).status).toBe(400)
    })

    test('400 with the place of each that nobody registered', async () => {
      const { id } = await machine()
      const answer = await grant(id, [
        'orders:read',
        'orders:nothing',
        'orders:*',
        'nobody:*',
        'users:*',
      ])
      expect(answer.status).toBe(400)
      expect(pointers(answer)).toEqual([
        '/grants/1/pattern',
        '/grants/3/pattern',
        '/grants/4/pattern',
      ])
      for (const wrong of [
        { pattern: '*' },
        { pattern: 'orders:read', condition: 'user.' },
        { pattern: 'orders:read', effect: 'maybe' },
        {
          pattern: 'orders:read',
          validFrom: '2027-01-02T00:00:00Z',
          validUntil: '2027-01-01T00:00:00Z',
        },
        { pattern: 'orders:read', validFrom: 'soon' },
        { pattern: 'orders:read', applicationId: 'app_demo_web' },
      ]) {
        const refused = await changed('PUT', `/applications/${id}/grants`, { grants: [wrong] })
        expect([refused.status, pointers(refused)[0]]).toEqual([
          400,
          expect.stringMatching(/^\/grants\/0\//),
        ])
      }
    })

    test('N5: nobody gives more of the portal than they hold themselves', async () => {
      const { id } = await machine()
      const narrow = await machineToken(portal, 'applications:read applications:write')
      expect((await grant(id, ['users:write'], narrow)).status).toBe(403)
      expect((await grant(id, ['applications:read'], narrow)).status).toBe(200)
      expect((await grant(id, ['applications:read', 'users:read'], token)).status).toBe(200)
      // What it holds already may stay.
      expect((await grant(id, ['users:read'], narrow)).status).toBe(200)
    })
  })

  describe('access keys', () => {
    test('are created, used, narrowed, disabled and deleted', async () => {
      const app = await machine()
      await grant(app.id, ['orders:*'])
      const path = `/applications/${app.id}/keys`
      const key = await created(path, {
        name: 'nightly',
        scopes: ['orders:read'],
        tokenSeconds: 600,
      })
      expect(key).toMatchObject({
        accessKey: expect.stringMatching(/^ak_/),
        enabled: true,
        expiresAt: null,
      })
      expect(key.secretKey).toMatch(/^ghsk_/)
      const got = JSON.parse((await getToken(key.accessKey, key.secretKey, 'orders:*')).body)
      expect(got).toMatchObject({ scope: 'orders:read', expires_in: 600 })
      const one = `${path}/${key.accessKey}`
      const { raw } = await read(one)
      expect(raw).not.toContain(key.secretKey)
      expect((await call('PATCH', one, { name: 'x' })).status).toBe(428)
      const wide = await changed('PATCH', one, { scopes: null, tokenSeconds: null, name: 'wide' })
      expect(wide.json).toMatchObject({ scopes: null, tokenSeconds: null, name: 'wide' })
      expect((await getToken(key.accessKey, key.secretKey, 'orders:write')).status).toBe(200)
      await changed('PATCH', one, { enabled: false })
      expect((await getToken(key.accessKey, key.secretKey)).status).toBe(401)
      await changed('PATCH', one, { enabled: true, expiresAt: '2020-01-01T00:00:00Z' })
      expect((await getToken(key.accessKey, key.secretKey)).status).toBe(401)
      expect((await changed('DELETE', one)).status).toBe(204)
      expect((await call('GET', one)).status).toBe(404)
      expect((await read(path)).json.data).toEqual([])
    })

    test('N7, N2: a key stays with its application, and is there only', async () => {
      const [one, two] = [await machine(), await machine()]
      const key = await created(`/applications/${one.id}/keys`, { name: 'k' })
      const path = `/applications/${one.id}/keys/${key.accessKey}`
      for (const body of [
        { application: two.id },
        { applicationId: two.id },
        { accessKey: 'ak_x' },
      ]) {
        expect((await changed('PATCH', path, body)).status).toBe(400)
      }
      expect((await call('GET', `/applications/${two.id}/keys/${key.accessKey}`)).status).toBe(404)
    })

    test.each([
      { tokenSeconds: 59 },
      { tokenSeconds: 86_401 },
      { tokenSeconds: 60.5 },
      { scopes: ['*'] },
      { scopes: 'orders:read' },
      { name: '' },
      { expiresAt: '2020-01-01T00:00:00Z' },
    ])('400 for %j', async (fields) => {
      const path = '/applications/app_demo_machine/keys'
      expect((await call('POST', path, { name: 'k', ...fields })).status).toBe(400)
    })
  })

  test('a created application with its secret gets a token, a disabled one 401, a deleted one 401', async () => {
    const app = await machine()
    await grant(app.id, ['orders:read', 'applications:read'])
    const { access_token } = JSON.parse(
      (await getToken(app.id, app.secret, 'applications:read')).body,
    )
    expect((await callApi(portal, access_token, 'GET', '/applications')).status).toBe(200)
    await changed('PATCH', `/applications/${app.id}`, { enabled: false })
    expect((await getToken(app.id, app.secret)).status).toBe(401)
    const late = await callApi(portal, access_token, 'GET', '/applications')
    expect([late.status, late.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('invalid_token'),
    ])
    await changed('PATCH', `/applications/${app.id}`, { enabled: true })
    expect((await getToken(app.id, app.secret)).status).toBe(200)
    await changed('DELETE', `/applications/${app.id}`)
    expect((await getToken(app.id, app.secret)).status).toBe(401)
  })

  describe('users', () => {
    test('are created, read by id and by user name, changed and deleted', async () => {
      const username = unique('Cleo')
      const fields = {
        name: 'Cleo Clerk',
        email: `${username}@Example.com`,
        emailVerified: true,
        username,
        attributes: { branch: 'Bern', level: 3, tags: ['a', 'b'] },
        profile: {
          given_name: 'Cleo',
          address: { country: 'CH' },
          picture: 'https://x.example/c.png',
        },
        locale: 'zh-Hans',
        enabled: true,
        adminRole: 'auditor',
      }
      const user = await created('/users', fields)
      expect(user).toMatchObject(fields)
      expect(user.id).toMatch(/^usr_/)
      expect((await read(`/users/${username.toUpperCase()}`)).json).toEqual(user)
      const patch = { name: null, attributes: {}, adminRole: null, locale: null }
      const after = await changed('PATCH', `/users/${user.id}`, patch)
      expect(after.json).toMatchObject({ ...fields, ...patch })
      expect((await read(`/users/${user.id}`)).json).toEqual(after.json)
      const moved = await changed('PATCH', `/users/${user.id}`, {
        email: `x${username}@example.com`,
      })
      expect(moved.json.emailVerified).toBe(false)
      expect((await changed('DELETE', `/users/${user.id}`)).status).toBe(204)
      expect((await call('GET', `/users/${user.id}`)).status).toBe(404)
    })

    test.each<[string, object, string]>([
      ['nothing to sign in with', { name: 'Nobody' }, '/email'],
      ['M26: two addresses', { email: 'a@x.example,b@y.example' }, '/email'],
      ['M26: a header', { email: 'a@x.example\nBcc: b@y.example' }, '/email'],
      ['M26: a line feed at the end', { email: 'a@x.example\n' }, '/email'],
      ['M26: 1 KiB', { email: `${'a'.repeat(1_000)}@x.example` }, '/email'],
      ['M26: no address', { email: 'a' }, '/email'],
      ['verified, and no address', { username: 'vera', emailVerified: true }, '/emailVerified'],
      ['a user name like an address', { username: 'a@x.example' }, '/username'],
      ['M27: a user name that becomes one', { username: 'a＠x' }, '/username'],
      ['M27: two alphabets', { username: 'аdmin' }, '/username'],
      ['M27: nothing to see', { username: 'ad\u200Bmin' }, '/username'],
      ['M27: right to left', { username: 'ad\u202Emin' }, '/username'],
      ['a user name like an id', { username: 'USR_demo_admin' }, '/username'],
      [
        'a claim that is none',
        { username: 'x', profile: { sub: 'usr_demo_admin' } },
        '/profile/sub',
      ],
      [
        'M31: a claim of a column',
        { username: 'x', profile: { email_verified: true } },
        '/profile/email_verified',
      ],
      [
        'a picture from a script',
        { username: 'x', profile: { picture: 'javascript:1' } },
        '/profile/picture',
      ],
      [
        'attributes over 8 KiB',
        { username: 'x', attributes: { a: 'x'.repeat(9_000) } },
        '/attributes',
      ],
      ['an unknown role', { username: 'x', adminRole: 'superuser' }, '/adminRole'],
      ['a list for attributes', { username: 'x', attributes: [] }, '/attributes'],
    ])('400 for %s', async (_what, fields, pointer) => {
      const answer = await call('POST', '/users', fields)
      expect([answer.status, pointers(answer)]).toEqual([400, expect.arrayContaining([pointer])])
    })

    test('M26, M27: one address and one user name, however they are written', async () => {
      const name = unique('Same')
      await created('/users', { username: name, email: `${name}@same.example` })
      const wide = [...name]
        .map((c) => (/[a-z]/i.test(c) ? String.fromCodePoint((c.codePointAt(0) ?? 0) + 0xfee0) : c))
        .join('')
      for (const username of [name, name.toUpperCase(), wide]) {
        expect((await call('POST', '/users', { username })).status).toBe(409)
      }
      for (const email of [`${name}@SAME.example`, `${wide}＠same.example`]) {
        expect((await call('POST', '/users', { email })).status).toBe(409)
      }
    })

    test('attributes are what conditions read, at once', async () => {
      const user = await created('/users', { username: unique('attr'), attributes: { level: 1 } })
      const before = (await read('/users')).headers['x-policy-version']
      await changed('PATCH', `/users/${user.id}`, { attributes: { level: 2 } })
      const after = (await read('/users')).headers['x-policy-version']
      expect(Number(after)).toBeGreaterThan(Number(before))
    })
  })

  describe('N5: roles of admins', () => {
    test('nobody gives a role above their own, nor touches who has one', async () => {
      const admin = '/users/usr_demo_admin'
      const fresh = { username: unique('boss'), adminRole: 'owner' }
      expect((await call('POST', '/users', fresh)).status).toBe(403)
      expect((await changed('PATCH', '/users/usr_demo_alice', { adminRole: 'owner' })).status).toBe(
        403,
      )
      for (const body of [
        { email: 'mine@evil.example' },
        { enabled: false },
        { adminRole: null },
      ]) {
        expect((await changed('PATCH', admin, body)).status).toBe(403)
      }
      expect((await changed('DELETE', admin)).status).toBe(403)
      expect((await read(admin)).json).toMatchObject({ adminRole: 'owner', enabled: true })
    })

    test('the last owner stays, and nobody removes themselves', async () => {
      const me = '/users/usr_demo_admin'
      const demoted = await changed('PATCH', me, { adminRole: 'admin' }, owner)
      expect([demoted.status, demoted.json.detail]).toEqual([409, 'the last owner has to stay'])
      const second = await as(owner, 'POST', '/users', {
        username: unique('second'),
        adminRole: 'owner',
      })
      expect(second.status).toBe(201)
      expect((await changed('PATCH', me, { enabled: false }, owner)).status).toBe(409)
      expect((await changed('DELETE', me, undefined, owner)).status).toBe(409)
      expect((await read(me)).json).toMatchObject({ adminRole: 'owner', enabled: true })
      const other = `/users/${second.json.id}`
      expect((await changed('PATCH', other, { enabled: false }, owner)).status).toBe(200)
      expect((await changed('PATCH', me, { adminRole: 'admin' }, owner)).status).toBe(409)
      expect((await changed('DELETE', other, undefined, owner)).status).toBe(204)
    })

    test('two owners cannot remove each other at the same moment', async () => {
      const [admin, bob] = ['/users/usr_demo_admin', '/users/usr_demo_bob']
      await changed('PATCH', bob, { adminRole: 'owner' }, owner)
      const other = await sessionOf(portal, demo.users[1])
      const seen = { 'if-match': '*' }
      await Promise.all([
        as(owner, 'PATCH', bob, { adminRole: null }, seen),
        as(other, 'PATCH', admin, { adminRole: null }, seen),
      ])
      const { data } = (await read('/users?adminRole=owner')).json
      expect(data).toHaveLength(1)
      const [left, gone] = data[0].id === 'usr_demo_admin' ? [owner, bob] : [other, admin]
      if (gone === bob) return
      await as(left, 'PATCH', admin, { adminRole: 'owner' }, seen)
      await as(owner, 'PATCH', bob, { adminRole: null }, seen)
    })

    test('with a session, only from a page of ours', async () => {
      const { cookie = '' } = owner
      const body = { username: unique('csrf') }
      for (const headers of [
        { cookie },
        { cookie, 'x-gatehouse-request': '1', origin: 'https://evil.example' },
      ]) {
        expect((await as(headers, 'POST', '/users', body)).status).toBe(403)
      }
      expect((await as({ cookie }, 'GET', '/users?limit=1')).status).toBe(200)
      expect((await as({}, 'GET', '/users')).status).toBe(401)
    })
  })

  describe('groups', () => {
    test('are created, changed, filled and deleted', async () => {
      const key = unique('clerks')
      const group = await created('/groups', { key, name: 'Clerks' })
      expect((await call('POST', '/groups', { key, name: 'Again' })).status).toBe(409)
      expect((await call('POST', '/groups', { key: 'grp_x', name: 'An id' })).status).toBe(400)
      expect((await read(`/groups/${key}`)).json).toEqual(group)
      const named = await changed('PATCH', `/groups/${key}`, { name: 'All clerks' })
      expect(named.json.name).toBe('All clerks')
      const members = `/groups/${key}/members`
      for (const user of ['usr_demo_alice', 'usr_demo_bob', 'usr_demo_alice']) {
        expect((await call('PUT', `${members}/${user}`)).status).toBe(204)
      }
      expect((await call('PUT', `${members}/usr_nobody`)).status).toBe(404)
      const list = await read(`${members}?sort=name&count=true`)
      expect(list.json.data.map(({ id }: { id: string }) => id)).toEqual([
        'usr_demo_alice',
        'usr_demo_bob',
      ])
      expect(list.json.page.total).toBe(2)
      expect((await call('DELETE', `${members}/usr_demo_alice`)).status).toBe(204)
      expect((await call('DELETE', `${members}/usr_demo_alice`)).status).toBe(404)
      expect((await call('DELETE', `/groups/${key}`)).status).toBe(428)
      expect((await changed('DELETE', `/groups/${key}`)).status).toBe(204)
      expect((await call('GET', members)).status).toBe(404)
    })
  })

  describe('lists', () => {
    const NAMES = ['100% cotton', 'a_b', 'axb', '100 percent', "O'Hara", 'back\\slash']

    beforeAll(async () => {
      for (const [at, name] of NAMES.entries()) {
        const username = unique('list')
        await created('/users', {
          username,
          name,
          ...(at % 2 && { email: `${username}@list.example` }),
        })
      }
    })

    const found = async (q: string) => {
      const { json } = await read(`/users?count=true&sort=name&q=${encodeURIComponent(q)}`)
      expect(json.page.total).toBe(json.data.length)
      return json.data.map(({ name }: { name: string }) => name)
    }

    test('N14, N15: what is searched for is meant literally, and so is the count', async () => {
      expect(await found('100%')).toEqual(['100% cotton'])
      expect(await found('A_B')).toEqual(['a_b'])
      expect(await found('back\\')).toEqual(['back\\slash'])
      for (const wild of ['%', '_', '\\', '1_0', 'a%b']) expect(await found(wild)).toEqual([])
      expect(await found("o'h")).toEqual(["O'Hara"])
      expect(await found("' OR 1=1--")).toEqual([])
      expect(await found('%'.repeat(200))).toEqual([])
      expect((await call('GET', `/users?q=${'%25'.repeat(1_000)}`)).status).toBe(400)
    })

    test.each([
      'createdAt',
      '-createdAt',
      'name',
      '-name',
      'email',
      '-email',
      'username',
      '-updatedAt',
    ])('by pages of two, by %s: everybody once, in one order', async (sort) => {
      const whole = (await read(`/users?limit=200&sort=${sort}`)).json
      expect(whole.page.next).toBeNull()
      const ids: string[] = []
      let cursor: string | null = ''
      while (cursor !== null && ids.length <= whole.data.length) {
        const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const { json }: ApiAnswer = await read(`/users?limit=2&sort=${sort}${more}`)
        expect(json.data.length).toBeLessThanOrEqual(2)
        ids.push(...json.data.map(({ id }: { id: string }) => id))
        cursor = json.page.next
      }
      expect(ids).toEqual(whole.data.map(({ id }: { id: string }) => id))
    })

    test('N16: a cursor that we did not write, or wrote for another list', async () => {
      const { next } = (await read('/users?limit=1')).json.page
      const [text, signature] = next.split('.')
      const forged = Buffer.from('{"value":"2020-01-01T00:00:00.000Z","id":"a"}').toString(
        'base64url',
      )
      const wrong = ['x', '.', `${forged}.${signature}`, `${text}.`, `${text}.${'A'.repeat(43)}`]
      for (const cursor of wrong) {
        const answer = await call('GET', `/users?limit=1&cursor=${encodeURIComponent(cursor)}`)
        expect([answer.status, pointers(answer)]).toEqual([400, ['/query/cursor']])
      }
      for (const path of [
        '/users?limit=1&sort=name',
        '/users?limit=1&q=a',
        '/applications?limit=1',
      ]) {
        expect((await call('GET', `${path}&cursor=${encodeURIComponent(next)}`)).status).toBe(400)
      }
    })

    test.each([
      'limit=1e9',
      'limit=0',
      'limit=-1',
      'limit=201',
      'limit=x',
      'limit=1.5',
      'count=yes',
    ])('400 for %s', async (query) => {
      for (const path of ['/users', '/applications', '/groups', '/audit-events']) {
        expect((await call('GET', `${path}?${query}`)).status).toBe(400)
      }
    })

    test('400 for a parameter that is not known, or there twice', async () => {
      for (const path of ['/users', '/applications', '/groups', '/audit-events']) {
        const answer = await call('GET', `${path}?colour=red`)
        expect([answer.status, pointers(answer)]).toEqual([400, ['/query/colour']])
        expect((await call('GET', `${path}?limit=1&limit=2`)).status).toBe(400)
      }
      expect((await call('GET', '/users/usr_demo_alice?x=1')).status).toBe(400)
    })

    test('filters are exact', async () => {
      const owners = (await read('/users?adminRole=owner')).json.data
      expect(owners.map(({ id }: { id: string }) => id)).toEqual(['usr_demo_admin'])
      const spas = (await read('/applications?kind=spa&space=spc_demo&enabled=true')).json.data
      expect(spas.map(({ id }: { id: string }) => id)).toEqual(['app_demo_spa'])
      expect((await read('/applications?space=spc')).json.data).toEqual([])
    })
  })

  describe('the audit log', () => {
    test('says who changed what, before and after, and is found by every name', async () => {
      const app = await machine()
      await changed('PATCH', `/applications/${app.id}`, { name: 'Renamed' })
      const { json } = await read(`/audit-events?applicationId=${app.id}&count=true`)
      expect(json.data.map(({ event }: { event: string }) => event)).toEqual([
        'application.changed',
        'application.created',
      ])
      const [entry] = json.data
      expect(entry).toMatchObject({
        actorKind: 'client',
        actorId: 'app_demo_machine',
        targetKind: 'application',
        targetId: app.id,
        result: 'success',
        seq: expect.stringMatching(/^\d+$/),
        detail: { before: { name: app.name }, after: { name: 'Renamed' } },
      })
      expect((await read(`/audit-events/${entry.id}`)).json).toEqual(entry)
      for (const query of [
        `requestId=${entry.requestId}`,
        `targetId=${app.id}&event=application.changed&result=success`,
        `actorId=app_demo_machine&from=${entry.at}&limit=1&targetId=${app.id}`,
      ]) {
        expect((await read(`/audit-events?${query}`)).json.data).toEqual([entry])
      }
      const past = `/audit-events?targetId=${app.id}&to=2020-01-01T00:00:00Z`
      expect((await read(past)).json.data).toEqual([])
      expect((await call('GET', '/audit-events/aud_nothing')).status).toBe(404)
      expect((await call('GET', '/audit-events?from=yesterday')).status).toBe(400)
    })

    test('is read page by page, the newest first', async () => {
      const first = (await read('/audit-events?limit=3')).json
      const second = (await read(`/audit-events?limit=3&cursor=${first.page.next}`)).json
      const seqs = [...first.data, ...second.data].map(({ seq }: { seq: string }) => Number(seq))
      expect(seqs).toEqual([...seqs].sort((a, b) => b - a))
      expect(new Set(seqs).size).toBe(6)
    })

    test('N21: nobody changes it', async () => {
      const { id } = (await read('/audit-events?limit=1')).json.data[0]
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        expect((await call(method, `/audit-events/${id}`)).status).toBe(405)
      }
      expect((await call('POST', '/audit-events', {})).status).toBe(405)
    })
  })

  describe('app managers', () => {
    test('N2: see and change their own applications, and no others', async () => {
      await changed('PATCH', '/users/usr_demo_bob', { adminRole: 'app_manager' })
      const bob = await sessionOf(portal, demo.users[1])
      expect((await as(bob, 'GET', '/applications?count=true')).json.page.total).toBe(0)
      const mine = await as(bob, 'POST', '/applications', { kind: 'machine', name: 'Bob’s' })
      expect(mine.json.owner).toBe('usr_demo_bob')
      const list = await as(bob, 'GET', '/applications?owner=usr_demo_alice')
      expect(list.json.data).toEqual([])
      const { id } = mine.json
      expect((await as(bob, 'GET', '/applications')).json.data).toMatchObject([{ id }])
      const etag = { 'if-match': '*' }
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { name: 'x' }],
        ['DELETE', '', undefined],
        ['GET', '/secrets', undefined],
        ['POST', '/secrets', { name: 'x' }],
        ['GET', '/grants', undefined],
        ['PUT', '/grants', { grants: [] }],
        ['GET', '/keys', undefined],
        ['POST', '/keys', { name: 'x' }],
        ['PATCH', `/keys/${demo.machine.access_key}`, { name: 'x' }],
      ] as const) {
        const foreign = await as(bob, method, `/applications/app_demo_machine${path}`, body, etag)
        const unknown = await as(bob, method, `/applications/app_nothing${path}`, body, etag)
        expect([method, path, foreign.status]).toEqual([method, path, 404])
        expect({ ...foreign.json, requestId: '' }).toEqual({ ...unknown.json, requestId: '' })
      }
      expect((await as(bob, 'PATCH', `/applications/${id}`, { name: 'New' }, etag)).status).toBe(
        200,
      )
      for (const giver of ['usr_demo_alice', null]) {
        const given = await as(bob, 'PATCH', `/applications/${id}`, { owner: giver }, etag)
        expect(given.status).toBe(403)
      }
      expect((await as(bob, 'POST', `/applications/${id}/secrets`, { name: 'b' })).status).toBe(201)
      expect((await grant(id, ['orders:read'], bob)).status).toBe(403)
      // As a client of its own it would see what is not Bob's.
      expect((await grant(id, ['applications:read'], bob)).status).toBe(403)
      expect((await as(bob, 'GET', '/users')).status).toBe(403)
      expect((await as(bob, 'GET', '/audit-events')).status).toBe(403)
      await changed('PATCH', '/users/usr_demo_bob', { adminRole: null })
      expect((await as(bob, 'GET', '/applications')).status).toBe(403)
    })
  })

  /** Somebody's browser and tokens, as the demo's web app has them. */
  async function atWeb(login: { email: string; password: string } | undefined) {
    const browser = new OldBrowser(portal.origin)
    const page = await browser.open(authorizeUrl(webRequest(demo)))
    const consent = await browser.signIn(page, login ?? { email: '', password: '' })
    if (consent.url.includes('/consent')) await browser.submit(consent, { scope: ['orders:read'] })
    const tokens = JSON.parse(
      (await exchange(portal, await getCode(browser, webRequest(demo)))).body,
    )
    return { browser, tokens }
  }

  describe('somebody who is disabled or deleted', () => {
    test('is signed out everywhere at once, and the applications hear of it', async () => {
      await changed('PATCH', '/applications/app_demo_web', {
        backchannelLogoutUri: `http://localhost:${told.port}/bcl`,
      })
      const { browser, tokens } = await atWeb(demo.users[0])
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(200)
      const code = await getCode(browser, webRequest(demo))
      await changed('PATCH', '/users/usr_demo_alice', { enabled: false })
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(401)
      await expect.poll(() => told.bodies.length, { timeout: 10_000 }).toBe(1)
      await changed('PATCH', '/users/usr_demo_alice', { enabled: true })
      const silent = await browser.open(authorizeUrl(webRequest(demo, { prompt: 'none' })))
      expect(received(silent).error).toBe('login_required')
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(401)
      expect(JSON.parse((await refresh(portal, tokens.refresh_token)).body).error).toBe(
        'invalid_grant',
      )
      expect(JSON.parse((await exchange(portal, code)).body).error).toBe('invalid_grant')
    })

    test('N26: is gone with everything that stood on them; the log stays', async () => {
      const { browser, tokens } = await atWeb(demo.users[1])
      const { json: app } = await call('POST', '/applications', {
        kind: 'machine',
        name: 'Orphan',
        owner: 'usr_demo_bob',
      })
      expect((await changed('DELETE', '/users/usr_demo_bob')).status).toBe(204)
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(401)
      expect(JSON.parse((await refresh(portal, tokens.refresh_token)).body).error).toBe(
        'invalid_grant',
      )
      const silent = await browser.open(authorizeUrl(webRequest(demo, { prompt: 'none' })))
      expect(received(silent).error).toBe('login_required')
      expect((await read(`/applications/${app.id}`)).json.owner).toBeNull()
      const { json } = await read('/audit-events?targetId=usr_demo_bob&event=user.deleted')
      expect(json.data).toHaveLength(1)
    })

    test('N11: a disabled application’s tokens are dead, too, until it is enabled again', async () => {
      const { tokens } = await atWeb(demo.users[0])
      await changed('PATCH', '/applications/app_demo_web', { enabled: false })
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(401)
      await changed('PATCH', '/applications/app_demo_web', { enabled: true })
      expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(200)
    })
  })

  test('N9: no answer of a GET has a secret, a hash or a key in it', async () => {
    const app = await machine()
    const key = await created(`/applications/${app.id}/keys`, { name: 'k' })
    const paths = [
      '/applications?limit=200',
      ...['', '/secrets', '/keys', '/grants'].map((path) => `/applications/${app.id}${path}`),
      `/applications/${app.id}/keys/${key.accessKey}`,
      ...['', '/secrets', '/keys', '/grants'].map(
        (path) => `/applications/app_demo_machine${path}`,
      ),
      ...['/users?limit=200', '/users/usr_demo_admin', '/groups', '/audit-events?limit=200'],
    ]
    const known = [app.secret, key.secretKey, demo.machine.client_secret, demo.machine.secret_key]
    known.push(demo.admin.password, demo.web.client_secret)
    for (const path of paths) {
      const { raw } = await read(path)
      for (const secret of known) expect(raw).not.toContain(secret)
      expect(raw).not.toMatch(/gh(cs|sk|ss|lk|rt|ac|br)_|\$argon2/)
      expect(raw).not.toMatch(/"[^"]*(hash|password|private|secret)[^"]*":/i)
    }
  })
})

type Told = { port: number; bodies: string[]; close(): void }

async function startReceiver(): Promise<Told> {
  const port = await freePort()
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return { port, bodies, close: () => server.close() }
}
