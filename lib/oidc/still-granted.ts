import { decideInTurns, type Refusal } from '../access/decide-scopes'
import { expandScopes } from '../access/expand'
import type { Context, Policy } from '../access/policy'
import type { Credential } from './client'
import { saidNo } from './consent'
import { clientContext } from './context'
import { ancestorsOf, refusedByUser, scopesIn } from './exchanged'
import type { Provider } from './provider'
import { askedBy } from './scopes'
import type { Answers } from './stores'
import type { VerifiedClaims } from './verify'

/**
 * Decides again about the scopes of an issued token. Conditions on the context were evaluated when
 * the token was issued and are not evaluated again in another context; everything else must still
 * be granted.
 */

const CONTEXT_DEPENDENT_REFUSALS: ReadonlySet<Refusal> = new Set<Refusal>([
  'resource_mismatch',
  'condition_failed',
  'condition_too_costly',
  'context_missing',
  'mfa_required',
])

const NO_REQUEST = { headers: { get: () => null }, ip: null }

export async function stillGranted(op: Provider, claims: VerifiedClaims): Promise<string[]> {
  const clientId = String(claims.client_id)
  const userId = claims.grant_id === undefined ? null : String(claims.sub)
  if (userId !== null && claims.exchanged !== undefined) return stillExchanged(op, claims, userId)
  const users = userId === null ? [] : [userId]
  const { credentials, policy } = await op.snapshot({ clients: [clientId], users })
  const credential = credentials.get(clientId)
  if (!credential) return []
  const scopes = scopesIn(claims.scope)
  const answered = userId && (await op.consents.find(userId, credential.application.id))
  const withheld = answered ? unanswered(scopes, answered) : null
  return decideAgain(op, policy, credential, { userId, scopes, withheld })
}

/** The grants of an exchange are asked again; the user's own answers only if they refused. */
async function stillExchanged(
  op: Provider,
  claims: VerifiedClaims,
  userId: string,
): Promise<string[]> {
  const clientId = String(claims.client_id)
  const ancestors = ancestorsOf(claims).map(({ client_id }) => client_id)
  const clients = [clientId, ...ancestors]
  const { credentials, policy } = await op.snapshot({ clients, users: [userId] })
  const credential = credentials.get(clientId)
  const from = credentials.get(ancestors[0] ?? clientId)?.application.id
  const first = credentials.get(ancestors.at(-1) ?? clientId)?.application.id
  if (!credential || from === undefined || first === undefined) return []
  if (await op.consents.isPaused(userId, credential.application.id)) return []
  const withheld = await refusedByUser(op, userId, [credential.application.id, first])
  const question = { userId, scopes: scopesIn(claims.scope), withheld, exchangeFrom: from }
  return decideAgain(op, policy, credential, question)
}

type Refreshable = { clientId: string; userId: string; scopes: readonly string[] }

/**
 * What a refresh would still get. Nothing if the user may no longer use the application: a refresh
 * asks that too.
 */
export async function stillRefreshable(
  op: Provider,
  { clientId, userId, scopes }: Refreshable,
  answered: Answers,
): Promise<string[]> {
  const { credentials, policy } = await op.snapshot({ clients: [clientId], users: [userId] })
  const credential = credentials.get(clientId)
  if (!credential || !(await admits(op, policy, credential, userId, answered))) return []
  const asked = expandScopes(policy, scopes)
  const question = { userId, scopes: asked, withheld: unanswered(asked, answered) }
  return decideAgain(op, policy, credential, question)
}

/** May the user still use the application? */
export async function isStillAdmitted(
  op: Provider,
  { clientId, userId }: Omit<Refreshable, 'scopes'>,
  answered: Answers,
): Promise<boolean> {
  const { credentials, policy } = await op.snapshot({ clients: [clientId], users: [userId] })
  const credential = credentials.get(clientId)
  return credential !== undefined && admits(op, policy, credential, userId, answered)
}

async function admits(
  op: Provider,
  policy: Policy,
  credential: Credential,
  userId: string,
  answered: Answers,
): Promise<boolean> {
  const { requiredScopes: scopes } = credential.application
  if (scopes.length === 0) return true
  const required = { userId, scopes, withheld: saidNo(answered) }
  return (await decideAgain(op, policy, credential, required)).length === scopes.length
}

type Question = {
  userId: string | null
  scopes: readonly string[]
  withheld: ReadonlySet<string> | null
  exchangeFrom?: string
}

async function decideAgain(
  op: Provider,
  policy: Policy,
  credential: Credential,
  question: Question,
): Promise<string[]> {
  const decisions = await decideInTurns(policy, {
    audiences: [],
    context: contextOf(op, credential, question.userId),
    ...askedBy(credential),
    ...question,
  })
  return decisions
    .filter((decision) => decision.granted || CONTEXT_DEPENDENT_REFUSALS.has(decision.code))
    .map(({ scope }) => scope)
}

function unanswered(scopes: readonly string[], answered: Answers): Set<string> {
  return new Set(scopes.filter((scope) => !answered.get(scope)))
}

function contextOf(
  op: Provider,
  { clientId, application, accessKey }: Credential,
  userId: string | null,
): Context {
  const client = { id: clientId, application, accessKey }
  const context = clientContext(op, NO_REQUEST, client, null)
  return userId === null ? context : { ...context, user: { id: userId } }
}
