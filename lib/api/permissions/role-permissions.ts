import { z } from 'zod'
import type { Op, Transaction } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import {
  grantsOfRole,
  insertRoleGrant,
  type NewGrant,
  type RoleRow,
  removeRoleGrants,
  replaceRoleGrants,
  updateRole,
} from '../../store/permissions/roles'
import { authorize } from '../authority/authorize'
import { type ChangeEntry, change } from '../authority/change'
import { withGrantors } from '../authority/grantor'
import { pastEnds, periodProblems } from '../authority/past-ends'
import { operation, tagged } from '../http/operation'
import { invalidField, requireNone } from '../http/problem'
import { patternSchema } from '../http/schemas'
import { requireSeen, requireWritten } from '../http/version'
import { grantSchema, grantWire, requireGrantable, toGrantRow } from './grants'
import { regranting, requireRole, roleToWire } from './roles'

/** The grants of a role itself, without those of its parents. */

/** The most grants that an audit entry lists when a set is replaced. */
const MAX_TOLD = 100

/** A change of its grants is a change of the role: the role gets a new version. */
async function touch(op: Op, tx: Transaction, role: RoleRow): Promise<void> {
  requireWritten(await updateRole(tx, role, {}, op.now()))
}

export const listRolePermissions = operation({
  id: 'listRolePermissions',
  method: 'GET',
  path: '/spaces/{space}/roles/{role}/permissions',
  summary: 'List the grants of a role, without those of its parent roles',
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
  summary: 'Replace the grants of a role',
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
    requireNone(periodProblems(grants, (at) => `/permissions/${at}`))
    const held = await op.read((db) => grantsOfRole(db, role.id))
    const rows = withGrantors(call.caller, held, grants.map(toGrantRow.forth))
    requireNone(pastEnds(held, rows, op.now(), '/permissions'))
    const entry: ChangeEntry = {
      event: 'role.permissions_replaced',
      gives: await regranting(op, call, role.id, rows),
      kind: 'role',
      id: role.id,
      detail: {
        permissions: grants.length,
        before: held.slice(0, MAX_TOLD).map(toGrantRow.back),
        after: grants.slice(0, MAX_TOLD),
      },
    }
    await change(op, call, entry, async (tx) => {
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
  summary: 'Add a permission or a pattern to a role',
  scope: 'roles:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const role = await requireRole(op, call.params.space, call.params.role)
    const grant = grantSchema.safeParse({ pattern: call.params.key })
    if (!grant.success) throw invalidField('/key', errorMessage('pattern_shape'))
    requireGrantable(call.snapshot.policy, [grant.data], '', '/key')
    const held = await op.read((db) => grantsOfRole(db, role.id))
    const row = toGrantRow.forth(grant.data)
    const gives = await regranting(op, call, role.id, [...held, row])
    await authorize(op, call, gives)
    if (held.some((one) => isPlain(one, row.pattern))) return { status: 204 }
    const entry: ChangeEntry = {
      event: 'role.permission_granted',
      gives,
      kind: 'role',
      id: role.id,
      detail: { pattern: grant.data.pattern },
    }
    await change(op, call, entry, async (tx) => {
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
  summary: 'Remove a permission or a pattern from a role',
  scope: 'roles:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const role = await requireRole(op, call.params.space, call.params.role)
    const pattern = call.params.key
    const held = await op.read((db) => grantsOfRole(db, role.id))
    const left = held.filter((grant) => grant.pattern !== pattern)
    const entry: ChangeEntry = {
      event: 'role.permission_revoked',
      gives: await regranting(op, call, role.id, left),
      kind: 'role',
      id: role.id,
      detail: { pattern },
    }
    await change(op, call, entry, async (tx) => {
      await touch(op, tx, role)
      await removeRoleGrants(tx, role.id, pattern)
    })
    return { status: 204 }
  },
})

export const rolePermissionRoutes = tagged('Roles', [
  listRolePermissions,
  replaceRolePermissions,
  grantRolePermission,
  revokeRolePermission,
])

function isPlain(
  { effect, condition, validFrom, validUntil, ...grant }: Omit<NewGrant, 'id'>,
  pattern: string,
): boolean {
  const plain = effect === 'allow' && !condition && !validFrom && !validUntil
  return plain && grant.pattern === pattern
}
