import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, callApi, sessionOf } from '../../support/api'
import { ask, askToken, type Fields, FORM } from '../../support/ask'
import { usually } from '../../support/databases'
import { type OpenPortal, openPortal, openSecond } from '../../support/in-process'

/** Ways from a lesser admin role or a weak machine to more than it was given: each is closed. */

const ALICE = 'usr_demo_alice'
const BOB = 'usr_demo_bob'
const ORDERS = '/spaces/spc_demo/resources/api_demo_orders'
const ANY = { 'if-match': '*' }

describe.each(usually('sqlite'))('nobody rises above their rank, on %s', (kind) => {
  let portal: OpenPortal
  let owner: Call
  let admin: Call
  let manager: Call

  beforeAll(async () => {
    portal = await openPortal({ kind })
    const { admin: first, users } = portal.demo()
    owner = await signedIn(first)
    await done(owner('PATCH', `/users/${ALICE}`, { adminRole: 'admin' }, ANY))
    await done(owner('PATCH', `/users/${BOB}`, { adminRole: 'app_manager' }, ANY))
    admin = await signedIn(users[0])
    manager = await signedIn(users[1])
  })
  afterAll(() => portal.stop())

  async function signedIn(login: { email: string; password: string } | undefined): Promise<Call> {
    const headers = await sessionOf(portal, login)
    return (method, path, body, more) =>
      callApi(portal, headers, method, path, body, { ...ANY, ...more })
  }

  async function done(answer: ReturnType<Call>) {
    const { status, json, raw } = await answer
    expect(status, raw).toBeLessThan(300)
    return json
  }

  type Machine = { id: string; secret: string; fields: Fields }

  /** An application of its own that holds this much, made by the owner. */
  async function machine(...grants: (string | object)[]): Promise<Machine> {
    const body = { kind: 'machine', name: 'A machine', space: 'demo' }
    const { id, secret } = await done(owner('POST', '/applications', body))
    await give(id, ...grants)
    const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
    return { id, secret, fields }
  }

  function give(id: string, ...grants: (string | object)[]) {
    const whole = grants.map((one) => (typeof one === 'string' ? { pattern: one } : one))
    return done(owner('PUT', `/applications/${id}/grants`, { grants: whole }))
  }

  async function tokenOf({ fields }: Machine, scope: string): Promise<string> {
    const answer = await askToken(portal.origin, { ...fields, scope })
    return JSON.parse(answer.body).access_token
  }

  async function acting(...scopes: string[]): Promise<Call> {
    const token = await tokenOf(await machine(...scopes), scopes.join(' '))
    return (method, path, body, more) =>
      callApi(portal, token, method, path, body, { ...ANY, ...more })
  }

  async function refused(answer: ReturnType<Call>, missing: string[], givers?: object[]) {
    const { status, json } = await answer
    expect([status, json.code, json.missing]).toEqual([403, 'forbidden', missing])
    if (givers) expect(json.couldBeGivenBy).toEqual(givers)
    return json
  }

  const OWNER = [{ role: 'owner' }]
  const ADMINS = [{ role: 'owner' }, { role: 'admin' }]

  test('Q2: the mail server is the owner’s: an admin cannot set it and read a reset letter', async () => {
    const mail = { server: 'smtp://127.0.0.1:2525', from: 'id@evil.example' }
    await refused(admin('PATCH', '/settings', { mail }), ['sign-in:write'], OWNER)
    await refused(admin('PATCH', '/settings', { mail: null }), ['sign-in:write'], OWNER)
    expect((await owner('GET', '/settings')).json.mail).toBeNull()
    await done(admin('PATCH', '/settings', { branding: { name: 'Gatehouse' } }))
  })

  test('Q1: sign-in providers are the owner’s, too', async () => {
    const issuer = 'https://evil.example'
    const provider = { kind: 'oidc', name: 'E', issuer, clientId: 'c', clientSecret: 's' }
    const { status, json } = await admin('PUT', '/settings/providers/evil', provider)
    expect([status, json.detail]).toEqual([403, 'The scope sign-in:write is required.'])
    expect((await admin('DELETE', '/settings/providers/evil')).status).toBe(403)
  })

  describe('Q3: what the owner gave an app manager’s application on terms', () => {
    const GIVEN = [
      { pattern: 'users:write', validUntil: '2020-01-01T00:00:00.000Z' },
      { pattern: 'users:read', effect: 'deny' },
      { pattern: 'settings:write', condition: 'inNetwork(request.ip, "203.0.113.0/24")' },
    ]
    let app: string

    beforeAll(async () => {
      ;({ id: app } = await machine(...GIVEN))
      await done(owner('PATCH', `/applications/${app}`, { owner: BOB }))
    })

    test('cannot be put back without its terms', async () => {
      const grants = GIVEN.map(({ pattern }) => ({ pattern }))
      const path = `/applications/${app}/grants`
      const { errors } = await refused(
        manager('PUT', path, { grants }),
        ['users:write', 'users:read', 'settings:write'],
        ADMINS,
      )
      expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
        '/grants/0/pattern',
        '/grants/1/pattern',
        '/grants/2/pattern',
      ])
      const there = (await owner('GET', path)).json.grants
      expect(there).toHaveLength(3)
      expect(there).toEqual(
        expect.arrayContaining(GIVEN.map((one) => expect.objectContaining(one))),
      )
    })
    test('cannot lose its deny', async () => {
      const grants = GIVEN.filter(({ effect }) => effect !== 'deny')
      await refused(manager('PUT', `/applications/${app}/grants`, { grants }), ['users:read'])
    })
    test('may stay as it is, or go', async () => {
      const path = `/applications/${app}/grants`
      await done(manager('PUT', path, { grants: GIVEN }))
      await done(manager('PUT', path, { grants: GIVEN.slice(1) }))
    })
    test('opens no secret, key or redirect URI to them', async () => {
      const path = `/applications/${app}`
      await refused(manager('POST', `${path}/secrets`, { name: 'mine' }), ['settings:write'])
      await refused(manager('POST', `${path}/keys`, { name: 'mine' }), ['settings:write'])
      await refused(manager('PATCH', path, { grantTypes: [] }), ['settings:write'])
      await done(manager('POST', `${path}/keys`, { name: 'narrow', scopes: ['orders:read'] }))
      await done(manager('PATCH', path, { name: 'Still mine' }))
    })
  })

  describe('Q4: an app manager’s own machine', () => {
    let app: string
    const put = (...patterns: string[]) =>
      manager('PUT', `/applications/${app}/grants`, {
        grants: patterns.map((pattern) => ({ pattern })),
      })

    beforeAll(async () => {
      ;({ id: app } = await done(
        manager('POST', '/applications', { kind: 'machine', name: 'Mine' }),
      ))
    })
    const api = (body: object) => done(owner('PATCH', ORDERS, body))

    test('gets nothing of an API by itself', async () => {
      const givers = [{ api: 'orders', owners: [] }, { role: 'admin' }]
      await refused(put('orders:*'), ['orders:*'], givers)
      await refused(put('orders:read', 'orders:refund'), ['orders:read', 'orders:refund'], givers)
    })
    test('takes ordinary items of an open API, and no others', async () => {
      await api({ openToAppManagers: true })
      await done(put('orders:read'))
      await refused(put('orders:read', 'orders:refund'), ['orders:refund'])
      await refused(put('orders:*'), ['orders:*'])
      await api({ openToAppManagers: false })
      await done(put('orders:read'))
      await refused(put('orders:read', 'orders:write'), ['orders:write'])
    })
    test('is given the rest by an owner of the API, whom the refusal names', async () => {
      await api({ owners: [{ type: 'user', id: ALICE }] })
      const { couldBeGivenBy } = await refused(put('orders:refund'), ['orders:refund'])
      expect(couldBeGivenBy[0]).toEqual({
        api: 'orders',
        owners: [{ type: 'user', name: expect.stringContaining('Alice') }],
      })
      await api({ owners: [{ type: 'user', id: BOB }] })
      await done(put('orders:refund', 'orders:*'))
      await api({ owners: [] })
    })
    test('owns an API through a group, and no longer than they are in it', async () => {
      const { id } = await done(owner('POST', '/groups', { key: `stewards-${kind}`, name: 'S' }))
      await api({ owners: [{ type: 'group', id }] })
      await refused(put('orders:delete'), ['orders:delete'])
      await done(owner('PUT', `/groups/${id}/members/${BOB}`))
      await done(put('orders:delete'))
      await done(owner('DELETE', `/groups/${id}/members/${BOB}`))
      await done(put())
      await refused(put('orders:delete'), ['orders:delete'])
      await api({ owners: [] })
    })
  })

  describe('Q5: held now, not held then', () => {
    test('a machine’s token whose grants are gone is 401 at once, elsewhere at the next look', async () => {
      const second = await openSecond(portal)
      const looked = () => second.op.latestSnapshot() // as it does once a second
      const app = await machine('users:read', 'users:write')
      const token = await tokenOf(app, 'users:read users:write')
      const body = { email: `e-${kind}@gatehouse.example` }
      expect((await callApi(portal, token, 'GET', '/users')).status).toBe(200)
      expect((await callApi(second, token, 'GET', '/users')).status).toBe(200)
      await give(app.id, 'users:read')
      await looked()
      for (const each of [portal, second]) {
        const lost = await callApi(each, token, 'POST', '/users', body)
        expect([lost.status, lost.json.code]).toEqual([401, 'invalid_token'])
        expect((await callApi(each, token, 'GET', '/users')).status).toBe(200)
      }
      await give(app.id)
      await looked()
      for (const each of [portal, second])
        expect((await callApi(each, token, 'GET', '/users')).status).toBe(401)
      await second.stop()
    })
  })

  describe('R26: to let more clients register gives them what the settings list', () => {
    const offered = { scopes: ['openid', 'orders:read'], redirectHosts: ['app.example.com'] }
    const set = (call: Call, clientRegistration: object) =>
      call('PATCH', '/settings', { clientRegistration })

    test.each<[string, object, object]>([
      ['from a token to anybody', { mode: 'token' }, { mode: 'open' }],
      ['documents too', { mode: 'token' }, { documents: true }],
      ['without statements', { mode: 'open', requireStatement: true }, { requireStatement: false }],
      ['to any host', { mode: 'open' }, { redirectHosts: [] }],
      ['to another host', { mode: 'open' }, { redirectHosts: ['evil.example'] }],
      [
        'documents of another host',
        { documents: true, documentHosts: ['app.example.com'] },
        { documentHosts: [] },
      ],
      ['on again', { mode: 'off' }, { mode: 'token' }],
      [
        'another grant type',
        { mode: 'open', grantTypes: ['authorization_code'] },
        { grantTypes: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'] },
      ],
    ])('%s', async (_what, before, wider) => {
      const off = { mode: 'off', documents: false, documentHosts: [], requireStatement: false }
      await done(set(owner, { ...off, ...offered, ...before }))
      const call = await acting('settings:read', 'settings:write')
      await refused(set(call, wider), ['orders:read'])
      await done(set(call, { unusedDays: 20 }))
      const grantTypes = ['authorization_code', 'refresh_token']
      await done(set(owner, { ...off, grantTypes, scopes: ['openid'] }))
    })

    test('an initial access token, also while registration is off', async () => {
      await done(set(owner, { mode: 'off', ...offered }))
      const call = await acting('settings:read', 'settings:write')
      await refused(call('POST', '/initial-access-tokens', { name: 'Mine' }), ['orders:read'])
      await done(set(owner, { scopes: ['openid'], redirectHosts: [] }))
    })
  })

  describe('Q8: a machine’s rank is what it holds', () => {
    test('users:write makes no admin, and is nobody’s way into one’s account', async () => {
      const call = await acting('users:write')
      const admins = { email: `h-${kind}@gatehouse.example`, adminRole: 'admin' }
      const json = (await call('POST', '/users', admins)).json
      expect([json.status, json.missing[0]]).toEqual([403, 'admin-roles:write'])
      const csv = `email,adminRole\nh2-${kind}@gatehouse.example,admin\n`
      expect((await call('POST', '/users:import', { csv })).status).toBe(403)
      for (const path of [`/users/${ALICE}`, '/users/usr_demo_admin']) {
        expect((await call('PATCH', path, { email: 'x@evil.example' })).status).toBe(403)
        expect((await call('POST', `${path}/password-reset`, {})).status).toBe(403)
        expect((await call('POST', `${path}/invitation`, { returnLink: true })).status).toBe(403)
        expect((await call('DELETE', `${path}/sessions`)).status).toBe(403)
        expect((await call('DELETE', path)).status).toBe(403)
      }
      const batch = await call('POST', '/users:batch', { do: 'disable', users: [ALICE] })
      expect(batch.status).toBe(403)
    })
    test('Q178: settings:write lets no strangers in, and takes no protection from admins', async () => {
      const call = await acting('settings:write')
      const both = await acting('settings:write', 'users:write', 'admin-roles:write')
      const set = (by: Call, security: object) => by('PATCH', '/settings', { security })
      await refused(set(call, { registration: 'open' }), ['users:write'], ADMINS)
      // From now on, admins come in with a second factor only.
      await done(set(call, { adminSecondFactor: true }))
      await refused(set(call, { adminSecondFactor: false }), ['admin-roles:write'], ADMINS)
      await done(set(both, { adminSecondFactor: false, registration: 'open' }))
      await done(set(call, { registration: 'closed', sessionIdleMinutes: 60 }))
      await done(set(owner, { registration: 'open' }))
      await done(set(owner, { registration: 'closed' }))
    })
    test('Q179: webhooks:read shows what was sent only to whoever reads the audit log', async () => {
      const body = { name: 'Hook', url: 'https://hooks.example/in', events: ['user.*'] }
      const { id } = await done(owner('POST', '/webhooks', body))
      const { id: sent } = await done(owner('POST', `/webhooks/${id}/test`, {}))
      const path = `/webhooks/${id}/deliveries`
      const seenBy = async (...scopes: string[]) =>
        (await done((await acting(...scopes))('GET', path))).data[0]
      expect(await seenBy('webhooks:read')).toMatchObject({ id: sent, payload: null })
      const whole = await seenBy('webhooks:read', 'audit:read')
      expect(whole).toMatchObject({ id: sent, payload: { type: expect.any(String) } })
      const writer = await acting('webhooks:write')
      expect((await done(writer('POST', `${path}/${sent}/resend`, {}))).payload).toBeNull()
      await done(owner('DELETE', `/webhooks/${id}`))
    })
    test('users:write gives no roles through a group', async () => {
      const { id } = await done(owner('POST', '/groups', { key: `clerks-${kind}`, name: 'C' }))
      const call = await acting('users:write')
      const { id: user } = await done(call('POST', '/users', { username: `plain-${kind}` }))
      await done(call('PUT', `/groups/${id}/members/${user}`))
      const assignment = { role: 'manager', subject: { type: 'group', id } }
      await done(owner('POST', '/spaces/demo/assignments', assignment))
      await refused(call('DELETE', `/groups/${id}/members/${user}`), ['assignments:write'])
      const batch = { do: 'add_to_group', users: [user], group: id }
      await refused(call('POST', '/users:batch', batch), ['assignments:write'])
    })
    test('users:write is nobody’s way to what somebody’s applications hold', async () => {
      const call = await acting('users:write')
      const { id: user } = await done(owner('POST', '/users', { username: `runs-${kind}` }))
      await done(call('PATCH', `/users/${user}`, { name: 'Runs an app' }))
      const app = await machine('orders:refund', 'audit:read')
      await done(owner('PATCH', `/applications/${app.id}`, { owner: user }))
      await refused(call('PATCH', `/users/${user}`, { name: 'Mine' }), ['orders:refund'])
    })
    test('applications:write makes no credential for a stronger application', async () => {
      const call = await acting('applications:write')
      const strong = '/applications/app_demo_machine'
      for (const [method, path, body] of [
        ['POST', `${strong}/secrets`, { name: 'mine' }],
        ['POST', `${strong}/keys`, { name: 'mine' }],
        ['PATCH', strong, { grantTypes: ['client_credentials', 'refresh_token'] }],
        ['PATCH', strong, { owner: BOB }],
        [
          'PUT',
          `${strong}/grants`,
          { grants: [{ pattern: 'signing-keys:write' }, { pattern: 'orders:delete' }] },
        ],
      ] as const) {
        const { status, json } = await call(method, path, body)
        expect([status, json.missing.length > 0], `${method} ${path}`).toEqual([403, true])
      }
    })
    test('assignments:write gives people roles, and applications none', async () => {
      const call = await acting('assignments:write')
      const app = await machine()
      const to = (type: string, id: string) => ({ role: 'manager', subject: { type, id } })
      await done(call('POST', '/spaces/demo/assignments', to('user', BOB)))
      const items = ['orders:read', 'orders:refund', 'orders:write']
      const refusal = await call('POST', '/spaces/demo/assignments', to('client', app.id))
      expect([refusal.status, refusal.json.missing.sort()]).toEqual([403, items])
    })
    test('webhooks:write alone reads nothing of the audit log', async () => {
      const call = await acting('webhooks:write')
      const hook = { name: 'Mine', url: 'https://evil.example/hook', events: ['*'] }
      await refused(call('POST', '/webhooks', hook), ['audit:read'])
    })
    test('what it holds on terms it gives on these terms only', async () => {
      const condition = 'inNetwork(request.ip, "127.0.0.0/8") || inNetwork(request.ip, "::1/128")'
      const app = await machine('applications:write', { pattern: 'users:read', condition })
      const target = await machine()
      const token = await tokenOf(app, 'applications:write users:read')
      const put = (...grants: object[]) =>
        callApi(portal, token, 'PUT', `/applications/${target.id}/grants`, { grants }, ANY)
      await refused(put({ pattern: 'users:read' }), ['users:read'])
      await done(put({ pattern: 'users:read', condition }))
    })
    test('a role of an application is given no more by a whole model than by itself', async () => {
      const validUntil = new Date(Date.now() + 3_600_000).toISOString()
      const scopes = ['spaces:write', 'permissions:write', 'roles:write']
      const app = await machine(...scopes, { pattern: 'resources:write', validUntil })
      const token = await tokenOf(app, [...scopes, 'resources:write'].join(' '))
      const call: Call = (method, path, body) => callApi(portal, token, method, path, body, ANY)
      await done(owner('POST', '/spaces', { key: 'borrowed', name: 'Borrowed' }))
      const roles = '/spaces/borrowed/roles'
      await done(owner('POST', roles, { key: 'reader', name: 'Reader' }))
      await done(owner('POST', roles, { key: 'above', name: 'Above' }))
      const given = { role: 'reader', subject: { type: 'client', id: (await machine()).id } }
      await done(owner('POST', '/spaces/borrowed/assignments', given))

      const model = (permission: object, ...parents: string[]) => ({
        roles: [
          { key: 'above', name: 'Above', permissions: parents.length > 0 ? [permission] : [] },
          {
            key: 'reader',
            name: 'Reader',
            parents,
            permissions: parents.length ? [] : [permission],
          },
        ],
      })
      const forever = { pattern: 'orders:read' }
      const single = { permissions: [forever] }
      await refused(call('PUT', `${roles}/reader/permissions`, single), ['orders:read'])
      const path = '/spaces/borrowed/model'
      await refused(call('PUT', path, model(forever)), ['orders:read'])
      await refused(call('PUT', `${path}?dryRun=true`, model(forever, 'above')), ['orders:read'])
      await done(call('PUT', path, model({ ...forever, validUntil })))
    })
    test('a narrow token gives no more than it carries', async () => {
      const app = await machine('applications:write', 'settings:write')
      const token = await tokenOf(app, 'applications:write')
      const answer = callApi(portal, token, 'POST', `/applications/${app.id}/secrets`, {
        name: 'x',
      })
      await refused(answer, ['settings:write'])
    })
  })

  test('an admin touches no owner, gives no owner role, and changes no role of their own', async () => {
    const above = ['sign-in:write', 'outbox:read', 'users:impersonate']
    const first = '/users/usr_demo_admin'
    const names = async (answer: ReturnType<Call>) => (await answer).json.missing.sort()
    expect(await names(admin('PATCH', first, { name: 'X' }))).toEqual(above.toSorted())
    expect(await names(admin('PATCH', `/users/${BOB}`, { adminRole: 'owner' }))).toEqual(
      above.toSorted(),
    )
    await done(admin('PATCH', `/users/${BOB}`, { name: 'Bob' }))
    await refused(admin('PUT', `/users/${ALICE}/roles/rol_demo_manager`), ['own_access'])
    await refused(admin('PATCH', `/users/${ALICE}`, { attributes: { level: 9 } }), ['own_access'])
  })

  describe('Q15: an app manager and a machine of the space see what is theirs', () => {
    test('the model of a space asks for the scopes of what it contains', async () => {
      expect((await manager('GET', '/spaces/demo/roles')).status).toBe(403)
      const { status, json } = await manager('GET', '/spaces/demo/model')
      expect([status, json.detail]).toEqual([403, 'The scope roles:read is required.'])
      const call = await acting('spaces:read', 'spaces:write')
      expect((await call('GET', '/spaces/demo/model')).status).toBe(403)
      const model = { resources: [], roles: [] }
      expect((await call('PUT', '/spaces/demo/model?dryRun=true', model)).status).toBe(403)
    })
    test('who introspects an API’s tokens is said at the API', async () => {
      const { machine: issuedTo } = portal.demo()
      const { client_id, client_secret } = issuedTo
      const asked = {
        client_id,
        client_secret,
        grant_type: 'client_credentials',
        scope: 'orders:read',
      }
      const token = JSON.parse((await askToken(portal.origin, asked)).body).access_token
      const outsider = await machine()
      const active = async () => {
        const { grant_type: _, ...who } = outsider.fields
        const body = new URLSearchParams({ ...who, token }).toString()
        const path = '/oidc/token/introspection'
        const answer = await ask(portal.origin, { method: 'POST', path, headers: FORM, body })
        return JSON.parse(answer.body).active
      }
      expect(await active()).toBe(false)
      await done(owner('PATCH', ORDERS, { introspectors: [outsider.id] }))
      expect(await active()).toBe(true)
      await done(owner('PATCH', ORDERS, { introspectors: ['app_demo_machine'] }))
    })
  })
})
