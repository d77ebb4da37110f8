import { z } from 'zod'
import { CHECK_REFUSALS, type Check, decidePermission, type Subject } from '../../access/check'
import { permissionsHeldBy } from '../../access/effective'
import { NEXT_ACTIONS } from '../../access/next-action'
import type { Policy } from '../../access/policy'
import { eachInTurn, inTurns, takingTurns } from '../../access/turns'
import type { Op } from '../../context/op'
import { rule } from '../../i18n/error-message'
import { withApproval, withApprovals } from '../decision/approvals'
import { anyPropertiesSchema, propertiesSchema } from '../decision/context-size'
import {
  contextOf,
  contextWith,
  explained,
  explanationShape,
  isUnknown,
  knownSubject,
  stepSchema,
  subjectOf,
  userSchema,
  wantedFor,
} from '../decision/decision'
import { type Call, operation, tagged } from '../http/operation'
import { requireFound } from '../http/problem'
import { idSchema } from '../http/schemas'
import { requireSpace } from './spaces'

/** Decisions: one check, many checks, an explanation, all permissions. */

const MAX_AT_ONCE = 50

const questionSchema = questionWith(propertiesSchema, userSchema)
/** A policy test names a user by ID, user name or address. */
export const testQuestionSchema = questionWith(propertiesSchema, idSchema)
/** Stored questions stay readable even if they exceed the limits of today. */
export const storedQuestionSchema = questionWith(anyPropertiesSchema, idSchema)

function questionWith<User extends z.ZodType>(properties: typeof anyPropertiesSchema, user: User) {
  return z
    .strictObject({
      user: user.optional(),
      /** ID of an application or access key. */
      client: idSchema.optional(),
      permission: z.string().min(1).max(255),
      resource: z
        .strictObject({
          id: idSchema,
          type: idSchema.optional(),
          properties: properties.optional(),
        })
        .optional(),
      context: contextWith(properties).optional(),
    })
    .refine((asked) => (asked.user === undefined) !== (asked.client === undefined), {
      error: rule('user_or_client'),
      path: ['user'],
    })
}

type Question = z.infer<typeof questionSchema>

const answer = z.object({ allowed: z.boolean(), decisionId: z.string() })
const UNKNOWN_USER = 'unknown_user'
/** One unknown user must not cost the answers about the others. */
const oneOfMany = answer.extend({ code: z.literal(UNKNOWN_USER).optional() })

export function toCheck(op: Op, policy: Policy, subject: Subject, asked: Question): Check {
  const { resource } = asked
  return {
    subject,
    permission: asked.permission,
    instance: resource?.id ?? null,
    context: contextOf(op, policy, subject, {
      given: asked.context,
      ...(resource && {
        resource: {
          id: resource.id,
          ...(resource.type !== undefined && { type: resource.type }),
          ...(resource.properties !== undefined && { properties: resource.properties }),
        },
      }),
    }),
  }
}

async function decide(op: Op, call: Call, asked: Question) {
  const { subject, policy } = await knownSubject(op, asked)
  return decideOn(op, call, policy, subject, asked)
}

function decideOn(op: Op, call: Call, policy: Policy, subject: Subject, asked: Question) {
  const check = toCheck(op, policy, subject, asked)
  const decision = decidePermission(policy, check)
  const decisionId = op.newTokenId()
  op.meter.checked(decision.allowed)
  recordCheck(op, call, check, decisionId, decision.allowed)
  return { decision, decisionId }
}

/** Denials are recorded one by one; allowed checks are only counted. */
function recordCheck(
  op: Op,
  { caller, incoming }: Call,
  { subject, permission, instance }: Check,
  decisionId: string,
  allowed: boolean,
): void {
  if (allowed) return
  op.record({
    event: 'permission.refused',
    result: 'failure',
    actorKind: caller.kind,
    actorId: caller.id,
    targetKind: subject.kind,
    targetId: subject.id,
    ip: incoming.ip,
    requestId: incoming.requestId,
    decisionId,
    detail: { permission, instance },
  })
}

const effectiveSchema = z.object({
  permission: z.string(),
  depends: z.enum(CHECK_REFUSALS).nullable(),
  sources: z.array(stepSchema).optional(),
})
export type EffectivePermission = z.infer<typeof effectiveSchema>

