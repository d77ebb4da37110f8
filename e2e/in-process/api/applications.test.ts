import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { callApi } from '../../support/api'
import {
  ANY,
  call,
  changed,
  created,
  getToken,
  grant,
  machine,
  pointers,
  portal,
  read,
  startApi,
  unique,
} from '../../support/api-objects'
import { usually } from '../../support/databases'

describe.each(usually('sqlite'))('applications on %s', (kind) => {
  startApi(kind)

  describe('applications', () => {
    test('are created with safe defaults for their kind', async () => {
      const redirectUris = ['https://rp.example/cb']
      const web = await created('/applications', { kind: 'web', name: 'Web', redirectUris })
      expect(web).toMatchObject({
        grantTypes: ['authorization_code', 'refresh_token'],
        authMethods: ['client_secret_basic', 'client_secret_post'],
        pkce: 'learned',
        pkceLearned: false,
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
        expect(app).toMatchObject({ authMethods: ['none'], pkce: 'required' })
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
        pkce: 'not_required',
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
      ['public without PKCE', { authMethods: ['none'], pkce: 'not_required' }, '/pkce'],
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

    test('are found by the words of their names, publishers and IDs, and by nothing else', async () => {
      const mark = unique('w')
      const found = async (q: string) => {
        const { json } = await read(`/applications?count=true&q=${encodeURIComponent(q)}`)
        return json.page.total
      }
      const { id } = await machine({
        name: `Nightly ${mark}GitHub sync`,
        publisher: `Ünal ${mark}p`,
      })
      for (const q of [`nightly ${mark}`, `${mark}git`, 'hub sync', `ünal ${mark}`, `${mark}P`, id])
        expect(await found(q), q).toBe(1)
      for (const q of [`ightly ${mark}`, '%', `sync ${mark}`]) expect(await found(q), q).toBe(0)
      expect((await call('GET', `/search?q=${mark}git`)).json.data).toMatchObject([{ id }])

      await changed('PATCH', `/applications/${id}`, { name: `Daily ${mark}git` })
      expect(await found(`nightly ${mark}`)).toBe(0)
      expect([await found(`daily ${mark}`), await found(`ünal ${mark}`)]).toEqual([1, 1])
      await changed('PATCH', `/applications/${id}`, { publisher: null })
      expect([await found(`daily ${mark}`), await found(`ünal ${mark}`)]).toEqual([1, 0])
      expect((await call('DELETE', `/applications/${id}`, undefined, ANY)).status).toBe(204)
      expect(await found(`daily ${mark}`)).toBe(0)
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
      // A new user may be given roles, by whoever may give them (N57).
      const kinds = field === 'roles' ? [] : ['/users']
      for (const path of [...kinds, '/applications', '/groups']) {
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
})
