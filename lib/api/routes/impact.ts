import { z } from 'zod'
import { type Difference, type Impact, impactOf } from '../../access/impact'
import { patternCovers } from '../../access/pattern'
import { type Assignment, grantSet, type Holder, NOTHING, type Policy } from '../../access/policy'
import { inTurns } from '../../access/turns'
import type { Op } from '../../context/op'
import type { Snapshot } from '../../oidc/provider'
import { memberIdsOf } from '../../store/groups'
import { namesOf } from '../../store/names'
import { toGrant } from '../../store/policy'
import { findRole, type RoleRow } from '../../store/roles'
import { countLiveTokens } from '../../store/token-grants'
import type { Caller } from '../caller'
import { contextOf, contextSchema } from '../decision'
import { grantSchema, requireGrantable, toGrantRow } from '../grants'
import { operation } from '../operation'
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
  total: z.number(),
  /** Number of live token grants that carry something which would be lost. */
  liveTokens: z.number(),
})
export type ImpactWire = z.infer<typeof impactSchema>

export const previewImpact = operation({
  id: 'previewImpact',
  method: 'POST',
  path: '/spaces/{space}/impact',
  tag: 'Decisions',
  summary: 'Preview who would gain or lose what by a change of a role, a grant or an assignment',
  scope: 'permissions:explain',
  body: z.strictObject({ change: changeSchema, context: contextSchema.optional() }),
  example: {
    change: {
      kind: 'role_permissions',
      role: 'clerk',
      permissions: [{ pattern: 'orders:read' }],
    },
  },
  answers: { 200: impactSchema },
  async handle(op, { params, body, snapshot, caller }) {
    const { id: spaceId } = await requireSpace(op, params.space)
    const before = snapshot.policy
    const after = await changed(op, before, spaceId, body.change)
    // Conditions are evaluated in the given context, not for one user or client.
    const context = contextOf(op, before, { kind: 'client', id: '' }, { given: body.context })
    const occasion = { context, instance: instanceOf(before, body.change) }
    const { affected, total } = await inTurns(impactOf(before, after, occasion, MOST_LISTED))
    const losers = affected.filter(({ loses, mayLose }) => loses.length + mayLose.length > 0)
    const liveTokens = await op.read((db) => countLiveTokens(db, losers.map(toLoss), op.now()))
    const all = affected.flatMap((one) => [toWire(one), ...ofItsKeys(snapshot, one)])
    const named = await withNames(op, caller, all)
    return { status: 200, body: { affected: named, total, liveTokens } }
  },
})

export const impactRoutes = [previewImpact]

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
function ofItsKeys({ credentials }: Snapshot, impact: Impact): Listed[] {
  if (impact.subject.kind !== 'client') return []
  return [...credentials.values()].flatMap(({ application, accessKey }) => {
    if (!accessKey || application.id !== impact.subject.id) return []
    const within = (item: string) =>
      accessKey.scopes?.some((pattern) => patternCovers(pattern, item)) ?? true
    const difference = {
      gains: impact.gains.filter(within),
      loses: impact.loses.filter(within),
      mayGain: impact.mayGain.filter(within),
      mayLose: impact.mayLose.filter(within),
    }
    if (Object.values(difference).every((list) => list.length === 0)) return []
    return [{ subject: { type: 'key', id: accessKey.id }, ...difference }]
  })
}

function toLoss({ subject: { kind, id }, loses, mayLose }: Impact) {
  return { [kind === 'user' ? 'userId' : 'applicationId']: id, scopes: [...loses, ...mayLose] }
}

