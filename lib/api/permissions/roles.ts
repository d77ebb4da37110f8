import { z } from 'zod'
import type { Privilege } from '../../access/authority'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import {
  findRole,
  grantsOfRole,
  insertRole,
  listRolePage,
  type NewGrant,
  type RoleRow,
  removeRole,
  updateRole,
} from '../../store/permissions/roles'
import { type ChangeEntry, change, changeSeen } from '../authority/change'
import {
  privilegesOfOwnRole,
  privilegesOfParents,
  privilegesOfRemovingRole,
  privilegesOfRoleChange,
  writtenRow,
} from '../authority/privileges'
import { saveParents } from '../authority/role-tree'
import { wantedOf } from '../http/caller'
import { type Call, operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema } from '../http/page'
import { invalidField, requireFound } from '../http/problem'
import { keySchema, nameSchema, stampsWire, textSchema } from '../http/schemas'
import { requireSeen, requireWritten } from '../http/version'
import { wireOf } from '../http/wire'
import { requireSpace } from './spaces'

export const ROLE_TYPES = ['user', 'service'] as const

export const roleSchema = z.object({
  id: z.string(),
  space: z.string(),
  key: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  type: z.enum(ROLE_TYPES),
  parents: z.array(z.string()),
  ...stampsWire,
})

export type RoleWire = z.infer<typeof roleSchema>

const fields = z.strictObject({
  key: keySchema,
  name: nameSchema,
  description: textSchema.nullable(),
  type: z.enum(ROLE_TYPES),
  /** IDs or keys of roles of the same space: who holds this role holds those too. */
  parents: z.array(z.string().max(255)).max(50),
})
export const roleContent = fields.extend({
  description: fields.shape.description.default(null),
  type: fields.shape.type.default('user'),
  parents: fields.shape.parents.default([]),
})

export function roleToWire(row: RoleRow) {
  const parents = row.parents.map(({ parent }) => parent.key).sort()
  return wireOf(roleSchema, row, { space: row.spaceId, parents })
}

export async function requireRole(op: Op, space: string, name: string): Promise<RoleRow> {
  const { id: spaceId } = await requireSpace(op, space)
  return requireFound(await op.read((db) => findRole(db, spaceId, name)), 'no_role', name)
}

// ---------------------------------------------------------------- parents

async function parentIds(op: Op, spaceId: string, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map((name) => op.read((db) => findRole(db, spaceId, name))))
  return found.map((role, at) => {
    if (role) return role.id
    throw invalidField(`/parents/${at}`, errorMessage('unknown_role'))
  })
}

// ---------------------------------------------------------------- writing

type RoleCall = Call<{ space: string; role: string }, unknown, unknown>
type Patch = Partial<z.infer<typeof roleContent>>

async function saveRole(op: Op, call: RoleCall, before: RoleRow, patch: Patch) {
  const { id, spaceId } = before
  const { parents, ...fields } = patch
  const ids = parents && (await parentIds(op, spaceId, parents))
  const { policy } = await op.latestSnapshot(wantedOf(call.caller))
  const gives = [
    ...privilegesOfOwnRole(policy, call.caller, id),
    ...(ids
      ? await privilegesOfParents(op, policy, id, policy.roles.get(id)?.parentIds ?? [], ids)
      : []),
  ]
  const detail = { before: roleToWire(before), after: patch }
  await change(op, call, { event: 'role.changed', gives, kind: 'role', id, detail }, async (tx) => {
    requireWritten(await updateRole(tx, before, withoutUndefined(fields), op.now()))
    if (ids) await saveParents(tx, spaceId, new Map([[id, ids]]))
  })
  const after = await requireRole(op, spaceId, id)
  return { status: 200 as const, body: roleToWire(after), version: after.version }
}

/** The new grants of a role, for its holders and perhaps for the caller. */
export async function regranting(
  op: Op,
  { caller }: Call,
  roleId: string,
  after: readonly NewGrant[],
): Promise<Privilege[]> {
  const { policy } = await op.latestSnapshot(wantedOf(caller))
  const held = await op.read((db) => grantsOfRole(db, roleId))
  const grants = [held.map(writtenRow), after.map(writtenRow)] as const
  return [
    ...privilegesOfOwnRole(policy, caller, roleId),
    ...(await privilegesOfRoleChange(op, policy, roleId, ...grants)),
  ]
}

