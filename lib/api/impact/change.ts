import { z } from 'zod'
import { childrenIn, familyOf } from '../../access/hierarchy'
import {
  type Assignment,
  allGrants,
  type Grant,
  type GrantSet,
  grantSet,
  type Holder,
  NOTHING,
  type Policy,
  type Role,
  type WhatWasRead,
} from '../../access/policy'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import {
  findAssignmentById,
  type Source,
  type SubjectType,
  subjectOf,
} from '../../store/permissions/assignments'
import { listApprovedGrantIds } from '../../store/permissions/grants'
import { findRole, type RoleRow } from '../../store/permissions/roles'
import { toGrant } from '../../store/policy/policy'
import { requireHierarchy } from '../authority/role-tree'
import { applicationsHolding, usersHolding } from '../decision/pass'
import { invalidField } from '../http/problem'
import { idSchema, patternSchema, termsShape } from '../http/schemas'
import { SUBJECTS } from '../permissions/assignments'
import {
  applicationGrantSchema,
  grantSchema,
  requireGrantable,
  toApplicationGrant,
  toGrantRow,
} from '../permissions/grants'

/** A change that a preview looks at: what the policy would be after it, and whom it concerns. */

const subject = z.strictObject({ type: z.enum(SUBJECTS), id: idSchema })
const instance = idSchema.nullable().default(null)

export const changeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('role_permissions'),
    role: idSchema,
    permissions: z.array(grantSchema).max(10_000),
  }),
  z
    .strictObject({
      kind: z.literal('adjust_role'),
      role: idSchema,
      add: z.array(grantSchema).max(1_000).default([]),
      remove: z.array(patternSchema).max(1_000).default([]),
    })
    .describe('Adds and removes permissions; the other permissions of the role stay'),
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
  z.strictObject({
    kind: z.literal('adjust_application'),
    application: idSchema,
    add: z.array(applicationGrantSchema).max(1_000).default([]),
    remove: z.array(patternSchema).max(1_000).default([]),
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
    case 'adjust_role':
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
    case 'application_grants':
    case 'adjust_application':
      return applicationChange(op, change)
  }
}

/** What was read, with a change for some subjects, or for all of them. */
function changedFor<H extends Holder>(
  read: WhatWasRead<H>,
  ids: readonly string[] | null,
  become: (held: H | undefined) => H | undefined,
): WhatWasRead<H> {
  const made = new Map<string, H | undefined>()
  return {
    get(id) {
      if (ids !== null && !ids.includes(id)) return read.get(id)
      if (!made.has(id)) made.set(id, become(read.get(id)))
      return made.get(id)
    },
  }
}

// ---------------------------------------------------------------- applications

type ApplicationChange = Extract<Change, { kind: 'application_grants' | 'adjust_application' }>

async function applicationChange(op: Op, change: ApplicationChange): Promise<Preview> {
  const { policy } = await op.snapshot()
  const given = change.kind === 'application_grants' ? change.grants : change.add
  const member = change.kind === 'application_grants' ? 'grants' : 'add'
  requireGrantable(policy, given, `/change/${member}`)
  const made = given.map((grant) => toGrant(toApplicationGrant.forth(grant)))
  const { application } = change
  const byRequest = await op.read((db) => listApprovedGrantIds(db, application))
  const isKept = ({ id, pattern }: Grant) =>
    byRequest.has(id) || (change.kind === 'adjust_application' && !change.remove.includes(pattern))
  const kept = (held: Holder) => allGrants(held.grants).filter(isKept)
  const after = (before: Policy) => ({
    ...before,
    applications: changedFor(before.applications, [application], (held = NOTHING) => ({
      ...held,
      grants: grantSet([...kept(held), ...made]),
    })),
  })
  return { after, sources: [{ of: 'applications', ids: [application] }], instance: null }
}

function without(grants: GrantSet, patterns: readonly string[]): Grant[] {
  return allGrants(grants).filter(({ pattern }) => !patterns.includes(pattern))
}

// ---------------------------------------------------------------- roles

type RoleKind = 'role_permissions' | 'adjust_role' | 'role_parents' | 'delete_role'
type RoleChange = Extract<Change, { kind: RoleKind }>

async function roleChange(op: Op, spaceId: string, change: RoleChange): Promise<Preview> {
  const { id } = await requireRoleOf(op, spaceId, change.role)
  const { policy } = await op.snapshot()
  const rolesAfter = await changedRoles(op, policy, spaceId, id, change)
  const family = familyOf(childrenIn(policy.roles), [id])
  return {
    after: (before) => ({ ...before, roles: rolesAfter(before) }),
    sources: await holdersOf(op, [...family]),
    instance: null,
  }
}

type RolesAfter = (before: Policy) => Policy['roles']

async function changedRoles(
  op: Op,
  policy: Policy,
  spaceId: string,
  id: string,
  change: RoleChange,
): Promise<RolesAfter> {
  switch (change.kind) {
    case 'role_permissions': {
      requireGrantable(policy, change.permissions, '/change/permissions')
      const grants = grantSet(change.permissions.map((grant) => toGrant(toGrantRow.forth(grant))))
      return (before) => withRole(before, id, () => ({ grants }))
    }
    case 'adjust_role': {
      requireGrantable(policy, change.add, '/change/add')
      const added = change.add.map((grant) => toGrant(toGrantRow.forth(grant)))
      return (before) =>
        withRole(before, id, ({ grants }) => ({
          grants: grantSet([...without(grants, change.remove), ...added]),
        }))
    }
    case 'role_parents': {
      const parents = await Promise.all(
        change.parents.map((name) => requireRoleOf(op, spaceId, name)),
      )
      const changed = () => ({ parentIds: parents.map((parent) => parent.id) })
      const after = withRole(policy, id, changed)
      const roles = [...after.values()].filter((role) => role.spaceId === spaceId)
      requireHierarchy(new Map(roles.map((role) => [role.id, role.parentIds])))
      return (before) => withRole(before, id, changed)
    }
    case 'delete_role':
      return ({ roles }) => new Map([...roles].filter(([role]) => role !== id))
  }
}

async function holdersOf(op: Op, roleIds: readonly string[]): Promise<Source[]> {
  return [...(await usersHolding(op, roleIds)), ...applicationsHolding(roleIds)]
}

async function requireRoleOf(op: Op, spaceId: string, name: string): Promise<RoleRow> {
  const role = await op.read((db) => findRole(db, spaceId, name))
  if (!role) throw invalidField('/change/role', errorMessage('unknown_role'))
  return role
}

function withRole(
  { roles }: Policy,
  id: string,
  become: (role: Role) => Partial<Role>,
): Policy['roles'] {
  const role = roles.get(id)
  return role ? new Map(roles).set(id, { ...role, ...become(role) }) : roles
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
