import { z } from 'zod'
import type { Gift } from '../../access/authority'
import { DEEPEST_ROLE, misplacedIn } from '../../access/hierarchy'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op, Transaction } from '../../context/op'
import { newId } from '../../crypto/secrets'
import {
  findRole,
  grantsOfRole,
  insertRole,
  insertRoleGrant,
  listRolePage,
  type NewGrant,
  parentsIn,
  type RoleRow,
  removeRole,
  removeRoleGrants,
  replaceRoleGrants,
  setParents,
  updateRole,
} from '../../store/roles'
import { lockSpace } from '../../store/spaces'
import { authorize } from '../authorize'
import { change } from '../change'
import { ownRoleGift, parentsGift, roleChangeGift, writtenRow } from '../gifts'
import { grantSchema, grantWire, requireGrantable, toGrantRow } from '../grants'
import { type Call, operation } from '../operation'
import { listed, listQuery, pageSchema } from '../page'
import { invalidField, notFound, Problem } from '../problem'
import { iso, keySchema, nameSchema, patternSchema, stampsWire, textSchema } from '../schemas'
import { requireSeen, requireWritten } from '../version'
import { requireSpace } from './spaces'

const TAG = 'Roles'
/** Of a replaced set, in the audit log. */
const MOST_TOLD = 100

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
  /** Ids or keys of roles of the same space: whoever holds this role holds those too. */
  parents: z.array(z.string().max(255)).max(50),
})
const content = fields.extend({
  description: fields.shape.description.default(null),
  type: fields.shape.type.default('user'),
  parents: fields.shape.parents.default([]),
})

