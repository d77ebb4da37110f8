import { decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { caller, machineToken } from '../../support/api'
import { askToken, machineFields } from '../../support/ask'
import { usually } from '../../support/databases'
import { ALICE, api, etag, fresh, portal, startPermissionApi } from '../../support/permission-api'

describe.each(usually('sqlite'))('APIs and roles on %s', (kind) => {
  startPermissionApi(kind)

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
            exchangeFrom: null,
            request: null,
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

  test('D31: an API says of which type its tokens are, for every application that calls it', async () => {
    const path = '/spaces/demo/resources/orders'
    const change = (body: object) => api('PATCH', path, body, { 'if-match': '*' })
    const ofMachine = (body: object) =>
      api('PATCH', '/applications/app_demo_machine', body, { 'if-match': '*' })
    const typeNow = async () => {
      const got = JSON.parse((await askToken(portal.origin, machineFields(portal))).body)
      return { token: String(got.access_token), typ: decodeProtectedHeader(got.access_token).typ }
    }
    expect((await api('GET', path)).json.tokenType).toBe('at+jwt')
    expect((await typeNow()).typ).toBe('at+jwt')
    expect((await change({ tokenType: 'JWT' })).json.tokenType).toBe('JWT')
    const plain = await typeNow()
    expect(plain.typ).toBe('JWT')
    const read = await api('POST', '/tokens/inspect', { token: plain.token })
    expect(read.json).toMatchObject({ state: 'active', use: 'access_token' })
    const { json: model } = await api('GET', '/spaces/demo/model')
    const ofOrders = model.resources.find(({ prefix }: { prefix: string }) => prefix === 'orders')
    expect(ofOrders.tokenType).toBe('JWT')
    await change({ tokenType: 'at+jwt' })
    expect((await typeNow()).typ).toBe('at+jwt')
    // What an application is set to goes on working.
    await ofMachine({ accessTokenType: 'JWT' })
    expect((await typeNow()).typ).toBe('JWT')
    await ofMachine({ accessTokenType: 'at+jwt' })
    const wrong = await change({ tokenType: 'jwt' })
    expect([wrong.status, wrong.json.errors[0].pointer]).toEqual([400, '/tokenType'])
  })

  test('least privilege: granted and never asked for, asked for and always refused', async () => {
    await askToken(portal.origin, machineFields(portal, { scope: 'orders:read orders:refund' }))
    await portal.op.settled()
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
})
