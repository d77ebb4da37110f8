import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../lib/api/table'
import { createOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { type Call, caller, machineToken } from '../support/api'
import { ask, askToken, machineFields } from '../support/ask'
import { freshDatabase, KINDS } from '../support/databases'
import { aliceAtWeb, authorizeUrl, getCode, webRequest } from '../support/flow'
import { OldBrowser } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'

/** The permission API: roles, assignments, decisions, and docs/attacks.md N as far as it concerns them. */

const ALICE = 'usr_demo_alice'

describe.each(KINDS)('the permission API on %s', (kind) => {
  let portal: Portal
  let second: Portal
  let api: Call
  let token: string

  beforeAll(async () => {
    const DATABASE_URL = await freshDatabase[kind]()
    portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL } })
    const { PORT: _taken, ...shared } = portal.env
    second = await startPortal({ env: { ...shared, ISSUER: portal.origin } })
    token = await machineToken(portal)
    api = caller(portal, token)
  })
  afterAll(async () => {
    await second.stop()
    await portal.stop()
  })

  const check = async (permission: string, more: object = {}, by: Call = api) =>
    (await by('POST', '/permissions/check', { user: ALICE, permission, ...more })).json.allowed
  const etag = async (path: string) => (await api('GET', path)).headers.etag ?? ''
  const fresh = { consistency: 'higher' }

  test('the walk: space, API, permission, role, assignment; check, explain, revoke, explain', async () => {
    const space = await api('POST', '/spaces', { key: 'warehouse', name: 'Warehouse' })
    expect([space.status, space.headers.etag]).toEqual([201, '"1"'])
    await api('POST', '/spaces/warehouse/resources', {
      audience: 'https://stock.example.com',
      prefix: 'stock',
      name: 'Stock',
    })
    await api('PUT', '/spaces/warehouse/permissions/stock:count', { resource: 'stock' })
    const role = await api('POST', '/spaces/warehouse/roles', { key: 'counter', name: 'Counter' })
    expect(role.status).toBe(201)
    expect(
      (await api('PUT', '/spaces/warehouse/roles/counter/permissions/stock:count')).status,
    ).toBe(204)
    expect(await check('stock:count')).toBe(false)
    const roleId = String(role.json.id)
    expect((await api('PUT', `/users/${ALICE}/roles/${roleId}`)).status).toBe(204)
    expect(await check('stock:count')).toBe(true)

    const why = await api('POST', '/permissions/explain', {
      user: ALICE,
      permission: 'stock:count',
    })
    expect(why.json).toMatchObject({
      allowed: true,
      path: [{ pattern: 'stock:count', roles: ['counter'], stood: 'met' }],
      wouldChange: [],
    })
    const effective = await api(
      'GET',
      `/users/${ALICE}/effective-permissions?space=warehouse&include=sources`,
    )
    expect(effective.json.data).toMatchObject([{ permission: 'stock:count', depends: null }])
    expect((await api('GET', `/roles/${roleId}/members`)).json.data).toMatchObject([
      { subject: { type: 'user', id: ALICE } },
    ])

    expect((await api('DELETE', `/users/${ALICE}/roles/${roleId}`)).status).toBe(204)
    expect(await check('stock:count')).toBe(false)
    const whyNot = await api('POST', '/permissions/explain', {
      user: ALICE,
      permission: 'stock:count',
    })
    expect(whyNot.json).toMatchObject({
      allowed: false,
      code: 'not_permitted',
      otherRoles: [{ key: 'counter' }],
      wouldChange: [{ oneOf: [[{ do: 'assign_role', key: 'counter' }]] }],
    })
  })

  test('terms: validity, condition, instance, deny; each with its near miss', async () => {
    const base = '/spaces/warehouse/assignments'
    const give = async (more: object) =>
      api('POST', base, { role: 'counter', subject: { type: 'user', id: ALICE }, ...more })
    const takeAll = async () => {
      for (const { id } of (await api('GET', base)).json.data as { id: string }[])
        await api('DELETE', `${base}/${id}`, undefined, { 'if-match': '*' })
    }
    const explain = async (more: object = {}) =>
      (
        await api('POST', '/permissions/explain', {
          user: ALICE,
          permission: 'stock:count',
          ...more,
        })
      ).json

    await give({ validUntil: '2020-01-01T00:00:00Z' })
    expect(await explain()).toMatchObject({
      code: 'grant_expired',
      nearMisses: [{ stood: 'expired' }],
      wouldChange: [{ oneOf: [[{ do: 'extend' }]] }],
    })
    await takeAll()
    await give({ condition: 'inNetwork(request.ip, "10.0.0.0/8")' })
    expect(await explain()).toMatchObject({ code: 'context_missing' })
    expect(await explain({ context: { ip: '192.0.2.1' } })).toMatchObject({
      code: 'condition_failed',
    })
    expect(await check('stock:count', { context: { ip: '10.1.1.1' } })).toBe(true)
    await takeAll()
    await give({ condition: 'atLeast(auth.acr, "mfa")' })
    expect(await explain({ context: { acr: 'pwd' } })).toMatchObject({
      code: 'mfa_required',
      acr_values: 'mfa',
      wouldChange: [{ oneOf: [[{ do: 'step_up', acr_values: 'mfa' }]] }],
    })
    await takeAll()
    await give({ instance: 'shelf-1' })
    expect(await check('stock:count')).toBe(false)
    expect(await check('stock:count', { resource: { id: 'shelf-2' } })).toBe(false)
    expect(await check('stock:count', { resource: { id: 'shelf-1' } })).toBe(true)
    await give({ effect: 'deny' })
    expect(await check('stock:count', { resource: { id: 'shelf-1' } })).toBe(false)
    expect(await explain({ resource: { id: 'shelf-1' } })).toMatchObject({
      code: 'denied',
      wouldChange: [{ oneOf: [[{ do: 'lift_deny' }]] }],
    })
    await takeAll()
  })

  test('groups and clients hold roles too; a disabled user holds nothing (N11)', async () => {
    const { id } = (await api('GET', '/spaces/warehouse/roles/counter')).json
    await api('POST', '/spaces/warehouse/assignments', {
      role: String(id),
      subject: { type: 'client', id: 'app_demo_web' },
    })
    const asClient = { user: undefined, client: 'app_demo_web' }
    expect(await check('stock:count', asClient)).toBe(true)
    expect(await check('stock:count', { user: 'nobody-at-all' })).toBe(false)
    expect(await check('stock:fly')).toBe(false)
  })

  test('N10: whom, what or which nobody knows is refused with 200; what cannot be read is 400', async () => {
    expect(await check('orders:read', { user: 'usr_nobody' })).toBe(false)
    expect(await check('nothing:known')).toBe(false)
    expect(await check('orders:read', { user: undefined, client: 'app_nobody' })).toBe(false)
    const malformed = await api('POST', '/permissions/check', { user: ALICE, permission: 7 })
    expect(malformed.status).toBe(400)
    const question = { user: ALICE, permission: 'orders:read' }
    const nobody = await caller(portal, null)('POST', '/permissions/check', question)
    expect(nobody.status).toBe(401)
    expect(nobody.headers['www-authenticate']).toContain('Bearer')
  })

  test('batch: one snapshot, in order; 51 are too many', async () => {
    const checks = Array.from({ length: 50 }, (_, i) => ({
      user: ALICE,
      permission: i % 2 ? 'orders:read' : 'orders:refund',
    }))
    const { json } = await api('POST', '/permissions/check:batch', { checks })
    const allowed = (json.results as { allowed: boolean }[]).map((result) => result.allowed)
    expect(allowed).toEqual(checks.map((_, i) => i % 2 === 1))
    const one = await api('POST', '/permissions/check:batch', { checks: [...checks, checks[0]] })
    expect([one.status, one.json.code]).toEqual([400, 'invalid'])
  })

  test('the dry run says what the token endpoint does', async () => {
    const scope = 'orders:read orders:refund nope:x openid orders:export'
    const real = JSON.parse((await askToken(portal.origin, machineFields(portal, { scope }))).body)
    const { json } = await api('POST', '/scopes/decide', {
      client: 'app_demo_machine',
      scope,
      context: { ip: '127.0.0.1' },
    })
    expect([json.scope, json.scope_rejected]).toEqual([real.scope, real.scope_rejected])
    const refused = (json.decisions as { scope: string; granted: boolean; code: string }[])
      .filter(({ granted }) => !granted)
      .map(({ scope, code }) => ({ scope, code }))
    expect(refused).toEqual(real.scope_rejected_reasons)
    expect(json.claims).toMatchObject({
      iss: portal.origin,
      sub: 'app_demo_machine',
      aud: 'https://orders.gatehouse.example',
      scope: real.scope,
    })
    const forBob = await api('POST', '/scopes/decide', {
      client: 'app_demo_web',
      user: 'usr_demo_bob',
      scope: 'openid orders:refund orders:delete',
    })
    expect(forBob.json).toMatchObject({
      scope: 'openid orders:refund',
      scope_rejected: 'orders:delete',
      claims: { sub: 'usr_demo_bob' },
    })
  })

  test('a client without permissions:explain asks about itself only, and sees no paths', async () => {
    const own = caller(portal, await machineToken(portal, 'scopes:decide'))
    const mine = await own('POST', '/scopes/decide', { scope: 'orders:refund orders:read' })
    expect(mine.json).toMatchObject({ scope: 'orders:read' })
    expect(mine.raw).not.toContain('grn_')
    expect((await own('POST', '/scopes/decide', { client: 'app_demo_web' })).status).toBe(404)
  })

  test('the model: export, an import that changes nothing, a dry run, and the import', async () => {
    const exported = (await api('GET', '/spaces/demo/model')).json
    const none = { create: [], change: [], remove: [] }
    const put = (body: unknown, query = '', headers = {}) =>
      api('PUT', `/spaces/demo/model${query}`, body, headers)
    expect((await put(exported, '?dryRun=true')).json).toEqual({ applied: false, diff: none })
    const next = structuredClone(exported) as unknown as {
      roles: { key: string; name: string; parents: string[]; permissions: object[] }[]
    }
    next.roles = next.roles.filter(({ key }) => key !== 'manager')
    next.roles.push({
      key: 'auditor',
      name: 'Auditor',
      parents: ['clerk'],
      permissions: [
        { pattern: 'orders:export', condition: 'request.time.getDayOfWeek("UTC") < 6' },
      ],
    })
    const diff = { create: ['role auditor'], change: [], remove: ['role manager'] }
    expect((await put(next, '?dryRun=true')).json).toEqual({ applied: false, diff })
    expect((await put(next)).status).toBe(428)
    const seen = { 'if-match': await etag('/spaces/demo') }
    expect((await put(next, '', seen)).json).toEqual({ applied: true, diff })
    expect((await api('GET', '/spaces/demo/roles/auditor')).json).toMatchObject({
      parents: ['clerk'],
    })
    const back = { 'if-match': await etag('/spaces/demo') }
    expect((await put(exported, '', back)).status).toBe(200)
    await api('PUT', `/users/usr_demo_bob/roles/${await roleId('manager')}`)
  })

  const roleId = async (key: string) =>
    String((await api('GET', `/spaces/demo/roles/${key}`)).json.id)

  test('policy assertions: kept, run, and remembered', async () => {
    const assertions = [
      { question: { user: ALICE, permission: 'orders:read' }, expected: true },
      { question: { user: ALICE, permission: 'orders:refund' }, expected: true },
    ]
    const seen = { 'if-match': await etag('/spaces/demo') }
    await api('PUT', '/spaces/demo/assertions', { assertions }, seen)
    expect((await api('POST', '/spaces/demo/assertions:run')).json).toMatchObject({
      passed: 1,
      failed: 1,
    })
    const { json } = await api('GET', '/spaces/demo/assertions')
    const results = (json.assertions as { lastResult: boolean }[]).map((one) => one.lastResult)
    expect(results.sort()).toEqual([false, true])
  })

  test('impact: who gains, who loses, how many live tokens', async () => {
    const alice = await aliceAtWeb(portal)
    const demo = portal.demo()
    const code = await getCode(alice, webRequest(demo))
    const { web } = demo
    await askToken(portal.origin, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: web.redirect_uris[0] ?? '',
      client_id: web.client_id,
      client_secret: web.client_secret,
    })
    const impact = (change: object) => api('POST', '/spaces/demo/impact', { change })
    const narrower = await impact({
      kind: 'role_permissions',
      role: 'clerk',
      permissions: [{ pattern: 'orders:write' }, { pattern: 'orders:export' }],
    })
    expect(narrower.json).toMatchObject({ total: 2, liveTokens: 1 })
    expect(narrower.json.affected).toContainEqual({
      subject: { type: 'user', id: ALICE, name: expect.stringMatching(/alice/i) },
      gains: ['orders:export'],
      loses: ['orders:read'],
      mayGain: [],
      mayLose: [],
    })
    const assign = { kind: 'assign', role: 'manager', subject: { type: 'user', id: ALICE } }
    expect((await impact(assign)).json).toMatchObject({
      affected: [{ gains: ['orders:refund'], loses: [] }],
      total: 1,
    })
    expect((await impact({ kind: 'delete_role', role: 'clerk' })).json).toMatchObject({ total: 2 })
    const grants = [{ pattern: 'orders:read' }]
    const fewer = await impact({
      kind: 'application_grants',
      application: 'app_demo_machine',
      grants,
    })
    const loses = expect.arrayContaining(['orders:write'])
    expect(fewer.json.affected).toEqual([
      {
        subject: { type: 'client', id: 'app_demo_machine', name: 'Demo machine' },
        gains: [],
        loses,
        mayGain: [],
        mayLose: ['orders:export'],
      },
      {
        subject: { type: 'key', id: demo.machine.access_key, name: expect.any(String) },
        gains: [],
        loses,
        mayGain: [],
        mayLose: ['orders:export'],
      },
    ])
    expect(await check('orders:read', {}, api)).toBe(true)
  })

  test('N8: a condition is compiled while it is typed, and never run', async () => {
    const typed = (condition: string) => api('POST', '/conditions/check', { condition })
    expect((await typed('auth.age < 300.0')).json).toEqual({ valid: true, mistake: null })
    const { json } = await typed('request.ip ==')
    expect(json).toMatchObject({ valid: false, mistake: { detail: expect.any(String) } })
    expect((await typed('request.ip.matches("(a+)+$")')).json.mistake.position).toEqual({
      start: 0,
      end: 28,
    })
    expect((await typed('"text"')).json.mistake).toMatchObject({
      detail: expect.stringContaining('true or false'),
      position: null,
    })
    expect((await typed('x'.repeat(10_001))).status).toBe(400)
    const narrow = caller(portal, await machineToken(portal, 'roles:read'))
    const refused = await narrow('POST', '/conditions/check', { condition: 'true' })
    expect(refused.status).toBe(403)
  })

  test('APIs of every space in one list, and who holds what of one', async () => {
    await api('POST', '/spaces', { key: 'depot', name: 'Depot' })
    const made = await api('POST', '/spaces/depot/resources', {
      audience: 'https://depot.example.com',
      prefix: 'depot',
      name: 'Depot',
    })
    await api('PUT', '/spaces/depot/permissions/depot:open', { resource: 'depot' })
    const names = async (query: string) => {
      const { json } = await api('GET', `/resources?${query}`)
      return (json.data as { name: string }[]).map(({ name }) => name)
    }
    expect(await names('')).toEqual(expect.arrayContaining(['Depot', 'Orders']))
    expect(await names('space=depot')).toEqual(['Depot'])
    expect(await names('q=depot.example&enabled=true')).toEqual(['Depot'])
    expect(await names('enabled=false')).toEqual([])
    expect((await api('GET', '/resources?space=nowhere')).status).toBe(404)
    expect((await api('GET', `/resources/${made.json.id}`)).json).toEqual(made.json)
    expect((await api('GET', '/resources/depot')).headers.etag).toBe('"1"')
    expect((await api('GET', '/resources/nothing')).status).toBe(404)

    await api('POST', '/spaces/depot/roles', { key: 'porter', name: 'Porter' })
    const set = { permissions: [{ pattern: 'depot:*', condition: 'auth.age < 300.0' }] }
    await api('PUT', '/spaces/depot/roles/porter/permissions', set, {
      'if-match': await etag('/spaces/depot/roles/porter'),
    })
    const held = await api('GET', '/resources/depot/holders', undefined, fresh)
    expect(held.json.data).toEqual([
      {
        permission: 'depot:open',
        total: 1,
        holders: [
          {
            type: 'role',
            id: expect.stringMatching(/^rol_/),
            name: 'Porter',
            pattern: 'depot:*',
            effect: 'allow',
            condition: 'auth.age < 300.0',
            validFrom: null,
            validUntil: null,
          },
        ],
      },
    ])
    const orders = (await api('GET', '/resources/orders/holders?q=orders:write')).json.data
    expect(orders[0].holders).toContainEqual(
      expect.objectContaining({ type: 'application', name: 'Demo machine' }),
    )
  })

  test('a role by its id: what it comes to with those above it, and who holds it by name', async () => {
    await api('POST', '/spaces', { key: 'ranks', name: 'Ranks' })
    const role = async (body: object) =>
      String((await api('POST', '/spaces/ranks/roles', body)).json.id)
    await role({ key: 'low', name: 'Low' })
    const high = await role({ key: 'high', name: 'High', parents: ['low'] })
    const put = async (key: string, permissions: object[]) =>
      api(
        'PUT',
        `/spaces/ranks/roles/${key}/permissions`,
        { permissions },
        { 'if-match': await etag(`/spaces/ranks/roles/${key}`) },
      )
    await put('low', [
      { pattern: 'orders:read' },
      { pattern: 'orders:write', validUntil: '2020-01-01T00:00:00Z' },
    ])
    await put('high', [
      { pattern: 'orders:refund', condition: 'auth.age < 300.0' },
      { pattern: 'orders:delete', effect: 'deny' },
    ])
    expect((await api('GET', `/roles/${high}`)).json).toMatchObject({
      key: 'high',
      parents: ['low'],
    })
    const all = await api('GET', `/roles/${high}/effective-permissions`, undefined, fresh)
    expect(all.json.data).toMatchObject([
      { permission: 'orders:delete', gives: 'denied', sources: [{ roles: ['high'] }] },
      { permission: 'orders:read', gives: 'held', sources: [{ roles: ['high', 'low'] }] },
      { permission: 'orders:refund', gives: 'depends', sources: [{ roles: ['high'] }] },
      { permission: 'orders:write', gives: 'not_now', sources: [{ roles: ['high', 'low'] }] },
    ])
    expect((await api('GET', '/roles/rol_nobody')).status).toBe(404)

    await api('PUT', `/users/${ALICE}/roles/${high}`)
    const named = await api('GET', `/roles/${high}/members`)
    expect(named.json.data[0].subject.name).toMatch(/alice/i)
    const blind = caller(portal, await machineToken(portal, 'assignments:read'))
    const unnamed = await blind('GET', `/roles/${high}/members`)
    expect(unnamed.json.data[0].subject).toEqual({ type: 'user', id: ALICE, name: null })

    const impact = (change: object) => api('POST', '/spaces/ranks/impact', { change }, fresh)
    const cycle = { code: 'conflict', errors: [{ pointer: '/parents', code: 'cycle' }] }
    const around = { kind: 'role_parents', role: 'low', parents: ['high'] }
    expect((await impact(around)).json).toMatchObject({ status: 409, ...cycle })
    const version = { 'if-match': await etag('/spaces/ranks/roles/low') }
    const saved = await api('PATCH', '/spaces/ranks/roles/low', { parents: ['high'] }, version)
    expect(saved.json).toMatchObject({ status: 409, ...cycle })

    const group = await api('POST', '/groups', { key: 'night', name: 'Night shift' })
    await api('PUT', `/groups/${group.json.id}/members/usr_demo_admin`)
    const toGroup = { type: 'group', id: group.json.id }
    const given = await impact({ kind: 'assign', role: 'low', subject: toGroup })
    expect(given.json).toMatchObject({
      total: 1,
      affected: [{ subject: { id: 'usr_demo_admin' }, gains: ['orders:read'] }],
    })
    const one = await impact({ kind: 'assign', role: 'low', subject: toGroup, instance: 'o-1' })
    expect(one.json).toMatchObject({ total: 1, affected: [{ gains: ['orders:read'] }] })
    const assignment = await api('POST', '/spaces/ranks/assignments', {
      role: 'low',
      subject: toGroup,
    })
    const ended = {
      kind: 'change_assignment',
      assignment: assignment.json.id,
      validUntil: '2020-01-01T00:00:00Z',
    }
    expect((await impact(ended)).json).toMatchObject({
      total: 1,
      affected: [{ subject: { id: 'usr_demo_admin' }, gains: [], loses: ['orders:read'] }],
    })
    await api(
      'PATCH',
      `/users/${ALICE}`,
      { attributes: { floor: 3 } },
      {
        'if-match': await etag(`/users/${ALICE}`),
      },
    )
    const theirs = await impact({
      kind: 'role_permissions',
      role: 'high',
      permissions: [{ pattern: 'orders:export', condition: 'user.floor == 3' }],
    })
    expect(theirs.json.affected).toMatchObject([
      { gains: ['orders:export'], loses: [], mayLose: ['orders:refund'] },
    ])
  })

  test('an API says how long its tokens live and how they are signed', async () => {
    const path = '/spaces/demo/resources/orders'
    const change = (body: object) => api('PATCH', path, body, { 'if-match': '*' })
    await change({ tokenSeconds: 120, tokenAlg: 'RS256' })
    const got = JSON.parse((await askToken(portal.origin, machineFields(portal))).body)
    expect([got.expires_in, decodeProtectedHeader(got.access_token).alg]).toEqual([120, 'RS256'])
    await change({ tokenSeconds: 3_600, tokenAlg: null })
    const after = JSON.parse((await askToken(portal.origin, machineFields(portal))).body)
    expect([after.expires_in, decodeProtectedHeader(after.access_token).alg]).toEqual([
      3_600,
      'ES256',
    ])
  })

  test('least privilege: granted and never asked for, asked for and always refused', async () => {
    await askToken(portal.origin, machineFields(portal, { scope: 'orders:read orders:refund' }))
    await new Promise((resolve) => setTimeout(resolve, 600))
    const { json } = await api('GET', '/reports/least-privilege?days=1')
    const lines = json.data as { client: string; neverAsked: string[]; alwaysRefused: object[] }[]
    const machine = lines.find(({ client }) => client === 'app_demo_machine')
    expect(machine?.neverAsked).toContain('orders:write')
    expect(machine?.neverAsked).not.toContain('orders:read')
    expect(machine?.alwaysRefused).toContainEqual({
      scope: 'orders:refund',
      times: expect.any(Number),
    })
  })

  describe('manners', () => {
    test('lists: pages, search, sort, count; a forged cursor and strange parameters are 400', async () => {
      for (const key of ['list-a', 'list-b', 'list-c']) {
        await api('POST', '/spaces', { key, name: `100%_${key}` })
      }
      const first = (await api('GET', '/spaces?q=list-&limit=2&count=true')).json as never as {
        data: { key: string }[]
        page: { next: string; total: number }
      }
      expect(first.data.map(({ key }) => key)).toEqual(['list-a', 'list-b'])
      const next = encodeURIComponent(first.page.next)
      const second = (await api('GET', `/spaces?q=list-&limit=2&cursor=${next}`)).json
      expect(second.data).toMatchObject([{ key: 'list-c' }])
      const down = (await api('GET', '/spaces?q=list-&sort=-key')).json
      expect((down.data as { key: string }[]).map(({ key }) => key)).toEqual([
        'list-c',
        'list-b',
        'list-a',
      ])
      // N15: a percent sign is a percent sign.
      expect(
        (await api('GET', `/spaces?q=${encodeURIComponent('100%_l')}`)).json.data,
      ).toHaveLength(3)
      expect((await api('GET', `/spaces?q=${encodeURIComponent('1%_list')}`)).json.data).toEqual([])
      for (const query of [
        'cursor=forged',
        `cursor=${next}x`,
        `sort=-key&cursor=${next}`,
        'limit=0',
        'limit=1000000000',
        'limit=-1',
        'sort=passwordHash',
        'filter[not]=x',
        'select=secret',
        'limit=1&limit=2',
      ]) {
        expect([query, (await api('GET', `/spaces?${query}`)).status]).toEqual([query, 400])
      }
    })

    test('If-Match: absent 428, stale 412 with what is there now, right 200', async () => {
      const path = '/spaces/list-a'
      const change = (headers = {}) => api('PATCH', path, { name: 'Renamed' }, headers)
      expect((await change()).status).toBe(428)
      const stale = await change({ 'if-match': '"99"' })
      expect([stale.status, stale.json.current]).toMatchObject([412, { key: 'list-a' }])
      const done = await change({ 'if-match': '"1"' })
      expect([done.status, done.headers.etag, done.json.name]).toEqual([200, '"2"', 'Renamed'])
      expect((await api('DELETE', path, undefined, { 'if-match': '"1"' })).status).toBe(412)
      expect((await api('DELETE', path, undefined, { 'if-match': '"2"' })).status).toBe(204)
    })

    test('Idempotency-Key: done once; another body is 422', async () => {
      const key = { 'idempotency-key': `k-${kind}` }
      const body = { key: 'once', name: 'Once' }
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => api('POST', '/spaces', body, key)),
      )
      const made = answers.filter(({ status }) => status === 201)
      expect(made.length + answers.filter(({ status }) => status === 409).length).toBe(10)
      expect(new Set(made.map(({ json }) => json.id)).size).toBe(1)
      const again = await api('POST', '/spaces', body, key)
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true'])
      expect((await api('POST', '/spaces', { ...body, name: 'Other' }, key)).status).toBe(422)
    })

    test.each<[string, string, string, unknown, number, string]>([
      ['malformed JSON', 'POST', '/spaces', '{"key":', 400, 'malformed'],
      [
        'an unknown field',
        'POST',
        '/spaces',
        { key: 'x1', name: 'X', isAdmin: true },
        400,
        'invalid',
      ],
      [
        '__proto__',
        'POST',
        '/spaces',
        '{"key":"x2","name":"X","__proto__":{"a":1}}',
        400,
        'invalid',
      ],
      ['a key that is taken', 'POST', '/spaces', { key: 'demo', name: 'X' }, 409, 'conflict'],
      ['no such space', 'GET', '/spaces/nowhere', undefined, 404, 'not_found'],
      ['no such path', 'GET', '/nowhere', undefined, 404, 'not_found'],
      ['a wrong method', 'DELETE', '/spaces', undefined, 405, 'method_not_allowed'],
      [
        'an unknown parent',
        'POST',
        '/spaces/demo/roles',
        { key: 'orphan', name: 'Orphan', parents: ['nobody'] },
        400,
        'invalid',
      ],
      [
        'a grant for an item that does not exist',
        'PUT',
        '/spaces/demo/roles/clerk/permissions/orders:fly',
        undefined,
        400,
        'invalid',
      ],
      [
        'a condition that does not parse',
        'POST',
        '/spaces/demo/assignments',
        { role: 'clerk', subject: { type: 'user', id: ALICE }, condition: 'user.' },
        400,
        'invalid',
      ],
      [
        'an item of another API',
        'POST',
        '/spaces/demo/permissions',
        { key: 'invoices:read', resource: 'orders' },
        400,
        'invalid',
      ],
      [
        'a name that is the portal’s',
        'POST',
        '/spaces/demo/permissions',
        { key: 'roles:write', resource: 'orders' },
        400,
        'invalid',
      ],
      [
        'an operator instead of a value (N13)',
        'POST',
        '/permissions/check',
        { user: { contains: '' }, permission: 'orders:read' },
        400,
        'invalid',
      ],
    ])('%s', async (_what, method, path, body, status, code) => {
      const before = (await api('GET', '/spaces/demo/model')).raw
      const answer = await api(method, path, body)
      expect([answer.status, answer.json.code]).toEqual([status, code])
      expect((await api('GET', '/spaces/demo/model')).raw).toBe(before)
    })

    test('a mistake says where it is', async () => {
      const subject = { type: 'user', id: ALICE }
      const bad = { role: 'clerk', subject, condition: 'user.a && foo' }
      const { json } = await api('POST', '/spaces/demo/assignments', bad)
      expect(json.errors).toEqual([
        {
          pointer: '/condition',
          code: 'custom',
          detail: 'Unknown variable: foo (at character 11)',
        },
      ])
    })

    test('N12: a cycle of roles is 409, also when both halves come at once', async () => {
      for (const key of ['ring-a', 'ring-b']) {
        await api('POST', '/spaces/demo/roles', { key, name: key })
      }
      const into = (key: string, parent: string) =>
        api('PATCH', `/spaces/demo/roles/${key}`, { parents: [parent] }, { 'if-match': '*' })
      const both = await Promise.all([into('ring-a', 'ring-b'), into('ring-b', 'ring-a')])
      expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
      expect((await into('ring-a', 'ring-a')).status).toBe(409)
      for (const key of ['ring-a', 'ring-b']) {
        await api('DELETE', `/spaces/demo/roles/${key}`, undefined, { 'if-match': '*' })
      }
    })

    test('text/plain, no body, too much of it', async () => {
      const send = (headers: Record<string, string>, body: string) =>
        ask(portal.origin, {
          method: 'POST',
          path: '/api/v1/spaces',
          headers: { authorization: `Bearer ${token}`, ...headers },
          body,
        })
      expect((await send({ 'content-type': 'text/plain' }, '{}')).status).toBe(415)
      expect((await send({}, '')).status).toBe(415)
      const json = { 'content-type': 'application/json' }
      expect((await send(json, '')).status).toBe(400)
      expect((await send(json, `{"x":"${'x'.repeat(3 * 1024 * 1024)}"}`)).status).toBe(413)
      expect((await send(json, '['.repeat(100_000))).status).toBe(400)
    })
  })

  describe('N1, H6: who may call', () => {
    const filled = (path: string) => path.replaceAll(/\{\w+\}/g, 'demo')
    const guarded = routes.filter(({ scope }) => scope !== 'public')
    const cases = guarded.map((route): [string, string] => [route.method, filled(route.path)])

    test.each(cases)(
      '%s %s: nobody 401, another scope 403, another audience 401',
      async (method, path) => {
        const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined
        const anonymous = await caller(portal, null)(method, path, body)
        expect(anonymous.status).toBe(401)
        expect(anonymous.headers['www-authenticate']).toBe(`Bearer realm="${portal.origin}"`)
        const scope = guarded.find(
          (one) => one.method === method && filled(one.path) === path,
        )?.scope
        const other = scope === 'audit:read' ? 'roles:read' : 'audit:read'
        const forbidden = await caller(portal, await narrow(other))(method, path, body)
        expect(forbidden.status).toBe(403)
        expect(forbidden.headers['www-authenticate']).toContain(`scope="${scope}"`)
        const foreign = await caller(portal, await narrow('orders:read'))(method, path, body)
        expect(foreign.status).toBe(401)
        expect(foreign.headers['www-authenticate']).toContain('error="invalid_token"')
      },
    )

    const tokens = new Map<string, Promise<string>>()
    function narrow(scope: string): Promise<string> {
      const known = tokens.get(scope) ?? machineToken(portal, scope)
      tokens.set(scope, known)
      return known
    }

    test('M15: an admin’s session, from our own page only; a plain user’s never', async () => {
      const demo = portal.demo()
      const signedIn = async (who: { email: string; password: string }) => {
        const browser = new OldBrowser(portal.origin)
        await browser.signIn(await browser.open('/login'), who)
        return browser
      }
      const admin = await signedIn(demo.admin)
      const user = await signedIn(demo.users[0] ?? demo.admin)
      const cookie = (browser: typeof admin) => ({ cookie: browser.cookieHeader() })
      const asked = caller(portal, null)
      expect((await asked('GET', '/spaces', undefined, cookie(admin))).status).toBe(200)
      expect((await asked('GET', '/spaces', undefined, cookie(user))).status).toBe(403)
      const body = { key: 'by-session', name: 'By session' }
      const own = { 'x-gatehouse-request': '1', origin: portal.origin }
      for (const headers of [
        {},
        { origin: portal.origin },
        { ...own, origin: 'https://evil.test' },
        { ...own, origin: 'null' },
      ]) {
        const answer = await asked('POST', '/spaces', body, { ...cookie(admin), ...headers })
        expect(answer.status).toBe(403)
      }
      const done = await asked('POST', '/spaces', body, { ...cookie(admin), ...own })
      expect(done.status).toBe(201)
    })

    test('a token for a user does what that user may do, and no more', async () => {
      const house = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
      await house.changePolicy((tx) =>
        tx.grant.createMany({
          data: ['roles:read', 'roles:write'].map((pattern) => ({
            id: `grn_user_${pattern}`,
            applicationId: 'app_demo_web',
            pattern,
            createdAt: new Date(),
            updatedAt: new Date(),
          })),
        }),
      )
      await new Promise((resolve) => setTimeout(resolve, 1_050))
      const asAlice = caller(portal, await tokenOf(portal))
      expect((await asAlice('GET', '/spaces/demo/roles')).status).toBe(403)
      await house.db.user.update({ where: { id: ALICE }, data: { adminRole: 'auditor' } })
      expect((await asAlice('GET', '/spaces/demo/roles')).status).toBe(200)
      const written = await asAlice('POST', '/spaces/demo/roles', { key: 'no', name: 'No' })
      expect(written.status).toBe(403)
      await house.db.user.update({ where: { id: ALICE }, data: { adminRole: null } })
      await house.close()
    })

    async function tokenOf(at: Portal): Promise<string> {
      const demo = at.demo()
      const browser = await aliceAtWeb(at)
      const scope = 'openid roles:read roles:write'
      const page = await browser.open(authorizeUrl(webRequest(demo, { scope })))
      const done = page.url.includes('/consent')
        ? await browser.submit(page, { scope: ['roles:read', 'roles:write'] })
        : page
      const code = new URL(done.url).searchParams.get('code') ?? ''
      const answer = await askToken(at.origin, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: demo.web.redirect_uris[0] ?? '',
        client_id: demo.web.client_id,
        client_secret: demo.web.client_secret,
      })
      return JSON.parse(answer.body).access_token
    }
  })

  test('freshness: at once here; elsewhere within a second, and at once with Consistency: higher', async () => {
    const there = caller(second, token)
    const role = await roleId('manager')
    expect(await check('orders:refund')).toBe(false)
    expect(await check('orders:refund', {}, there)).toBe(false)
    await api('PUT', `/users/${ALICE}/roles/${role}`)
    const asked = { user: ALICE, permission: 'orders:refund' }
    const latest = await there('POST', '/permissions/check', asked, fresh)
    expect([await check('orders:refund'), latest.json.allowed]).toEqual([true, true])
    await api('DELETE', `/users/${ALICE}/roles/${role}`)
    expect(await check('orders:refund')).toBe(false)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(await check('orders:refund', {}, there)).toBe(false)
  })
})