export function roleToWire(row: RoleRow) {
  return {
    id: row.id,
    space: row.spaceId,
    key: row.key,
    name: row.name,
    description: row.description,
    type: row.type,
    parents: row.parents.map(({ parent }) => parent.key).sort(),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

export async function requireRole(op: Op, space: string, name: string): Promise<RoleRow> {
  const { id: spaceId } = await requireSpace(op, space)
  const role = await op.read((db) => findRole(db, spaceId, name))
  if (!role) throw notFound()
  return role
}

// ---------------------------------------------------------------- parents

async function parentIds(op: Op, spaceId: string, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map((name) => op.read((db) => findRole(db, spaceId, name))))
  return found.map((role, at) => {
    if (role) return role.id
    throw invalidField(`/parents/${at}`, 'there is no such role in the space', 'unknown')
  })
}

/** Looked at within the transaction that writes, so two halves of a cycle cannot both get in. */
async function requireTree(
  tx: Transaction,
  spaceId: string,
  roleId: string,
  ids: readonly string[],
): Promise<void> {
  await lockSpace(tx, spaceId)
  const parents = (await parentsIn(tx, spaceId)).set(roleId, [...ids])
  requireHierarchy(parents)
}

/** `parents`: of every role of a space. */
export function requireHierarchy(parents: ReadonlyMap<string, readonly string[]>): void {
  const code = misplacedIn(parents)
  if (code) throw misplaced(code, MISPLACED[code])
}

const MISPLACED = {
  cycle: 'the parents would form a cycle',
  too_deep: `roles stand at most ${DEEPEST_ROLE} deep`,
} as const

function misplaced(code: string, detail: string): Problem {
  return new Problem('conflict', detail, { errors: [{ pointer: '/parents', code, detail }] })
}

// ---------------------------------------------------------------- writing

type RoleCall = Call<{ space: string; role: string }, unknown, unknown>
type Patch = Partial<z.infer<typeof content>>

async function saveRole(op: Op, call: RoleCall, before: RoleRow, patch: Patch) {
  const { id, spaceId } = before
  const { parents, ...fields } = patch
  const ids = parents && (await parentIds(op, spaceId, parents))
  const { policy } = await op.latestSnapshot()
  const gives = [
    ...ownRoleGift(policy, call.caller, id),
    ...(ids ? parentsGift(policy, id, policy.roles.get(id)?.parentIds ?? [], ids) : []),
  ]
  const detail = { before: roleToWire(before), after: patch }
  await change(op, call, { event: 'role.changed', gives, kind: 'role', id, detail }, async (tx) => {
    requireWritten(await updateRole(tx, before, withoutUndefined(fields), op.now()))
    if (!ids) return
    await requireTree(tx, spaceId, id, ids)
    await setParents(tx, id, ids)
  })
  const after = await requireRole(op, spaceId, id)
  return { status: 200 as const, body: roleToWire(after), version: after.version }
}

/** A change of what a role gives is a change of the role: its version moves. */
async function touch(op: Op, tx: Transaction, role: RoleRow): Promise<void> {
  requireWritten(await updateRole(tx, role, {}, op.now()))
}

/** What a role gives becomes this: for those who hold it, and perhaps for the caller. */
async function regranting(
  op: Op,
  { caller }: Call<unknown, unknown, unknown>,
  roleId: string,
  after: readonly NewGrant[],
): Promise<Gift[]> {
  const { policy } = await op.latestSnapshot()
  const held = await op.read((db) => grantsOfRole(db, roleId))
  const grants = [held.map(writtenRow), after.map(writtenRow)] as const
  return [...ownRoleGift(policy, caller, roleId), ...roleChangeGift(policy, roleId, ...grants)]
}

export const listRoles = operation({
  id: 'listRoles',
  method: 'GET',
  path: '/spaces/{space}/roles',
  tag: TAG,
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
  tag: TAG,
  summary: 'Create a role',
  scope: 'roles:write',
  body: content,
  example: { key: 'accountant', name: 'Accountant', parents: ['clerk'] },
  answers: { 201: roleSchema },
  async handle(op, call) {
    const { id: spaceId } = await requireSpace(op, call.params.space)
    const { parents, ...body } = call.body
    const ids = await parentIds(op, spaceId, parents)
    const id = newId('rol')
    const happened = {
      event: 'role.created',
      gives: [],
      kind: 'role',
      id,
      detail: { after: call.body },
    }
    await change(op, call, happened, async (tx) => {
      await insertRole(tx, { id, spaceId, ...body }, op.now())
      await requireTree(tx, spaceId, id, ids)
      await setParents(tx, id, ids)
    })
    const row = await requireRole(op, spaceId, id)
    return { status: 201, body: roleToWire(row), version: row.version }
  },
})

export const getRole = operation({
  id: 'getRole',
  method: 'GET',
  path: '/spaces/{space}/roles/{role}',
  tag: TAG,
  summary: 'Read a role',
  scope: 'roles:read',
  answers: { 200: roleSchema },
  async handle(op, { params }) {
    const row = await requireRole(op, params.space, params.role)
    return { status: 200, body: roleToWire(row), version: row.version }
  },
})

export const replaceRole = operation({
  id: 'replaceRole',
  method: 'PUT',
  path: '/spaces/{space}/roles/{role}',
  tag: TAG,
  summary: 'Replace a role’s own fields',
  scope: 'roles:write',
  body: content,
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
  tag: TAG,
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
  tag: TAG,
  summary: 'Delete a role, its grants and its assignments',
  scope: 'roles:write',
  answers: { 204: null },
  async handle(op, call) {
    const before = await requireRole(op, call.params.space, call.params.role)
    requireSeen(call.ifMatch, before, roleToWire(before))
    const { id } = before
    const gives = await regranting(op, call, id, [])
    const detail = { before: roleToWire(before) }
    await change(
      op,
      call,
      { event: 'role.deleted', gives, kind: 'role', id, detail },
      async (tx) => {
        requireWritten(await removeRole(tx, before))
      },
    )
    return { status: 204 }
  },
})

export const listRolePermissions = operation({
  id: 'listRolePermissions',
  method: 'GET',
  path: '/spaces/{space}/roles/{role}/permissions',
  tag: TAG,
  summary: 'What a role gives by itself',
  scope: 'roles:read',
  answers: { 200: z.object({ permissions: z.array(grantWire) }) },
  async handle(op, { params }) {
    const role = await requireRole(op, params.space, params.role)
    const rows = await op.read((db) => grantsOfRole(db, role.id))
    const permissions = rows.map(toGrantRow.back)
    return { status: 200, body: { permissions }, version: role.version }
  },
})

export const replaceRolePermissions = operation({
  id: 'replaceRolePermissions',
  method: 'PUT',
  path: '/spaces/{space}/roles/{role}/permissions',
  tag: TAG,
  summary: 'Replace the whole set of what a role gives',
  scope: 'roles:write',
  body: z.strictObject({
    permissions: z.array(z.union([patternSchema, grantSchema])).max(10_000),
  }),
  example: {
    permissions: ['orders:read', { pattern: 'orders:refund', condition: 'auth.age < 300.0' }],
  },
  answers: { 200: z.object({ permissions: z.array(grantWire) }) },
  async handle(op, call) {
    const role = await requireRole(op, call.params.space, call.params.role)
    requireSeen(call.ifMatch, role, roleToWire(role))
    const grants = call.body.permissions.map((given) =>
      grantSchema.parse(typeof given === 'string' ? { pattern: given } : given),
    )
    requireGrantable(call.snapshot.policy, grants, '/permissions')
    const rows = grants.map(toGrantRow.forth)
    const held = await op.read((db) => grantsOfRole(db, role.id))
    const happened = {
      event: 'role.permissions_replaced',
      gives: await regranting(op, call, role.id, rows),
      kind: 'role',
      id: role.id,
      detail: {
        permissions: grants.length,
        before: held.slice(0, MOST_TOLD).map(toGrantRow.back),
        after: grants.slice(0, MOST_TOLD),
      },
    }
    await change(op, call, happened, async (tx) => {
      await touch(op, tx, role)
      await replaceRoleGrants(tx, role.id, rows, op.now())
    })
    const body = { permissions: rows.map(toGrantRow.back) }
    return { status: 200, body, version: role.version + 1 }
  },
})

export const grantRolePermission = operation({
  id: 'grantRolePermission',
  method: 'PUT',
  path: '/spaces/{space}/roles/{role}/permissions/{key}',
  tag: TAG,
  summary: 'Give a role one permission, or a pattern of them',
  scope: 'roles:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const role = await requireRole(op, call.params.space, call.params.role)
    const grant = grantSchema.safeParse({ pattern: call.params.key })
    if (!grant.success) throw invalidField('/key', 'not a permission or a pattern')
    requireGrantable(call.snapshot.policy, [grant.data], '', '/key')
    const held = await op.read((db) => grantsOfRole(db, role.id))
    const row = toGrantRow.forth(grant.data)
    const gives = await regranting(op, call, role.id, [...held, row])
    await authorize(op, call, gives)
    if (held.some((one) => isPlain(one, row.pattern))) return { status: 204 }
    const happened = {
      event: 'role.permission_granted',
      gives,
      kind: 'role',
      id: role.id,
      detail: { pattern: grant.data.pattern },
    }
    await change(op, call, happened, async (tx) => {
      await touch(op, tx, role)
      await insertRoleGrant(tx, role.id, row, op.now())
    })
    return { status: 204 }
  },
})

