import { describe, expect, test } from 'vitest'
import { caller, machineToken } from '../../support/api'
import { askToken, machineFields } from '../../support/ask'
import { usually } from '../../support/databases'
import {
  ALICE,
  api,
  check,
  fresh,
  portal,
  roleId,
  second,
  startPermissionApi,
  token,
} from '../../support/permission-api'

describe.each(usually('sqlite'))('permission checks on %s', (kind) => {
  startPermissionApi(kind)

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
      path: [{ pattern: 'stock:count', roles: ['counter'], outcome: 'met' }],
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
      nearMisses: [{ outcome: 'expired' }],
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
    expect(await check('stock:fly')).toBe(false)
  })

  test('N10: what or which nobody knows is refused with 200, an unknown user with 404; what cannot be read is 400', async () => {
    const unknown = ['usr_nobody', 'nobody', 'nobody@gatehouse.example']
    const foreign = { issuer: 'https://nowhere.example', subject: '1' }
    for (const user of [...unknown, foreign]) {
      for (const path of ['/permissions/check', '/permissions/explain']) {
        const answer = await api('POST', path, { user, permission: 'orders:read' })
        expect([answer.status, answer.json.code]).toEqual([404, 'unknown_user'])
      }
    }
    const checks = [ALICE, 'usr_nobody'].map((user) => ({ user, permission: 'orders:read' }))
    const { json } = await api('POST', '/permissions/check:batch', { checks })
    expect(json.results.map(({ code }: { code?: string }) => code)).toEqual([
      undefined,
      'unknown_user',
    ])
    expect(await check('nothing:known')).toBe(false)
    expect(await check('orders:read', { user: undefined, client: 'app_nobody' })).toBe(false)
    const malformed = await api('POST', '/permissions/check', { user: ALICE, permission: 7 })
    expect(malformed.status).toBe(400)
    const question = { user: ALICE, permission: 'orders:read' }
    const nobody = await caller(portal, null)('POST', '/permissions/check', question)
    expect(nobody.status).toBe(401)
    expect(nobody.headers['www-authenticate']).toContain('Bearer')
  })

  test('a user is called what the caller knows: ID, user name, verified address, account at a provider', async () => {
    const fields = { username: 'rita', email: 'rita@people.example' }
    const { id } = (await api('POST', '/users', fields)).json
    const role = (await api('GET', '/spaces/demo/roles')).json.data.find(
      ({ type }: { type: string }) => type === 'user',
    )
    await api('PUT', `/users/${id}/roles/${role.id}`)
    const { data } = (await api('GET', `/users/${id}/effective-permissions`)).json
    const { permission } = data.find(({ depends }: { depends: unknown }) => depends === null)
    const asked = async (user: unknown) =>
      (await api('POST', '/permissions/check', { user, permission })).json
    for (const user of [id, 'rita', 'RITA']) expect((await asked(user)).allowed).toBe(true)
    // An address that nobody has verified names nobody.
    expect(await asked('rita@people.example')).toMatchObject({ code: 'unknown_user' })
    const verified = { emailVerified: true }
    await api('PATCH', `/users/${id}`, verified, { 'if-match': '*' })
    expect((await asked('Rita@People.example')).allowed).toBe(true)
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
    type Decided = { scope: string; granted: boolean; code: string; next_action: string }
    const refused = (json.decisions as Decided[])
      .filter(({ granted }) => !granted)
      .map(({ scope, code, next_action }) => ({ scope, code, next_action }))
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
    await expect.poll(() => check('orders:refund', {}, there)).toBe(false)
  })
})
