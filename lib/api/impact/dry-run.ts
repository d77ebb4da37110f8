import { z } from 'zod'
import type { Subject } from '../../access/check'
import { type Decision, decideInTurns, type Question, REFUSALS } from '../../access/decide-scopes'
import { expandScopes } from '../../access/expand'
import { explainScope } from '../../access/explain'
import { earliest } from '../../access/held-until'
import { NEXT_ACTIONS, nextForScope } from '../../access/next-action'
import type { Policy } from '../../access/policy'
import { eachInTurn } from '../../access/turns'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import type { Application, Credential } from '../../oidc/client'
import { isOAuthError } from '../../oidc/errors'
import { refusedByUser } from '../../oidc/exchanged'
import { TOKEN_EXCHANGE } from '../../oidc/grants/token-exchange'
import { parseScope } from '../../oidc/params'
import { type Admission, admissionOf, askedBy, endOf } from '../../oidc/scopes'
import { requireApplication } from '../applications/applications'
import { withApprovals } from '../decision/approvals'
import { contextOf, contextSchema, explanationSchema } from '../decision/decision'
import type { Caller } from '../http/caller'
import { type Call, operation, tagged } from '../http/operation'
import { invalidField, notFound } from '../http/problem'
import { idSchema } from '../http/schemas'
import { previewTokens } from './token-preview'

/** A token request in which no token is issued: the same decision, with its reasons and claims. */

const body = z.strictObject({
  /** Application ID or access key; if missing, the caller itself. */
  client: idSchema.optional(),
  /** With a user, the authorization code flow; without, client_credentials. */
  user: idSchema.optional(),
  /** A token exchange for this user: the application whose token would be exchanged. */
  exchangeFrom: idSchema.optional(),
  scope: z.string().max(4_096).optional(),
  resource: z.array(z.string().max(512)).max(10).default([]),
  context: contextSchema.optional(),
})

const answer = z.object({
  decisionId: z.string(),
  application: z.object({ id: z.string(), name: z.string() }),
  accessKey: z.string().nullable(),
  /** The ID of the user, also if the request used the user name. */
  user: z.string().nullable(),
  /** What POST /oidc/token would answer. */
  outcome: z.enum(['granted', 'invalid_scope', 'access_denied']),
  scope: z.string(),
  scope_rejected: z.string(),
  decisions: z.array(
    z.object({
      scope: z.string(),
      granted: z.boolean(),
      code: z.enum(REFUSALS).optional(),
      acr_values: z.string().optional(),
      next_action: z.enum(NEXT_ACTIONS).optional().describe('What would help'),
      /** For callers with `permissions:explain`. */
      explanation: explanationSchema.optional(),
    }),
  ),
  claims: z.record(z.string(), z.unknown()).nullable().describe('Of the access token'),
  idToken: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Claims of the ID token, with a user and `openid`, for callers with `users:read`'),
  userinfo: z.record(z.string(), z.unknown()).nullable().describe('The same for userinfo'),
})

export type DryRunWire = z.infer<typeof answer>

type Body = z.infer<typeof body>
type DryCall = Call<unknown, unknown, Body>

/**
 * With `permissions:explain`, for every client. Without it, a client may ask about itself and an
 * app manager about their own applications.
 */
async function requireClient(op: Op, call: DryCall): Promise<Credential> {
  const { caller, body: asked } = call
  const clientId = asked.client ?? caller.id
  const { credentials } = await op.snapshot({ clients: [clientId, caller.id] })
  const credential = credentials.get(clientId)
  if (!credential) throw notFound('no_client', clientId)
  if (seesWhy(caller)) return credential
  const { id } = credential.application
  if (caller.ownOnly) await requireApplication(op, caller, id)
  else if (credentials.get(caller.id)?.application.id !== id) throw notFound('no_client', clientId)
  return credential
}

function seesWhy({ scopes }: Caller): boolean {
  return scopes.has('permissions:explain')
}

/** Null if the request names no user. */
async function requireUser(op: Op, { body: { user }, caller }: DryCall): Promise<string | null> {
  if (user === undefined) return null
  const userId = await op.users.idOf(user)
  // An app manager does not see users and learns nothing about the roles of others (attack N2).
  const hidden = caller.ownOnly && userId !== caller.id
  if (userId !== null && !hidden) return userId
  throw invalidField('/user', errorMessage('unknown_user'))
}

/** What tokens say about a user is shown to those who may read users, and to the user. */
function mayReadUser({ scopes, id }: Caller, userId: string | null): boolean {
  return scopes.has('users:read') || id === userId
}

async function toQuestion(
  op: Op,
  policy: Policy,
  { body: { scope, resource, context: given } }: DryCall,
  credential: Credential,
  { userId, from }: Whose,
): Promise<Question> {
  const asked = wellFormed(scope) ?? credential.application.defaultScopes
  const subject: Subject =
    userId === null ? { kind: 'client', id: credential.clientId } : { kind: 'user', id: userId }
  const { application, accessKey } = credential
  const context = contextOf(op, policy, subject, { given })
  return {
    ...askedBy(credential),
    scopes: expandScopes(policy, asked),
    userId,
    ...(from && { exchangeFrom: from.id }),
    withheld: userId === null ? null : await withheldBy(op, userId, [application, from]),
    audiences: resource,
    context: {
      ...context,
      request: {
        ...context.request,
        ...grantOf(userId, from),
      },
      client: {
        id: credential.clientId,
        application_id: application.id,
        ...(accessKey && { access_key: accessKey.id }),
      },
    },
  }
}

