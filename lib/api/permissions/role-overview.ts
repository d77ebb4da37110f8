import { z } from 'zod'
import { type RolePermission, rolePermissions } from '../../access/role-permissions'
import type { Op } from '../../context/op'
import { namesOf } from '../../store/database/names'
import { listAssignmentPage } from '../../store/permissions/assignments'
import { findRoleById, type RoleRow } from '../../store/permissions/roles'
import type { Caller } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, type PageWire, pageSchema } from '../http/page'
import { requireFound } from '../http/problem'
import { termsWire } from '../http/schemas'
import { assignmentSchema, assignmentToWire, SUBJECTS } from './assignments'
import { grantInForce } from './grants'
import { roleSchema, roleToWire } from './roles'

/** A role by its ID alone: the role, its assignments, and everything that it gives. */

const memberSchema = assignmentSchema.extend({
  subject: assignmentSchema.shape.subject.extend({
    /** Null if the caller may not see users or applications. */
    name: z.string().nullable(),
  }),
})
export type MemberWire = z.infer<typeof memberSchema>

const givenSchema = z.object({
  permission: z.string(),
  /** `depends`: on a condition; `not_now`: outside its validity period. */
  gives: z.enum(['held', 'denied', 'depends', 'not_now']),
  sources: z.array(
    z.object({
      /** Keys of the roles from this one to the one that gives the permission. */
      roles: z.array(z.string()),
      grant: z.string(),
      pattern: z.string(),
      ...termsWire,
    }),
  ),
})
export type GivenWire = z.infer<typeof givenSchema>

async function requireRole(op: Op, id: string): Promise<RoleRow> {
  return requireFound(await op.read((db) => findRoleById(db, id)), 'no_role', id)
}

export const getRoleById = operation({
  id: 'getRoleById',
  method: 'GET',
  path: '/roles/{role}',
  summary: 'Read a role by its ID, in any space',
  scope: 'roles:read',
  answers: { 200: roleSchema },
  async handle(op, { params }) {
    const role = await requireRole(op, params.role)
    return { status: 200, body: roleToWire(role), version: role.version }
  },
})

export const listMembers = operation({
  id: 'listMembers',
  method: 'GET',
  path: '/roles/{role}/members',
  summary: 'List the assignments of a role',
  scope: 'assignments:read',
  query: listQuery(['id', 'createdAt'], { type: z.enum(SUBJECTS).optional() }),
  answers: { 200: pageSchema(memberSchema) },
  async handle(op, { params, query, caller }) {
    const role = await requireRole(op, params.role)
    const { status, body } = await listed(
      op,
      query,
      {
        name: 'members',
        filters: { roleId: role.id, type: query.type },
        list: listAssignmentPage,
      },
      assignmentToWire,
    )
    return { status, body: await withNames(op, caller, body) }
  },
})

export const roleEffectivePermissions = operation({
  id: 'roleEffectivePermissions',
  method: 'GET',
  path: '/roles/{role}/effective-permissions',
  summary:
    'List everything that a role gives, also through its parent roles, and which role gives it',
  scope: 'roles:read',
  answers: { 200: z.object({ data: z.array(givenSchema) }) },
  async handle(op, { params, snapshot: { policy } }) {
    const { id } = await requireRole(op, params.role)
    const role = policy.roles.get(id)
    const data = role ? rolePermissions(policy, role, op.now()).map(toGiven) : []
    return { status: 200, body: { data } }
  },
})

export const roleOverviewRoutes = [
  ...tagged('Roles', [getRoleById]),
  ...tagged('Assignments', [listMembers]),
  ...tagged('Roles', [roleEffectivePermissions]),
]

type MemberPage = PageWire<ReturnType<typeof assignmentToWire>>

/** A caller who may see assignments need not be allowed to see users. */
async function withNames(op: Op, { scopes }: Caller, { data, page }: MemberPage) {
  const ids = (type: string) =>
    data.flatMap(({ subject }) => (subject.type === type ? [subject.id] : []))
  const people = scopes.has('users:read')
  const names = await op.read((db) =>
    namesOf(db, {
      users: people ? ids('user') : [],
      groups: people ? ids('group') : [],
      applications: scopes.has('applications:read') ? ids('client') : [],
    }),
  )
  const named = data.map((one) => ({
    ...one,
    subject: { ...one.subject, name: names.get(one.subject.id) ?? null },
  }))
  return { data: named, page }
}

function toGiven({ permission, gives, sources }: RolePermission) {
  return {
    permission,
    gives,
    sources: sources.map(({ roles, grant }) => ({
      roles: roles.map(({ key }) => key),
      grant: grant.id,
      ...grantInForce(grant),
    })),
  }
}
