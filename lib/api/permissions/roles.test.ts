import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import type { PortalScope } from '../../access/portal-api'
import type { Caller } from '../http/caller'
import { importModel } from './model-routes'
import { replaceRolePermissions } from './role-permissions'
import { changeRole, createRole, deleteRole } from './roles'
import { deleteSpace } from './spaces'

/**
 * A role of an application may deny it something. Whoever may only write roles must not give an
 * application more by taking the deny away, whichever way leads there (attack N5).
 */

describe.each(usually('sqlite'))('N5: what a role denies to an application, on %s', (kind) => {
  let portal: Operations
  const model = {
    resources: [
      {
        prefix: 'orders',
        name: 'Orders',
        audience: 'https://orders.test',
        permissions: [{ key: 'orders:read' }, { key: 'orders:refund' }],
      },
    ],
    roles: [
      {
        key: 'careful',
        name: 'Careful',
        permissions: [{ pattern: 'orders:refund', effect: 'deny' }],
      },
      { key: 'clerk', name: 'Clerk', parents: ['careful'] },
      { key: 'free', name: 'Free' },
    ],
  }

  beforeAll(async () => {
    portal = await openOperations(kind, {
      spaces: [{ key: 'shop', name: 'Shop', ...model }],
      applications: [{ id: 'bot', kind: 'machine', name: 'Bot', grants: ['orders:*'] }],
      assignments: [{ space: 'shop', role: 'clerk', subject: { type: 'client', id: 'bot' } }],
    })
  })
  afterAll(() => portal.close())

  /** An application that may write roles, spaces and what is in them, and no APIs. */
  const writer: Caller = {
    kind: 'client',
    id: 'app_writer',
    scopes: new Set<PortalScope>(['roles:write', 'roles:read', 'spaces:read', 'spaces:write']),
    lost: new Set(),
    adminRole: null,
    ownOnly: false,
    through: null,
  }
  const refused = (operation: { id: string }, role: string, body?: unknown) =>
    portal.refused(writer, operation, { params: { space: 'shop', role }, body })

  test('stays if the role is to lose its parent', async () => {
    expect(await refused(changeRole, 'clerk', { parents: [] })).toBe('forbidden authority')
  })

  test('stays if the role is to be deleted that has it from its parent', async () => {
    expect(await refused(deleteRole, 'clerk')).toBe('forbidden authority')
  })

  test('stays if the parent is to be deleted, or to deny nothing', async () => {
    expect(await refused(deleteRole, 'careful')).toBe('forbidden authority')
    const body = { permissions: [] }
    expect(await refused(replaceRolePermissions, 'careful', body)).toBe('forbidden authority')
  })

  test('stays if the space, or the roles in it, are to go', async () => {
    const params = { space: 'shop' }
    const body = { ...model, roles: [] }
    expect(await portal.refused(writer, deleteSpace, { params })).toBe('forbidden scope_needed')
    expect(await portal.refused(writer, importModel, { params, body })).toBe(
      'forbidden scope_needed',
    )
  })

  test('is named in the refusal with those who could do it', async () => {
    const params = { space: 'shop', role: 'clerk' }
    await expect(portal.ask(writer, deleteRole, { params })).rejects.toMatchObject({
      options: {
        members: {
          missing: ['orders:refund'],
          couldBeGivenBy: [{ api: 'orders', owners: [] }, { role: 'admin' }],
        },
      },
    })
  })

  test('does not stand in the way of roles that no application holds', async () => {
    expect(await refused(deleteRole, 'free')).toBe('not refused')
    const body = { key: 'new', name: 'New', parents: ['careful'] }
    const params = { space: 'shop' }
    expect(await portal.refused(writer, createRole, { params, body })).toBe('not refused')
    expect(await refused(deleteRole, 'new')).toBe('not refused')
  })
})