export const listRoles = operation({
  id: 'listRoles',
  method: 'GET',
  path: '/spaces/{space}/roles',
  summary: 'List the roles of a space',
  scope: 'roles:read',
  query: listQuery(['key', 'name', 'createdAt'], {
    type: z.enum(ROLE_TYPES).optional(),
  }),
  answers: { 200: pageSchema(roleSchema) },
  async handle(op, { params, query }) {
    const { id: spaceId } = await requireSpace(op, params.space)
    return listed(
      op,
      query,
      { name: 'roles', filters: { spaceId, type: query.type }, list: listRolePage },
      roleToWire,
    )
  },
})

export const createRole = operation({
  id: 'createRole',
  method: 'POST',
  path: '/spaces/{space}/roles',
  summary: 'Create a role',
  scope: 'roles:write',
  body: roleContent,
  example: { key: 'accountant', name: 'Accountant', parents: ['clerk'] },
  answers: { 201: roleSchema },
  async handle(op, call) {
    const { id: spaceId } = await requireSpace(op, call.params.space)
    const { parents, ...body } = call.body
    const ids = await parentIds(op, spaceId, parents)
    const id = newId('rol')
    const entry: ChangeEntry = {
      event: 'role.created',
      gives: [],
      kind: 'role',
      id,
      detail: { after: call.body },
    }
    await change(op, call, entry, async (tx) => {
      await insertRole(tx, { id, spaceId, ...body }, op.now())
      await saveParents(tx, spaceId, new Map([[id, ids]]))
    })
    const row = await requireRole(op, spaceId, id)
    return { status: 201, body: roleToWire(row), version: row.version }
  },
})

const getRole = operation({
  id: 'getRole',
  method: 'GET',
  path: '/spaces/{space}/roles/{role}',
  summary: 'Read a role',
  scope: 'roles:read',
  answers: { 200: roleSchema },
  async handle(op, { params }) {
    const row = await requireRole(op, params.space, params.role)
    return { status: 200, body: roleToWire(row), version: row.version }
  },
})

const replaceRole = operation({
  id: 'replaceRole',
  method: 'PUT',
  path: '/spaces/{space}/roles/{role}',
  summary: 'Replace the fields of a role',
  scope: 'roles:write',
  body: roleContent,
  example: { key: 'accountant', name: 'Accountant', parents: [] },
  answers: { 200: roleSchema },
  async handle(op, call) {
    const before = await requireRole(op, call.params.space, call.params.role)
    requireSeen(call.ifMatch, before, roleToWire(before))
    return saveRole(op, call, before, call.body)
  },
})

export const changeRole = operation({
  id: 'changeRole',
  method: 'PATCH',
  path: '/spaces/{space}/roles/{role}',
  summary: 'Change a role',
  scope: 'roles:write',
  body: fields.partial(),
  example: { name: 'Chief accountant' },
  answers: { 200: roleSchema },
  async handle(op, call) {
    const before = await requireRole(op, call.params.space, call.params.role)
    requireSeen(call.ifMatch, before, roleToWire(before))
    return saveRole(op, call, before, withoutUndefined(call.body))
  },
})

export const deleteRole = operation({
  id: 'deleteRole',
  method: 'DELETE',
  path: '/spaces/{space}/roles/{role}',
  summary: 'Delete a role with its grants and assignments',
  scope: 'roles:write',
  answers: { 204: null },
  async handle(op, call) {
    const before = await requireRole(op, call.params.space, call.params.role)
    requireSeen(call.ifMatch, before, roleToWire(before))
    const { id } = before
    const gives = await privilegesOfRemovingRole(op, call.caller, id)
    const detail = { before: roleToWire(before) }
    await changeSeen(op, call, { event: 'role.deleted', gives, kind: 'role', id, detail }, (tx) =>
      removeRole(tx, before),
    )
    return { status: 204 }
  },
})

export const roleRoutes = tagged('Roles', [
  listRoles,
  createRole,
  getRole,
  replaceRole,
  changeRole,
  deleteRole,
])