/** A copy of the policy with the change; the policy in use is not touched. */
async function changed(op: Op, policy: Policy, spaceId: string, change: Change): Promise<Policy> {
  switch (change.kind) {
    case 'role_permissions': {
      requireGrantable(policy, change.permissions, '/change/permissions')
      const { id } = await requireRoleOf(op, spaceId, change.role)
      const grants = grantSet(change.permissions.map((grant) => toGrant(toGrantRow.forth(grant))))
      return withRole(policy, id, { grants })
    }
    case 'role_parents': {
      const { id } = await requireRoleOf(op, spaceId, change.role)
      const parents = await Promise.all(
        change.parents.map((name) => requireRoleOf(op, spaceId, name)),
      )
      const after = withRole(policy, id, { parentIds: parents.map((parent) => parent.id) })
      const roles = [...after.roles.values()].filter((role) => role.spaceId === spaceId)
      requireHierarchy(new Map(roles.map((role) => [role.id, role.parentIds])))
      return after
    }
    case 'delete_role': {
      const { id } = await requireRoleOf(op, spaceId, change.role)
      const roles = new Map(policy.roles)
      roles.delete(id)
      return { ...policy, roles }
    }
    case 'assign': {
      const { id } = await requireRoleOf(op, spaceId, change.role)
      return withAssignment(op, policy, change, id)
    }
    case 'change_assignment':
      return withTerms(policy, change)
    case 'unassign':
      return withoutAssignment(policy, change.assignment)
    case 'application_grants': {
      requireGrantable(policy, change.grants, '/change/grants')
      const grants = grantSet(change.grants.map((grant) => toGrant(toGrantRow.forth(grant))))
      const held = policy.applications.get(change.application) ?? NOTHING
      const applications = new Map(policy.applications).set(change.application, { ...held, grants })
      return { ...policy, applications }
    }
  }
}

async function requireRoleOf(op: Op, spaceId: string, name: string): Promise<RoleRow> {
  const role = await op.read((db) => findRole(db, spaceId, name))
  if (!role) throw invalidField('/change/role', 'the role does not exist in this space', 'unknown')
  return role
}

function withRole(policy: Policy, id: string, change: object): Policy {
  const role = policy.roles.get(id)
  if (!role) return policy
  return { ...policy, roles: new Map(policy.roles).set(id, { ...role, ...change }) }
}

// ---------------------------------------------------------------- assignments

type Assign = Extract<Change, { kind: 'assign' }>

async function withAssignment(
  op: Op,
  policy: Policy,
  change: Assign,
  roleId: string,
): Promise<Policy> {
  const { type, id } = change.subject
  const terms = toGrant(toGrantRow.forth({ ...change, pattern: '-' }))
  const { instance: only } = change
  const assignment = { ...terms, roleId, instance: only, groupId: type === 'group' ? id : null }
  if (type === 'client') {
    const held = policy.applications.get(id) ?? NOTHING
    return { ...policy, applications: new Map(policy.applications).set(id, plus(held, assignment)) }
  }
  const users = type === 'user' ? [id] : await op.read((db) => memberIdsOf(db, id))
  const after = new Map(policy.users)
  for (const user of users) {
    const held = after.get(user) ?? { ...NOTHING, enabled: true, attributes: {} }
    after.set(user, plus(held, assignment))
  }
  return { ...policy, users: after }
}

function plus<H extends Holder>(holder: H, assignment: Assignment): H {
  return { ...holder, assignments: [...holder.assignments, assignment] }
}

function withTerms(policy: Policy, change: Extract<Change, { kind: 'change_assignment' }>): Policy {
  const {
    id: _new,
    pattern: _none,
    ...terms
  } = toGrant(toGrantRow.forth({ ...change, pattern: '-' }))
  return withEach(policy, change.assignment, (one) => [
    { ...one, ...terms, instance: change.instance },
  ])
}

function withoutAssignment(policy: Policy, id: string): Policy {
  return withEach(policy, id, () => [])
}

/** An assignment to a group counts for each of its members. */
function withEach(
  policy: Policy,
  id: string,
  become: (one: Assignment) => readonly Assignment[],
): Policy {
  const changedIn = <H extends Holder>(holders: ReadonlyMap<string, H>): Map<string, H> =>
    new Map(
      [...holders].map(([key, holder]) => {
        if (!holder.assignments.some((one) => one.id === id)) return [key, holder]
        const assignments = holder.assignments.flatMap((one) => (one.id === id ? become(one) : one))
        return [key, { ...holder, assignments }]
      }),
    )
  return { ...policy, users: changedIn(policy.users), applications: changedIn(policy.applications) }
}

/** An assignment for one resource instance is evaluated for that instance. */
function instanceOf(policy: Policy, change: Change): string | null {
  if (change.kind === 'assign' || change.kind === 'change_assignment') return change.instance
  if (change.kind !== 'unassign') return null
  const holders: Holder[] = [...policy.users.values(), ...policy.applications.values()]
  const found = holders.flatMap(({ assignments }) => assignments)
  return found.find(({ id }) => id === change.assignment)?.instance ?? null
}
