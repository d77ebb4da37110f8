import { z } from 'zod'
import type { Subject } from '../../access/check'
import { childrenIn, familyOf } from '../../access/hierarchy'
import { type Difference, type Impact, impactOf } from '../../access/impact'
import { patternCovers } from '../../access/pattern'
import {
  type Assignment,
  grantSet,
  type Holder,
  NOTHING,
  type Policy,
  type Role,
  type WhatWasRead,
} from '../../access/policy'
import { inTurns } from '../../access/turns'
import type { Op } from '../../context/op'
import { type KeyScopes, keyScopesOf } from '../../store/access-keys'
import {
  findAssignmentById,
  groupsHolding,
  type Source,
  type SubjectType,
  subjectOf,
} from '../../store/assignments'
import { namesOf } from '../../store/names'
import { toGrant } from '../../store/policy'
import { findRole, type RoleRow } from '../../store/roles'
import { countLiveTokens } from '../../store/token-grants'
import type { Caller } from '../caller'
import { contextOf, contextSchema, type GivenContext } from '../decision'
import { grantSchema, requireGrantable, toGrantRow } from '../grants'
import { operation } from '../operation'
import { openCursor, sealCursor } from '../page'
import { type Position, passOver, progressOf, START } from '../pass'
import { invalidField } from '../problem'
import { requireHierarchy } from '../role-tree'
import { idSchema, termsShape } from '../schemas'
import { SUBJECTS } from './assignments'
import { requireSpace } from './spaces'

/** Preview of a change: who would gain or lose what, and how many live tokens carry it. */

const MOST_LISTED = 200

const subject = z.strictObject({ type: z.enum(SUBJECTS), id: idSchema })
const instance = idSchema.nullable().default(null)

const changeSchema = z.discriminatedUnion('kind', [
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
    grants: z.array(grantSchema).max(1_000),
  }),
])

export type ImpactChange = z.input<typeof changeSchema>
type Change = z.infer<typeof changeSchema>

const impactSchema = z.object({
  affected: z.array(
    z.object({
      subject: z.object({
        type: z.enum(['user', 'client', 'key']),
        id: z.string(),
        /** Null if the caller may not see users or applications. */
        name: z.string().nullable(),
      }),
      gains: z.array(z.string()),
      loses: z.array(z.string()),
      /** Not gained in the given context, but in one that meets a condition. */
      mayGain: z.array(z.string()),
      mayLose: z.array(z.string()),
    }),
  ),
  total: z.number().describe('How many of those that this part looked at'),
  /** Number of live token grants that carry something which would be lost. */
  liveTokens: z.number(),
  next: z
    .string()
    .nullable()
    .describe('Send it as `after` to go on; null if everybody was looked at'),
  progress: z.number().describe('How much was looked at, from 0 to 1'),
})
export type ImpactWire = z.infer<typeof impactSchema>

export const previewImpact = operation({
  id: 'previewImpact',
  method: 'POST',
  path: '/spaces/{space}/impact',
  tag: 'Decisions',
  summary: 'Preview who would gain or lose what by a change of a role, a grant or an assignment',
  scope: 'permissions:explain',
  body: z.strictObject({
    change: changeSchema,
    context: contextSchema.optional(),
    after: z.string().max(1_000).optional().describe('`next` of the part before'),
  }),
  example: {
    change: {
      kind: 'role_permissions',
      role: 'clerk',
      permissions: [{ pattern: 'orders:read' }],
    },
  },
  answers: { 200: impactSchema },
  async handle(op, { params, body, caller }) {
    const { id: spaceId } = await requireSpace(op, params.space)
    const preview = await previewOf(op, spaceId, body.change)
    const bound = `impact ${spaceId} ${JSON.stringify(body.change)}`
    const from = body.after === undefined ? START : positionIn(op, bound, body.after)
    const { affected, total, next } = await partOf(op, preview, body.context, from)
    const losers = affected.filter(({ loses, mayLose }) => loses.length + mayLose.length > 0)
    const liveTokens = await op.read((db) => countLiveTokens(db, losers.map(toLoss), op.now()))
    const listed = await withNames(op, caller, await withKeys(op, affected))
    const cursor = next && sealCursor(op, bound, { value: String(next.source), id: next.after })
    const progress = progressOf(preview.sources, next)
    return { status: 200, body: { affected: listed, total, liveTokens, next: cursor, progress } }
  },
})

export const impactRoutes = [previewImpact]

