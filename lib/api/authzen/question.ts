import { isIP } from 'node:net'
import { z } from 'zod'
import { CHECK_REFUSALS, type Check, decidePermission, type Subject } from '../../access/check'
import { NEXT_ACTIONS, nextForCheck } from '../../access/next-action'
import type { Context, Policy } from '../../access/policy'
import type { Incoming } from '../../base/http'
import type { Op } from '../../context/op'
import { errorMessage, sentenceOf } from '../../i18n/error-message'
import { englishOf } from '../../i18n/zod-error-message'
import { accessRequestSchema, contextDigest, nextMembers } from '../../oidc/access-request'
import type { Snapshot } from '../../oidc/provider'
import { propertiesSchema } from '../decision/context-size'
import { contextOf, isUnknown, subjectOf, wantedFor } from '../decision/decision'
import type { Caller } from '../http/caller'
import { Problem } from '../http/problem'

/** What an AuthZEN request asks: its members, its subject, and its context. */

const text = z.string().min(1).max(255)
const properties = propertiesSchema.optional()
export const subject = z.object({ type: text, id: text, properties })
export const action = z.object({ name: text, properties })
export const resource = z.object({ type: text, id: text, properties })
export const context = propertiesSchema.optional()
/** An entity of which only the type is known. */
export const type = z.object({ type: text, properties })
export const evaluation = z.object({ subject, action, resource, context })
export type Evaluation = z.infer<typeof evaluation>

/** What is wrong with an approval that was sent: see authzen-approval.ts. */
export const APPROVAL_REFUSALS = [
  'approval_expired',
  'out_of_scope',
  'grant_pending',
  'policy_denied',
  'approval_unverifiable',
] as const

const DENIALS = [...CHECK_REFUSALS, 'unknown_user', 'unknown_subject_type'] as const

export async function whoIs(
  op: Op,
  { type, id }: { type: string; id: string },
): Promise<Subject | null> {
  if (type === 'user') return subjectOf(op, { user: id })
  if (type === 'client') return subjectOf(op, { client: id })
  return null
}

/** The subject of a question, and the policy that contains it; null for an unknown type. */
export async function withSubject(
  op: Op,
  asked: { type: string; id: string },
): Promise<{ who: Subject; policy: Policy } | null> {
  const who = await whoIs(op, asked)
  return who && { who, policy: (await op.snapshot(wantedFor(who))).policy }
}

type EvaluationContext = {
  subject?: z.infer<typeof subject>
  action?: z.infer<typeof action>
  resource?: z.infer<typeof type>
  context?: z.infer<typeof context>
}

export function evaluationContext(
  op: Op,
  policy: Policy,
  who: Subject,
  asked: EvaluationContext,
): Context {
  const ip = String(asked.context?.ip ?? '')
  return contextOf(op, policy, who, {
    given: {
      ...(isIP(ip) !== 0 && { ip }),
      ...(asked.context && { properties: asked.context }),
    },
    subject: { ...clean(asked.subject), type: who.kind, id: who.id },
    action: clean(asked.action),
    resource: clean(asked.resource),
  })
}

/** Without the members that were not sent. */
function clean<T extends object>(value: T | undefined): Sent<T> {
  const entries = Object.entries(value ?? {}).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries) as Sent<T>
}

type Sent<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export const decided = z.object({
  decision: z.boolean(),
  context: z
    .object({
      reason: z
        .enum([...DENIALS, ...APPROVAL_REFUSALS])
        .optional()
        .describe('Why it is denied'),
      acr_values: z.string().optional().describe('With `mfa_required`: the sign-in that is enough'),
      next_action: z
        .enum([...NEXT_ACTIONS, 'retry'])
        .optional()
        .describe('What would help'),
      evaluation_id: z.string().optional().describe('With `access_request`'),
      evaluated_at: z.string().optional().describe('With `access_request`'),
      access_request: accessRequestSchema.optional().describe('If it can be asked for, and how'),
      error: z.object({ status: z.number(), message: z.string() }).optional(),
    })
    .optional(),
})
export type DecisionResult = z.infer<typeof decided>

