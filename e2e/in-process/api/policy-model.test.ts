import { describe, expect, test } from 'vitest'
import { caller, machineToken } from '../../support/api'
import { askToken } from '../../support/ask'
import { usually } from '../../support/databases'
import { aliceAtWeb, getCode, webRequest } from '../../support/flow'
import {
  ALICE,
  api,
  check,
  etag,
  portal,
  roleId,
  startPermissionApi,
} from '../../support/permission-api'

describe.each(usually('sqlite'))('the model of a space on %s', (kind) => {
  startPermissionApi(kind)

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

  describe('an import is refused for what a single change is refused for', () => {
    const orders = { prefix: 'orders', name: 'Orders', audience: 'https://orders.example.com' }
    const dryRun = (model: object) => api('PUT', '/spaces/demo/model?dryRun=true', model)
    const portalApi = () => `${portal.origin}/api/v1`

    async function pointers(answer: Awaited<ReturnType<typeof api>>) {
      const errors = (answer.json.errors ?? []) as { pointer: string }[]
      return [answer.status, ...errors.map(({ pointer }) => pointer)]
    }

    test('400 for an audience that is no URL of an API, or has a fragment (RFC 8707 §2)', async () => {
      for (const audience of ['javascript:alert(1)', 'https://orders.example.com/#part']) {
        const resources = [{ ...orders, audience }]
        const pointer = '/resources/0/audience'
        expect(await pointers(await dryRun({ resources }))).toEqual([400, pointer])
        const single = await api('POST', '/spaces/demo/resources', resources[0])
        expect(await pointers(single)).toEqual([400, '/audience'])
      }
    })

    test('400 for the audience of the portal itself, also when an API is changed', async () => {
      const resources = [{ ...orders, audience: portalApi() }]
      expect(await pointers(await dryRun({ resources }))).toEqual([400, '/resources/0/audience'])
      const path = '/spaces/demo/resources/orders'
      const seen = { 'if-match': await etag(path) }
      const changed = await api('PATCH', path, { audience: portalApi() }, seen)
      expect(await pointers(changed)).toEqual([400, '/audience'])
    })

    test('400 for a key that is there twice, in one API or in two', async () => {
      const shop = { prefix: 'shop', name: 'Shop', audience: 'https://shop.example.com' }
      const resources = [
        {
          ...orders,
          permissions: [{ key: 'orders:read' }, { key: 'orders:read' }, { key: 'all' }],
        },
        { ...shop, permissions: [{ key: 'all' }] },
      ]
      expect(await pointers(await dryRun({ resources }))).toEqual([
        400,
        '/resources/0/permissions/1/key',
        '/resources/1/permissions/0/key',
      ])
    })

    test('409 for roles in a circle', async () => {
      const roles = [
        { key: 'a', name: 'A', parents: ['b'] },
        { key: 'b', name: 'B', parents: ['a'] },
      ]
      const answer = await dryRun({ roles })
      expect(await pointers(answer)).toEqual([409, '/roles'])
      expect(answer.json.errors).toMatchObject([{ code: 'cycle' }])
    })

    test('400 for a grant of an item that does not exist, in the same words', async () => {
      const permissions = [{ pattern: 'nothing:read' }]
      const answer = await dryRun({ roles: [{ key: 'a', name: 'A', permissions }] })
      const seen = { 'if-match': await etag('/spaces/demo/roles/clerk') }
      const single = await api('PUT', '/spaces/demo/roles/clerk/permissions', { permissions }, seen)
      const said = { code: 'unknown_permission', detail: 'This permission does not exist.' }
      expect([answer.json.errors, single.json.errors]).toMatchObject([[said], [said]])
    })
  })

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
})