export const revokeRolePermission = operation({
  id: 'revokeRolePermission',
  method: 'DELETE',
  path: '/spaces/{space}/roles/{role}/permissions/{key}',
  tag: TAG,
  summary: 'Take a permission, or a pattern, from a role',
  scope: 'roles:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const role = await requireRole(op, call.params.space, call.params.role)
    const pattern = call.params.key
    const held = await op.read((db) => grantsOfRole(db, role.id))
    const left = held.filter((grant) => grant.pattern !== pattern)
    const happened = {
      event: 'role.permission_revoked',
      gives: await regranting(op, call, role.id, left),
      kind: 'role',
      id: role.id,
      detail: { pattern },
    }
    await change(op, call, happened, async (tx) => {
      await touch(op, tx, role)
      await removeRoleGrants(tx, role.id, pattern)
    })
    return { status: 204 }
  },
})

export const roleRoutes = [
  listRoles,
  createRole,
  getRole,
  replaceRole,
  changeRole,
  deleteRole,
  listRolePermissions,
  replaceRolePermissions,
  grantRolePermission,
  revokeRolePermission,
]

function isPlain(
  grant: { pattern: string; effect: string; condition: string | null; validUntil: Date | null },
  pattern: string,
): boolean {
  const plain = grant.effect === 'allow' && !grant.condition && !grant.validUntil
  return plain && grant.pattern === pattern
}