/** The policy must contain the subject; null for a subject of an unknown type. */
export function decisionOn(
  op: Op,
  { policy, version }: Pick<Snapshot, 'policy' | 'version'>,
  who: Subject | null,
  asked: Evaluation,
  by: AskedBy,
): DecisionResult {
  if (!who) return denied('unknown_subject_type')
  if (isUnknown(policy, who)) return denied('unknown_user')
  const check: Check = {
    subject: who,
    permission: `${asked.resource.type}:${asked.action.name}`,
    instance: asked.resource.id,
    context: evaluationContext(op, policy, who, asked),
  }
  const decision = decidePermission(policy, check)
  op.meter.checked(decision.allowed)
  if (decision.allowed) return { decision: true }
  const next = nextForCheck(policy, check, decision)
  const refused = denied(decision.code, decision.acr)
  if (next.action !== 'request') return withNext(refused, { next_action: next.action })
  const decisionId = refusalId(op, check, asked, by)
  const binding = bindingOf(check, asked, { decisionId, policyVersion: version, by })
  const audience = policy.items.get(check.permission)?.api.audience ?? ''
  return withNext(refused, {
    ...nextMembers(op, next, { ...binding, audience }),
    evaluation_id: decisionId,
    evaluated_at: op.now().toISOString(),
  })
}

function withNext(
  refused: DecisionResult,
  members: NonNullable<DecisionResult['context']>,
): DecisionResult {
  return { decision: false, context: { ...refused.context, ...members } }
}

/** The application that asks; null for a user on the portal's own pages. */
export type AskedBy = { applicationId: string | null; caller: Caller; incoming: Incoming }

/** What the caller says about the context; an approval is not a part of it. */
export function evaluationDigest({ action, resource, context }: Evaluation): string {
  const { approval: _, ...rest } = context ?? {}
  return contextDigest({
    context: rest,
    action: action.properties ?? {},
    resource: resource.properties ?? {},
  })
}

function bindingOf(
  { subject, permission }: Check,
  asked: Evaluation,
  { decisionId, policyVersion, by }: { decisionId: string; policyVersion: number; by: AskedBy },
) {
  return {
    userId: subject.id,
    applicationId: by.applicationId,
    scope: permission,
    resourceType: asked.resource.type,
    resourceId: asked.resource.id,
    contextDigest: evaluationDigest(asked),
    policyVersion,
    decisionId,
  }
}

const SAME_REFUSAL_MS = 5 * 60 * 1000
const MAX_REFUSALS = 10_000
const refusals = new Map<string, { id: string; until: number }>()

/** Whoever asks again and again gets the same ID for a while, and the log gets one entry. */
function refusalId(op: Op, check: Check, asked: Evaluation, by: AskedBy): string {
  const { subject, permission, instance } = check
  const about = [subject.id, permission, instance, evaluationDigest(asked)]
  const key = JSON.stringify([op.origin, by.caller.id, by.applicationId, ...about])
  const now = op.now().getTime()
  const known = refusals.get(key)
  if (known && now < known.until) return known.id
  const id = op.newTokenId()
  const [oldest] = refusals.keys()
  if (oldest !== undefined && refusals.size >= MAX_REFUSALS) refusals.delete(oldest)
  refusals.delete(key)
  // First recorded: if that fails, nobody may be told of it.
  recordRequestable(op, check, id, by)
  refusals.set(key, { id, until: now + SAME_REFUSAL_MS })
  return id
}

/** So that a request can be followed back to the refusal that it came from. */
function recordRequestable(
  op: Op,
  { subject, permission, instance }: Check,
  decisionId: string,
  { caller, incoming }: AskedBy,
): void {
  op.record({
    event: 'permission.refused',
    result: 'failure',
    decisionId,
    actorKind: caller.kind,
    actorId: caller.id,
    targetKind: subject.kind,
    targetId: subject.id,
    ip: incoming.ip,
    requestId: incoming.requestId,
    detail: { permission, instance },
  })
}

function denied(reason: (typeof DENIALS)[number], acr?: string): DecisionResult {
  return { decision: false, context: { reason, ...(acr && { acr_values: acr }) } }
}

export function read<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Problem('invalid', errorMessage('at_member', placeOf(parsed.error)))
}

export function firstOf(error: z.ZodError): string {
  return sentenceOf(errorMessage('at_member', placeOf(error)))
}

function placeOf({ issues: [issue] }: z.ZodError): { member: string; reason: string } {
  return { member: issue?.path.join('.') || 'body', reason: issue ? englishOf(issue) : '' }
}