function positionIn(op: Op, bound: string, after: string): Position {
  const { value, id } = openCursor(op, bound, after, '/after')
  return { source: Number(value), after: id }
}

/** One part of the pass over all whom the change can concern. */
async function partOf(
  op: Op,
  preview: Preview,
  given: GivenContext | undefined,
  from: Position,
): Promise<{ affected: Impact[]; total: number; next: Position | null }> {
  const affected: Impact[] = []
  let total = 0
  const look = async (before: Policy, subjects: readonly Subject[]) => {
    // Conditions are evaluated in the given context, not for one user or client.
    const context = contextOf(op, before, null, { given })
    const occasion = { context, instance: preview.instance }
    const after = preview.after(before)
    const found = await inTurns(impactOf(before, after, subjects, occasion))
    total += found.length
    affected.push(...found.slice(0, MOST_LISTED - affected.length))
    return false
  }
  const next = await passOver(op, preview.sources, from, look)
  return { affected, total, next }
}

type Listed = Difference & { subject: { type: string; id: string } }

function toWire({ subject: { kind, id }, ...difference }: Impact): Listed {
  return { subject: { type: kind, id }, ...difference }
}

async function withNames(op: Op, { scopes }: Caller, listed: readonly Listed[]) {
  const ids = (type: string) =>
    listed.flatMap(({ subject: one }) => (one.type === type ? [one.id] : []))
  const [people, programs] = [scopes.has('users:read'), scopes.has('applications:read')]
  const names = await op.read((db) =>
    namesOf(db, {
      users: people ? ids('user') : [],
      applications: programs ? ids('client') : [],
      accessKeys: programs ? ids('key') : [],
    }),
  )
  return listed.map((one) => ({
    ...one,
    subject: { ...one.subject, name: names.get(one.subject.id) ?? null },
  }))
}

/** The access keys of an application gain and lose with it, within their own scopes. */
async function withKeys(op: Op, affected: readonly Impact[]): Promise<Listed[]> {
  const clients = affected.filter(({ subject: { kind } }) => kind === 'client')
  const keys = await op.read((db) =>
    keyScopesOf(
      db,
      clients.map(({ subject: { id } }) => id),
    ),
  )
  return affected.flatMap((impact) => [
    toWire(impact),
    ...keys.filter(({ applicationId }) => isAbout(impact, applicationId)).flatMap(ofKey(impact)),
  ])
}

function isAbout({ subject: { kind, id } }: Impact, applicationId: string): boolean {
  return kind === 'client' && id === applicationId
}

function ofKey(impact: Impact) {
  return ({ id, scopes }: KeyScopes): Listed[] => {
    const within = (item: string) => scopes?.some((pattern) => patternCovers(pattern, item)) ?? true
    const difference = {
      gains: impact.gains.filter(within),
      loses: impact.loses.filter(within),
      mayGain: impact.mayGain.filter(within),
      mayLose: impact.mayLose.filter(within),
    }
    if (Object.values(difference).every((list) => list.length === 0)) return []
    return [{ subject: { type: 'key', id }, ...difference }]
  }
}

function toLoss({ subject: { kind, id }, loses, mayLose }: Impact) {
  return { [kind === 'user' ? 'userId' : 'applicationId']: id, scopes: [...loses, ...mayLose] }
}

// ---------------------------------------------------------------- the change

type Preview = {
  /** A copy of the policy with the change; the policy in use is not touched. */
  after(before: Policy): Policy
  /** Whom it can concern. */
  sources: readonly Source[]
  /** An assignment for one resource instance is evaluated for that instance. */
  instance: string | null
}

async function previewOf(op: Op, spaceId: string, change: Change): Promise<Preview> {
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
      const grants = grantSet(change.grants.map((grant) => toGrant(toGrantRow.forth(grant))))
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

/** Everybody who holds one of the roles: directly, or through a group. */
async function holdersOf(op: Op, roleIds: readonly string[]): Promise<Source[]> {
  const groups = await op.read((db) => groupsHolding(db, roleIds))
  return [
    ...roleIds.map((role) => ({ of: 'users', role }) as const),
    ...groups.map((group) => ({ of: 'users', group }) as const),
    ...roleIds.map((role) => ({ of: 'applications', role }) as const),
  ]
}

async function requireRoleOf(op: Op, spaceId: string, name: string): Promise<RoleRow> {
  const role = await op.read((db) => findRole(db, spaceId, name))
  if (!role) throw invalidField('/change/role', 'the role does not exist in this space', 'unknown')
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