const explainedSchema = z.object({
  allowed: z.boolean(),
  code: z.enum(CHECK_REFUSALS).optional(),
  acr_values: z.string().optional(),
  next_action: z.enum(NEXT_ACTIONS).optional().describe('What would help'),
  ...explanationShape,
})
export type ExplainedWire = z.infer<typeof explainedSchema>

export const checkPermission = operation({
  id: 'checkPermission',
  method: 'POST',
  path: '/permissions/check',
  summary: 'Check whether a user or a client holds a permission',
  scope: 'permissions:check',
  mayBeMissing: true,
  body: questionSchema,
  example: { user: 'usr_...', permission: 'orders:refund' },
  answers: { 200: answer },
  async handle(op, call) {
    const { decision, decisionId } = await decide(op, call, call.body)
    return { status: 200, body: { allowed: decision.allowed, decisionId } }
  },
})

const checkPermissions = operation({
  id: 'checkPermissions',
  method: 'POST',
  path: '/permissions/check:batch',
  summary: 'Make up to 50 checks against one snapshot; the answers have the same order',
  scope: 'permissions:check',
  body: z.strictObject({ checks: z.array(questionSchema).min(1).max(MAX_AT_ONCE) }),
  example: { checks: [{ user: 'usr_...', permission: 'orders:read' }] },
  answers: { 200: z.object({ results: z.array(oneOfMany) }) },
  async handle(op, call) {
    const { checks } = call.body
    const results = await op.recordingMany(checks.length, () => decideAll(op, call, checks))
    return { status: 200, body: { results } }
  },
})

async function decideAll(
  op: Op,
  call: Call,
  checks: readonly z.infer<typeof questionSchema>[],
): Promise<z.infer<typeof oneOfMany>[]> {
  const asked = await Promise.all(
    checks.map(async (check) => ({ check, subject: await subjectOf(op, check) })),
  )
  const { policy } = await op.snapshot(wantedFor(...asked.map(({ subject }) => subject)))
  return eachInTurn(asked, ({ check, subject }) => {
    const { decision, decisionId } = decideOn(op, call, policy, subject, check)
    const code = isUnknown(policy, subject) ? UNKNOWN_USER : null
    return { allowed: decision.allowed, decisionId, ...(code && { code }) }
  })
}

export const explainPermission = operation({
  id: 'explainPermission',
  method: 'POST',
  path: '/permissions/explain',
  summary: 'Explain a decision: why, what came close, and what would change it',
  scope: 'permissions:explain',
  mayBeMissing: true,
  body: questionSchema,
  example: { user: 'usr_...', permission: 'orders:refund' },
  answers: {
    200: explainedSchema,
  },
  async handle(op, call) {
    const { subject, policy } = await knownSubject(op, call.body)
    const check = toCheck(op, policy, subject, call.body)
    const turn = takingTurns()
    const decision = decidePermission(policy, check)
    await turn()
    const body = await withApproval(op, call.caller, explained(policy, check, decision))
    return { status: 200, body }
  },
})

export const effectivePermissions = operation({
  id: 'effectivePermissions',
  method: 'GET',
  path: '/users/{user}/effective-permissions',
  summary: 'List everything that a user may do, and which roles and grants give it',
  scope: 'permissions:explain',
  query: z.strictObject({
    space: idSchema.optional(),
    include: z.enum(['sources']).optional(),
    instance: idSchema.optional(),
  }),
  answers: { 200: z.object({ data: z.array(effectiveSchema) }) },
  async handle(op, { caller, params, query }) {
    const id = requireFound(await op.users.idOf(params.user), 'no_user', params.user)
    const subject: Subject = { kind: 'user', id }
    const { policy } = await op.snapshot(wantedFor(subject))
    const context = contextOf(op, policy, subject, { given: undefined })
    const all = await inTurns(permissionsHeldBy(policy, subject, context, query.instance ?? null))
    const spaceId = query.space === undefined ? null : (await requireSpace(op, query.space)).id
    const data = all
      .filter(({ permission }) => isIn(policy, spaceId, permission))
      .map(({ permission, depends, sources }) => ({
        permission,
        depends,
        ...(query.include === 'sources' && { sources }),
      }))
    return { status: 200, body: { data: await withApprovals(op, caller, data) } }
  },
})

export const decisionRoutes = tagged('Decisions', [
  checkPermission,
  checkPermissions,
  explainPermission,
  effectivePermissions,
])

function isIn(policy: Policy, spaceId: string | null, permission: string): boolean {
  return spaceId === null || policy.items.get(permission)?.api.spaceId === spaceId
}
