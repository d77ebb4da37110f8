import { z } from 'zod'
import type { Check, CheckDecision, Subject } from '../../access/check'
import { explainCheck } from '../../access/explain'
import { nextForCheck } from '../../access/next-action'
import type { Context, Policy } from '../../access/policy'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import type { WantedSubjects } from '../../oidc/provider'
import { Problem } from '../http/problem'
import { idSchema } from '../http/schemas'
import { type anyPropertiesSchema, propertiesSchema } from './context-size'

/** Turns a check request into the question that lib/access answers. */

export const stepSchema = z.object({
  rule: z.enum(['application', 'access_key', 'user']),
  grant: z.string(),
  pattern: z.string(),
  outcome: z.string().describe('What this grant contributed: met, denied, expired and so on'),
  stood: z
    .string()
    .describe('The former name of `outcome`; it goes with the next version')
    .meta({ deprecated: true }),
  assignment: z.string().optional(),
  group: z.string().optional(),
  roles: z.array(z.string()).optional(),
  roleIds: z.array(z.string()).optional(),
  condition: z.string().optional(),
  request: z
    .object({
      id: z.string(),
      approvers: z
        .array(z.object({ id: z.string(), name: z.string().optional() }))
        .describe('With names for callers who may read users'),
      emergency: z.boolean().describe('Its user opened it in an emergency'),
      until: z.string().nullable(),
    })
    .optional()
    .describe('The access request that gave it'),
})

export type StepWire = z.infer<typeof stepSchema>

const changeSchema = z.looseObject({ do: z.string() })

export const explanationShape = {
  path: z.array(stepSchema),
  denies: z.array(stepSchema),
  nearMisses: z.array(stepSchema),
  otherRoles: z.array(z.object({ id: z.string(), key: z.string() })),
  wouldChange: z.array(
    z.object({ rule: z.string().nullable(), oneOf: z.array(z.array(changeSchema)) }),
  ),
}

export const explanationSchema = z.object(explanationShape)
export type ExplanationWire = z.infer<typeof explanationSchema>

/** As callers know them: an ID, a user name, a verified address, or what a provider calls them. */
export const userSchema = z
  .union([idSchema, z.strictObject({ issuer: z.string().min(1).max(1_000), subject: idSchema })])
  .describe('ID, user name, verified address, or issuer and subject of an upstream provider')

type Named = {
  user?: z.infer<typeof userSchema> | undefined
  client?: string | undefined
}

/** Somebody unknown is called what the caller calls them: see `isUnknown`. */
export async function subjectOf(op: Op, { user = '', client }: Named): Promise<Subject> {
  if (client !== undefined) return { kind: 'client', id: client }
  if (typeof user === 'object') {
    const { issuer, subject } = user
    return { kind: 'user', id: (await op.users.idAt(user)) ?? `${subject} at ${issuer}` }
  }
  if (isUserId(user)) return { kind: 'user', id: user }
  return { kind: 'user', id: (await op.users.idOf(user)) ?? user }
}

/** Every ID of a user begins so, and no user name may count as one. */
export function isUserId(name: string): boolean {
  return name.startsWith('usr_')
}

/** The policy must contain the subject. */
export function isUnknown(policy: Policy, { kind, id }: Subject): boolean {
  return kind === 'user' && policy.users.get(id) === undefined
}

/** The subject of a question, and a policy that contains it. */
export async function knownSubject(
  op: Op,
  named: Named,
): Promise<{ subject: Subject; policy: Policy }> {
  const subject = await subjectOf(op, named)
  const { policy } = await op.snapshot(wantedFor(subject))
  if (!isUnknown(policy, subject)) return { subject, policy }
  throw new Problem('unknown_user', errorMessage('unknown_user'))
}

/** What decisions about these subjects must read. */
export function wantedFor(...subjects: readonly Subject[]): WantedSubjects {
  const ids = (wanted: Subject['kind']) =>
    subjects.filter(({ kind }) => kind === wanted).map(({ id }) => id)
  return { users: ids('user'), clients: ids('client') }
}

/** The context that a caller sends; conditions read it under the same names. */
export const contextSchema = contextWith(propertiesSchema)

export function contextWith(properties: typeof anyPropertiesSchema) {
  return z
    .strictObject({
      ip: z.union([z.ipv4(), z.ipv6()]),
      userAgent: z.string().max(1_000),
      time: z.iso.datetime({ offset: true }),
      acr: z.string().max(255),
      amr: z.array(z.string().max(255)).max(20),
      authAge: z.number().int().min(0),
      properties,
    })
    .partial()
}

export type SentContext = z.infer<typeof contextSchema>

type QuestionContext = {
  given: SentContext | undefined
  subject?: Context['subject']
  action?: Context['action']
  resource?: Context['resource']
}

/**
 * What the caller does not send is absent. It is never taken from the caller's own request. `who` is
 * null if it concerns nobody in particular.
 */
export function contextOf(
  op: Op,
  policy: Policy,
  who: Subject | null,
  question: QuestionContext,
): Context {
  const { given = {}, subject = {}, action = {}, resource = {} } = question
  const attributes = who?.kind === 'user' ? (policy.users.get(who.id)?.attributes ?? {}) : {}
  return {
    request: {
      time: given.time === undefined ? op.now() : new Date(given.time),
      ...(given.ip !== undefined && { ip: given.ip }),
      ...(given.userAgent !== undefined && { user_agent: given.userAgent }),
      ...(given.properties !== undefined && { context: given.properties }),
    },
    client: who?.kind === 'client' ? { id: who.id, application_id: who.id } : {},
    resource,
    user: who?.kind === 'user' ? { ...attributes, id: who.id } : {},
    auth: {
      ...(given.acr !== undefined && { acr: given.acr }),
      ...(given.amr !== undefined && { amr: given.amr }),
      ...(given.authAge !== undefined && { age: given.authAge }),
    },
    // What a caller sends adds to what is stored, and never replaces it.
    subject: { ...subject, properties: { ...subject.properties, ...attributes } },
    action,
  }
}

export function explained(policy: Policy, check: Check, decision: CheckDecision) {
  const { permission, context } = check
  return {
    allowed: decision.allowed,
    ...(!decision.allowed && { code: decision.code }),
    ...(!decision.allowed && decision.acr && { acr_values: decision.acr }),
    ...(!decision.allowed && { next_action: nextForCheck(policy, check, decision).action }),
    ...explainCheck(policy, permission, decision, context),
  }
}