function wellFormed(scope: string | undefined): string[] | null {
  try {
    return parseScope(scope)
  } catch (cause) {
    throw isOAuthError(cause) ? invalidField('/scope', errorMessage('scope_malformed')) : cause
  }
}

/** Only refused scopes: the user would still be asked about the others. */
function withheldBy(
  op: Op,
  userId: string,
  applications: readonly (Application | null)[],
): Promise<Set<string>> {
  const ids = applications.flatMap((application) => application?.id ?? [])
  return refusedByUser(op, userId, ids)
}

function grantOf(userId: string | null, from: Application | null) {
  if (!from) return { grant_type: userId === null ? 'client_credentials' : 'authorization_code' }
  const { id, registration } = from
  const exchange = { from: id, first: id, depth: 1, scope: [], audience: [], registration }
  return { grant_type: TOKEN_EXCHANGE, exchange }
}

type Whose = { userId: string | null; from: Application | null }

/** The other application of a token exchange; null if the request is none. */
async function requireFrom(op: Op, call: DryCall): Promise<Application | null> {
  const { exchangeFrom, user } = call.body
  if (exchangeFrom === undefined) return null
  if (user === undefined) throw invalidField('/user', errorMessage('required'))
  const { credentials } = await op.snapshot({ clients: [exchangeFrom] })
  const application = credentials.get(exchangeFrom)?.application
  const hidden = call.caller.ownOnly && !seesWhy(call.caller)
  if (application && !hidden) return application
  throw invalidField('/exchangeFrom', errorMessage('unknown_application'))
}

function toWire(policy: Policy, call: DryCall, question: Question, decision: Decision) {
  return {
    scope: decision.scope,
    granted: decision.granted,
    ...(!decision.granted && { code: decision.code }),
    ...(!decision.granted && decision.acr && { acr_values: decision.acr }),
    ...(!decision.granted && {
      next_action: nextForScope(policy, question, decision).action,
    }),
    ...(seesWhy(call.caller) && {
      explanation: explainScope(policy, decision, question),
    }),
  }
}

/** Which of the grants were asked for, and who approved them. */
async function withSources(op: Op, { caller }: DryCall, decisions: ReturnType<typeof toWire>[]) {
  const explanations = decisions.flatMap(({ explanation = [] }) => explanation)
  const told = await withApprovals(op, caller, explanations)
  return decisions.map((decision) =>
    decision.explanation
      ? { ...decision, explanation: told.shift() ?? decision.explanation }
      : decision,
  )
}

/** Required scopes are for users: a machine is always admitted. */
async function admissionIn(
  policy: Policy,
  { application }: Credential,
  question: Question,
): Promise<Admission | null> {
  return question.userId === null ? { until: null } : admissionOf(policy, application, question)
}

function outcomeOf(
  { application }: Credential,
  question: Question,
  admission: Admission | null,
  granted: string[],
) {
  if (!admission) return 'access_denied'
  const refused = question.scopes.length > granted.length
  return granted.length === 0 || (application.strictScopes && refused) ? 'invalid_scope' : 'granted'
}

export const decideScopes = operation({
  id: 'decideScopes',
  method: 'POST',
  path: '/scopes/decide',
  summary: 'Dry run of a token request: granted and refused scopes, reasons and claims',
  scope: 'scopes:decide',
  mayBeMissing: true,
  body,
  example: { client: 'app_...', user: 'usr_...', scope: 'openid orders:read orders:refund' },
  answers: { 200: answer },
  long: true,
  async handle(op, call) {
    const credential = await requireClient(op, call)
    const userId = await requireUser(op, call)
    const users = userId === null ? [] : [userId]
    const { policy } = await op.snapshot({ clients: [credential.clientId], users })
    const from = await requireFrom(op, call)
    const question = await toQuestion(op, policy, call, credential, { userId, from })
    const decisions = await decideInTurns(policy, question)
    const held = decisions.filter((one) => one.granted)
    const granted = held.map(({ scope }) => scope)
    const refused = decisions.filter((one) => !one.granted).map(({ scope }) => scope)
    const admission = await admissionIn(policy, credential, question)
    const outcome = outcomeOf(credential, question, admission, granted)
    const { context, audiences } = question
    const mayRead = mayReadUser(call.caller, userId)
    const until = earliest([admission?.until ?? null, endOf(held, context.request.time)])
    const asked = { credential, userId, scopes: granted, audiences, until, context, mayRead }
    const preview = await previewTokens(op, policy, asked)
    const isGranted = outcome === 'granted'
    return {
      status: 200,
      body: {
        decisionId: preview.accessToken.jti,
        application: { id: credential.application.id, name: credential.application.name },
        accessKey: credential.accessKey?.id ?? null,
        user: question.userId,
        outcome,
        scope: granted.join(' '),
        scope_rejected: refused.join(' '),
        decisions: await withSources(
          op,
          call,
          await eachInTurn(decisions, (decision) => toWire(policy, call, question, decision)),
        ),
        claims: isGranted ? { ...preview.accessToken, ...actorsIn(credential, from) } : null,
        idToken: isGranted ? preview.idToken : null,
        userinfo: isGranted ? preview.userinfo : null,
      },
    }
  },
})

/** RFC 8693 §4.1: the newest is the outermost. */
function actorsIn({ clientId }: Credential, from: Application | null) {
  return from && { act: { sub: clientId, act: { sub: from.id } } }
}

export const dryRunRoutes = tagged('Decisions', [decideScopes])
