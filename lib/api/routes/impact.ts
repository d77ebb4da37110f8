import { z } from 'zod'
import { type Impact, impactOf } from '../../access/impact'
import { patternCovers } from '../../access/pattern'
import { type Assignment, grantSet, type Holder, NOTHING, type Policy } from '../../access/policy'
import type { Snapshot } from '../../oidc/provider'
import type { Op } from '../../op'
import { toGrant } from '../../store/policy'
import { findRole, type RoleRow } from '../../store/roles'
import { countLiveTokens } from '../../store/token-grants'
import { contextOf, contextSchema } from '../decision'
import { grantSchema, requireGrantable, toGrantRow } from '../grants'
import { invalidField } from '../problem'
import { route } from '../route'
import { idSchema, termsShape } from '../schemas'
import { requireSpace } from './spaces'

/** Before a change is made: who would gain or lose what, and how many live tokens carry it. */

const MOST_LISTED = 200

const subject = z.strictObject({ type: z.enum(['user', 'client']), id: idSchema })

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
  z.strictObject({ kind: z.literal('assign'), role: idSchema, subject, ...termsShape }),
  z.strictObject({ kind: z.literal('unassign'), assignment: idSchema }),
  z.strictObject({
    kind: z.literal('application_grants'),
    application: idSchema,
    grants: z.array(grantSchema).max(1_000),
  }),
])

type Change = z.infer<typeof changeSchema>

export const impactRoutes = [
  route({
    id: 'previewImpact',
    method: 'POST',
    path: '/spaces/{space}/impact',
    tag: 'Decisions',
    summary: 'Who would gain or lose what if a role, a grant or an assignment were changed',
    scope: 'permissions:explain',
    body: z.strictObject({ change: changeSchema, context: contextSchema.optional() }),
    example: {
      change: {
        kind: 'role_permissions',
        role: 'clerk',
        permissions: [{ pattern: 'orders:read' }],
      },
    },
    answers: {
      200: z.object({
        affected: z.array(
          z.object({
            subject: z.object({ type: z.enum(['user', 'client', 'key']), id: z.string() }),
            gains: z.array(z.string()),
            loses: z.array(z.string()),
          }),
        ),
        total: z.number(),
        /** Grants of tokens, alive now, that carry something which would be lost. */
        liveTokens: z.number(),
      }),
    },
    async handle(op, { params, body, snapshot }) {
      const { id: spaceId } = await requireSpace(op, params.space)
      const before = snapshot.policy
      const after = await changed(op, before, spaceId, body.change)
      // Conditions are weighed on the occasion that is given; nobody's in particular.
      const context = contextOf(op, before, { kind: 'client', id: '' }, { given: body.context })
      const { affected, total } = impactOf(before, after, context, MOST_LISTED)
      const losers = affected.filter(({ loses }) => loses.length > 0)
      const liveTokens = await op.read((db) => countLiveTokens(db, losers.map(toLoss), op.now()))
      const all = affected.flatMap((one) => [toWire(one), ...ofItsKeys(snapshot, one)])
      return { status: 200, body: { affected: all, total, liveTokens } }
    },
  }),
]

function toWire({ subject: { kind, id }, gains, loses }: Impact) {
  return { subject: { type: kind as string, id }, gains, loses }
}

/** An application's access keys gain and lose with it, as far as their own lists go. */
function ofItsKeys({ credentials }: Snapshot, impact: Impact) {
  if (impact.subject.kind !== 'client') return []
  return [...credentials.values()].flatMap(({ application, accessKey }) => {
    if (!accessKey || application.id !== impact.subject.id) return []
    const within = (item: string) =>
      accessKey.scopes?.some((pattern) => patternCovers(pattern, item)) ?? true
    const [gains, loses] = [impact.gains.filter(within), impact.loses.filter(within)]
    if (gains.length + loses.length === 0) return []
    return [{ subject: { type: 'key', id: accessKey.id }, gains, loses }]
  })
}

function toLoss({
  subject: { kind, id },
  loses,
}: {
  subject: { kind: string; id: string }
  loses: string[]
}) {
  return { [kind === 'user' ? 'userId' : 'applicationId']: id, scopes: loses }
}

/** The policy as it would be; the one that answers stays as it is. */
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
      return withRole(policy, id, { parentIds: parents.map((parent) => parent.id) })
    }
    case 'delete_role': {
      const { id } = await requireRoleOf(op, spaceId, change.role)
      const roles = new Map(policy.roles)
      roles.delete(id)
      return { ...policy, roles }
    }
    case 'assign': {
      const { id } = await requireRoleOf(op, spaceId, change.role)
      return withAssignment(policy, change, id)
    }
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
  if (!role) throw invalidField('/change/role', 'there is no such role in the space', 'unknown')
  return role
}

function withRole(policy: Policy, id: string, change: object): Policy {
  const role = policy.roles.get(id)
  if (!role) return policy
  return { ...policy, roles: new Map(policy.roles).set(id, { ...role, ...change }) }
}

function withAssignment(
  policy: Policy,
  change: Extract<Change, { kind: 'assign' }>,
  roleId: string,
): Policy {
  const terms = toGrant(toGrantRow.forth({ ...change, pattern: '-' }))
  const assignment: Assignment = { ...terms, roleId, instance: null, groupId: null }
  const { type, id } = change.subject
  if (type === 'client') {
    const held = policy.applications.get(id) ?? NOTHING
    return { ...policy, applications: new Map(policy.applications).set(id, plus(held, assignment)) }
  }
  const held = policy.users.get(id) ?? { ...NOTHING, enabled: true, attributes: {} }
  return { ...policy, users: new Map(policy.users).set(id, plus(held, assignment)) }
}

function plus<H extends Holder>(holder: H, assignment: Assignment): H {
  return { ...holder, assignments: [...holder.assignments, assignment] }
}

function withoutAssignment(policy: Policy, id: string): Policy {
  const without = <H extends Holder>(holders: ReadonlyMap<string, H>): Map<string, H> =>
    new Map(
      [...holders].map(([key, holder]) => {
        const assignments = holder.assignments.filter((one) => one.id !== id)
        const same = assignments.length === holder.assignments.length
        return [key, same ? holder : { ...holder, assignments }]
      }),
    )
  return { ...policy, users: without(policy.users), applications: without(policy.applications) }
}
