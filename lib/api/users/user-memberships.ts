import { z } from 'zod'
import { listGroupsOf } from '../../store/permissions/groups'
import { listAnyRolePage, listRolesOf } from '../../store/permissions/roles'
import { requireUser } from '../authority/user-rules'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { iso, termsWire } from '../http/schemas'

/** The groups of a user, and the roles that were given to them, in all spaces. */

export const groupSchema = z.object({ id: z.string(), key: z.string(), name: z.string() })

export const roleSchema = z.object({
  assignment: z.string(),
  role: z.string(),
  key: z.string(),
  name: z.string(),
  space: z.string(),
  group: z.string().nullable().describe('The group that the user has the role through'),
  instance: z.string().nullable(),
  ...termsWire,
})

const anyRoleSchema = z.object({
  id: z.string(),
  space: z.string(),
  key: z.string(),
  name: z.string(),
  type: z.string(),
})

export type GroupOf = z.infer<typeof groupSchema>
export type RoleOf = z.infer<typeof roleSchema>

export const listUserGroups = operation({
  id: 'listUserGroups',
  method: 'GET',
  path: '/users/{user}/groups',
  summary: 'List the groups of a user',
  scope: 'users:read',
  answers: { 200: z.object({ data: z.array(groupSchema) }) },
  async handle(op, { params }) {
    const { id } = await requireUser(op, params.user)
    return { status: 200, body: { data: await op.read((db) => listGroupsOf(db, id)) } }
  },
})

type RoleRow = Awaited<ReturnType<typeof listRolesOf>>[number]

export function roleWire({ id: assignment, role, groupId, instance, ...terms }: RoleRow) {
  return {
    assignment,
    role: role.id,
    key: role.key,
    name: role.name,
    space: role.spaceId,
    group: groupId,
    instance,
    effect: terms.effect,
    condition: terms.condition,
    validFrom: iso(terms.validFrom),
    validUntil: iso(terms.validUntil),
  }
}

export const listUserRoles = operation({
  id: 'listUserRoles',
  method: 'GET',
  path: '/users/{user}/roles',
  summary: 'List the roles of a user in all spaces, given directly or through a group',
  scope: 'assignments:read',
  answers: { 200: z.object({ data: z.array(roleSchema) }) },
  async handle(op, { params }) {
    const { id } = await requireUser(op, params.user)
    const rows = await op.read((db) => listRolesOf(db, id))
    return { status: 200, body: { data: rows.map(roleWire) } }
  },
})

export const listAllRoles = operation({
  id: 'listAllRoles',
  method: 'GET',
  path: '/roles',
  summary: 'List the roles of all spaces',
  scope: 'roles:read',
  query: listQuery(['name', 'key', 'createdAt']),
  answers: { 200: pageSchema(anyRoleSchema) },
  handle: (op, { query }) =>
    listed(
      op,
      query,
      { name: 'all-roles', filters: {}, list: listAnyRolePage },
      ({ id, spaceId: space, key, name, type }) => ({ id, space, key, name, type }),
    ),
})

export const userMembershipRoutes = [
  ...tagged('Users', [listUserGroups, listUserRoles]),
  ...tagged('Roles', [listAllRoles]),
]
