import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { shop } from '../../../e2e/support/shop'
import { deleteAssignment, listAssignments } from '../permissions/assignments'
import { deleteGroup, getGroup, removeGroupMember } from '../permissions/groups'
import { importModel } from '../permissions/model-routes'
import { changeRole, deleteRole } from '../permissions/roles'
import { deleteSpace, getSpace } from '../permissions/spaces'
import { takeRole } from '../users/user-roles'

/**
 * An admin who is held back by a deny could lift it by taking away what it comes from. Nobody but an
 * owner decides about their own permissions, whichever way leads there (attack N5).
 */

const OWN = 'forbidden own_permissions'

describe.each(usually('sqlite'))('N5: a deny that an admin is under, on %s', (kind) => {
  let portal: Operations

  beforeAll(async () => {
    const deny = { pattern: 'orders:refund', effect: 'deny' }
    const space = (key: string) => ({
      key,
      name: key,
      roles: [{ key: 'careful', name: 'Careful', permissions: [deny] }],
    })
    const holds = (space: string, type: 'user' | 'group', id: string) => ({
      space,
      role: 'careful',
      subject: { type, id },
    })
    portal = await openOperations(kind, {
      users: [
        { username: 'root', adminRole: 'owner' },
        { username: 'adam', adminRole: 'admin' },
        { username: 'eve', adminRole: 'admin' },
      ],
      groups: [{ key: 'crew', name: 'Crew', members: ['adam', 'root'] }],
      spaces: [
        shop([{ key: 'orders:refund' }]),
        space('direct'),
        space('by-group'),
        space('others'),
      ],
      assignments: [
        holds('direct', 'user', 'adam'),
        holds('by-group', 'group', 'crew'),
        holds('others', 'user', 'eve'),
      ],
    })
  })
  afterAll(() => portal.close())

  const refused = async (operation: { id: string }, asked: object) =>
    portal.refused(await portal.as('adam'), operation, asked)
  const roleIn = async (space: string) => {
    const { body } = await portal.ask(portal.owner, listAssignments, { params: { space } })
    return { role: body.data[0].role, assignment: body.data[0].id }
  }

  test.each(['direct', 'by-group'])('is not lifted by its role: %s', async (space) => {
    const { role, assignment } = await roleIn(space)
    const params = { space, role }
    expect(await refused(deleteRole, { params })).toBe(OWN)
    expect(await refused(changeRole, { params, body: { parents: [] } })).toBe(OWN)
    expect(await refused(deleteAssignment, { params: { space, id: assignment } })).toBe(OWN)
    const model = { resources: [], roles: [] }
    expect(await refused(importModel, { params: { space }, body: model })).toBe(OWN)
  })

  test('is not lifted by taking the role from oneself, nor by leaving the group', async () => {
    const { role } = await roleIn('direct')
    expect(await refused(takeRole, { params: { user: 'adam', role } })).toBe(OWN)
    expect(await refused(removeGroupMember, { params: { group: 'crew', user: 'adam' } })).toBe(OWN)
  })

  test('is not lifted by deleting the group', async () => {
    const params = { group: 'crew' }
    expect(await refused(deleteGroup, { params })).toBe(OWN)
    expect((await portal.ask(portal.owner, getGroup, { params })).status).toBe(200)
  })

  test.each(['direct', 'by-group'])('is not lifted by deleting the space: %s', async (space) => {
    expect(await refused(deleteSpace, { params: { space } })).toBe(OWN)
    expect((await portal.ask(portal.owner, getSpace, { params: { space } })).status).toBe(200)
  })

  test('may be lifted by somebody who is not under it, and by an owner who is', async () => {
    expect(await refused(deleteSpace, { params: { space: 'others' } })).toBe('not refused')
    const [eve, root] = [await portal.as('eve'), await portal.as('root')]
    expect(await portal.refused(eve, deleteSpace, { params: { space: 'direct' } })).toBe(
      'not refused',
    )
    expect(await portal.refused(root, deleteGroup, { params: { group: 'crew' } })).toBe(
      'not refused',
    )
  })
})
