import { z } from 'zod'
import { childrenIn, familyOf } from '../access/hierarchy'
import {
  type Assignment,
  grantSet,
  type Holder,
  NOTHING,
  type Policy,
  type Role,
  type WhatWasRead,
} from '../access/policy'
import type { Op } from '../context/op'
import { mistake } from '../i18n/mistake'
import { findAssignmentById, type Source, type SubjectType, subjectOf } from '../store/assignments'
import { toGrant } from '../store/policy'
import { findRole, type RoleRow } from '../store/roles'
import {
  applicationGrantSchema,
  grantSchema,
  requireGrantable,
  toApplicationGrant,
  toGrantRow,
} from './grants'
import { applicationsHolding, usersHolding } from './pass'
import { invalidField } from './problem'
import { requireHierarchy } from './role-tree'
import { SUBJECTS } from './routes/assignments'
import { idSchema, termsShape } from './schemas'

/** A change that a preview looks at: what the policy would be after it, and whom it concerns. */

const subject = z.strictObject({ type: z.enum(SUBJECTS), id: idSchema })
const instance = idSchema.nullable().default(null)

export const changeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('role_permissions'),
    role: idSchema,
    permissions: z.array(grantSchema).max(10_000),
  }),
  z.strictObject({
    kind: z.literal('role_parents'),
    role: idSchema,
    parents: z.array(idSchema).max(50),
  }),
  z.strictObject({ kind: z.literal('delete_role'), role: idSchema }),
  z.strictObject({ kind: z.literal('assign'), role: idSchema, subject, instance, ...termsShape }),
  z.strictObject({
    kind: z.literal('change_assignment'),
    assignment: idSchema,
    instance,
    ...termsShape,
  }),
  z.strictObject({ kind: z.literal('unassign'), assignment: idSchema }),
  z.strictObject({
    kind: z.literal('application_grants'),
    application: idSchema,
    grants: z.array(applicationGrantSchema).max(1_000),
  }),
])

export type ImpactChange = z.input<typeof changeSchema>
export type Change = z.infer<typeof changeSchema>

export type Preview = {
  /** A copy of the policy with the change; the policy in use is not touched. */
  after(before: Policy): Policy
  /** Whom it can concern. */
  sources: readonly Source[]
  /** An assignment for one resource instance is evaluated for that instance. */
  instance: string | null
}

export async function previewOf(op: Op, spaceId: string, change: Change): Promise<Preview> {
  switch (change.kind) {
    case 'role_permissions':
    case 'role_parents':
    case 'delete_role':
      return roleChange(op, spaceId, change)
    case 'assign': {
      const { id } = await requireRoleOf(op, spaceId, change.role)
      return assigned(change, id)
    }
    case 'change_assignment':
    case 'unassign':
      return reassigned(op, change)
    case 'application_grants': {
      const { policy } = await op.snapshot()
      requireGrantable(policy, change.grants, '/change/grants')
      const grants = grantSet(
        change.grants.map((grant) => toGrant(toApplicationGrant.forth(grant))),
      )
      const { application } = change
      const after = (before: Policy) => ({
        ...before,
        applications: changedFor(before.applications, [application], (held) => ({
          ...(held ?? NOTHING),
          grants,
        })),
      })
      return { after, sources: [{ of: 'applications', ids: [application] }], instance: null }
    }
  }
}

/** What was read, with a change for some subjects, or for all of them. */
function changedFor<H extends Holder>(
  read: WhatWasRead<H>,
  ids: readonly string[] | null,
  become: (held: H | undefined) => H | undefined,
): WhatWasRead<H> {
  return {
    get: (id) => (ids === null || ids.includes(id) ? become(read.get(id)) : read.get(id)),
  }
}

// ---------------------------------------------------------------- roles

type RoleChange = Extract<Change, { kind: 'role_permissions' | 'role_parents' | 'delete_role' }>

async function roleChange(op: Op, spaceId: string, change: RoleChange): Promise<Preview> {
  const { id } = await requireRoleOf(op, spaceId, change.role)
  const { policy } = await op.snapshot()
  const roles = await rolesAfter(op, policy, spaceId, id, change)
  const family = familyOf(childrenIn(policy.roles), [id])
  return {
    after: (before) => ({ ...before, roles }),
    sources: await holdersOf(op, [...family]),
    instance: null,
  }
}

