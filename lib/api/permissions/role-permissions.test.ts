import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { shop } from '../../../e2e/support/shop'
import {
  grantRolePermission,
  listRolePermissions,
  replaceRolePermissions,
  revokeRolePermission,
} from './role-permissions'

/** The grants of a role: what is added, what counts as there already, and what is refused. */

describe.each(usually('sqlite'))('the grants of a role, on %s', (kind) => {
  let portal: Operations
  const params = { space: 'shop', role: 'clerk' }

  beforeAll(async () => {
    portal = await openOperations(kind, {
      users: [{ username: 'adam', adminRole: 'admin' }],
      spaces: [
        shop([{ key: 'orders:read' }, { key: 'orders:refund' }], [{ key: 'clerk', name: 'Clerk' }]),
      ],
    })
  })
  afterAll(() => portal.close())

  const replace = (...permissions: unknown[]) =>
    portal.ask(portal.owner, replaceRolePermissions, { params, body: { permissions } })
  const add = (key: string) =>
    portal.ask(portal.owner, grantRolePermission, { params: { ...params, key } })
  const listed = async () => {
    const { body, version } = await portal.ask(portal.owner, listRolePermissions, { params })
    return { version, patterns: body.permissions.map((one: { pattern: string }) => one.pattern) }
  }

  test('one that is there without terms is not added again, and the role keeps its version', async () => {
    await replace('orders:read')
    const before = await listed()
    expect((await add('orders:read')).status).toBe(204)
    expect(await listed()).toEqual(before)
  })

  test.each<[string, object]>([
    ['begins later', { validFrom: '2090-01-01T00:00:00Z' }],
    ['ends', { validUntil: '2090-01-01T00:00:00Z' }],
    ['has a condition', { condition: 'user.branch == "Bern"' }],
    ['denies', { effect: 'deny' }],
  ])('one that %s is not the one that is asked for, which is added', async (_what, terms) => {
    await replace({ pattern: 'orders:read', ...terms })
    await add('orders:read')
    expect((await listed()).patterns).toEqual(['orders:read', 'orders:read'])
  })

  test('a pattern does not stand for the permission that it covers', async () => {
    await replace('orders:*')
    await add('orders:read')
    expect((await listed()).patterns.sort()).toEqual(['orders:*', 'orders:read'])
  })

  test('what is taken away goes with all its terms, and nothing else', async () => {
    await replace('orders:read', { pattern: 'orders:read', effect: 'deny' }, 'orders:*')
    await portal.ask(portal.owner, revokeRolePermission, {
      params: { ...params, key: 'orders:read' },
    })
    expect((await listed()).patterns).toEqual(['orders:*'])
  })

  test.each([
    ['orders:none', 'invalid /key unknown_permission'],
    ['users:read', 'invalid /key unknown_permission'],
    ['orders:re*', 'invalid /key pattern_shape'],
    ['*', 'invalid /key pattern_shape'],
  ])('%s cannot be added: %s', async (key, told) => {
    const asked = { params: { ...params, key } }
    expect(await portal.refused(portal.owner, grantRolePermission, asked)).toBe(told)
  })

  test('what is in force cannot end in the past, and the place is named', async () => {
    await replace('orders:read')
    const body = {
      permissions: [
        'orders:refund',
        { pattern: 'orders:read', validUntil: '2000-01-01T00:00:00Z' },
      ],
    }
    expect(await portal.refused(portal.owner, replaceRolePermissions, { params, body })).toBe(
      'invalid /permissions/1/validUntil future_needed',
    )
    expect((await listed()).patterns).toEqual(['orders:read'])
  })

  test('another version is refused, and nothing changes', async () => {
    await replace('orders:read')
    const asked = { params, body: { permissions: [] } }
    const refused = (ifMatch: string | null) =>
      portal.refused(portal.owner, replaceRolePermissions, { ...asked, ifMatch })
    expect(await refused('"0"')).toMatch(/^stale /)
    expect(await refused(null)).toMatch(/^version_needed /)
    expect((await listed()).patterns).toEqual(['orders:read'])
  })

  test('N5: an admin changes no role that they hold, in none of these ways', async () => {
    await portal.apply({
      assignments: [{ space: 'shop', role: 'clerk', subject: { type: 'user', id: 'adam' } }],
    })
    const adam = await portal.as('adam')
    const key = { params: { ...params, key: 'orders:refund' } }
    for (const [operation, asked] of [
      [grantRolePermission, key],
      [revokeRolePermission, key],
      [replaceRolePermissions, { params, body: { permissions: [] } }],
    ] as const) {
      expect(await portal.refused(adam, operation, asked)).toBe('forbidden own_permissions')
    }
  })
})