async function rolesAfter(
  op: Op,
  policy: Policy,
  spaceId: string,
  id: string,
  change: RoleChange,
): Promise<Policy['roles']> {
  switch (change.kind) {
    case 'role_permissions': {
      requireGrantable(policy, change.permissions, '/change/permissions')
      const grants = grantSet(change.permissions.map((grant) => toGrant(toGrantRow.forth(grant))))
      return withRole(policy, id, { grants })
    }
    case 'role_parents': {
      const parents = await Promise.all(
        change.parents.map((name) => requireRoleOf(op, spaceId, name)),
      )
      const after = withRole(policy, id, { parentIds: parents.map((parent) => parent.id) })
      const roles = [...after.values()].filter((role) => role.spaceId === spaceId)
      requireHierarchy(new Map(roles.map((role) => [role.id, role.parentIds])))
      return after
    }
    case 'delete_role': {
      const roles = new Map(policy.roles)
      roles.delete(id)
      return roles
    }
  }
}

async function holdersOf(op: Op, roleIds: readonly string[]): Promise<Source[]> {
  return [...(await usersHolding(op, roleIds)), ...applicationsHolding(roleIds)]
}

async function requireRoleOf(op: Op, spaceId: string, name: string): Promise<RoleRow> {
  const role = await op.read((db) => findRole(db, spaceId, name))
  if (!role) throw invalidField('/change/role', mistake('unknown_role'))
  return role
}

function withRole({ roles }: Policy, id: string, change: Partial<Role>): Policy['roles'] {
  const role = roles.get(id)
  return role ? new Map(roles).set(id, { ...role, ...change }) : roles
}

// ---------------------------------------------------------------- assignments

type Assign = Extract<Change, { kind: 'assign' }>

/** To a user, an application, or every member of a group. */
function assigned(change: Assign, roleId: string): Preview {
  const { type, id } = change.subject
  const { pattern: _none, ...terms } = toGrant(toGrantRow.forth({ ...change, pattern: '-' }))
  const { instance: only } = change
  const one = { ...terms, roleId, instance: only, groupId: type === 'group' ? id : null }
  const ids = type === 'group' ? null : [id]
  return {
    after: (before) => withAssignments(before, type, ids, (held) => [...held, one]),
    sources: [sourceOf({ type, id })],
    instance: only,
  }
}

type Reassign = Extract<Change, { kind: 'change_assignment' | 'unassign' }>

async function reassigned(op: Op, change: Reassign): Promise<Preview> {
  const row = await op.read((db) => findAssignmentById(db, change.assignment))
  if (!row) return { after: (before) => before, sources: [], instance: null }
  const subject = subjectOf(row)
  const become = becoming(change)
  const each = (held: readonly Assignment[]) =>
    held.flatMap((one) => (one.id === row.id ? become(one) : [one]))
  return {
    after: (before) => withAssignments(before, subject.type, null, each),
    sources: [sourceOf(subject)],
    instance: change.kind === 'unassign' ? row.instance : change.instance,
  }
}

function becoming(change: Reassign): (one: Assignment) => Assignment[] {
  if (change.kind === 'unassign') return () => []
  const { instance: only } = change
  const written = toGrant(toGrantRow.forth({ ...change, pattern: '-' }))
  const { id: _new, pattern: _none, ...terms } = written
  return (one) => [{ ...one, ...terms, instance: only }]
}

function sourceOf({ type, id }: { type: SubjectType; id: string }): Source {
  if (type === 'group') return { of: 'users', group: id }
  return { of: type === 'user' ? 'users' : 'applications', ids: [id] }
}

function withAssignments(
  before: Policy,
  type: SubjectType,
  ids: readonly string[] | null,
  become: (held: readonly Assignment[]) => readonly Assignment[],
): Policy {
  const changed = <H extends Holder>(held: H): H => ({
    ...held,
    assignments: become(held.assignments),
  })
  if (type === 'client') {
    const { applications } = before
    return {
      ...before,
      applications: changedFor(applications, ids, (held) => changed(held ?? NOTHING)),
    }
  }
  const nobody = { ...NOTHING, enabled: true, attributes: {} }
  return { ...before, users: changedFor(before.users, ids, (held) => changed(held ?? nobody)) }
}
