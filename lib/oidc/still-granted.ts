import { decideInTurns, type Refusal } from '../access/decide-scopes'
import { expandScopes } from '../access/expand'
import type { Context, Policy } from '../access/policy'
import type { Credential } from './client'
import { saidNo } from './consent'
import { clientContext } from './context'
import type { Answers, Provider } from './provider'
import { askedBy } from './scopes'
import type { VerifiedClaims } from './verify'

/**
 * Decides again about the scopes of an issued token. Conditions on the context were evaluated when
 * the token was issued and are not evaluated again in another context; everything else must still
 * be granted.
 */

const OF_THE_OCCASION: ReadonlySet<Refusal> = new Set<Refusal>([
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
  const users = userId === null ? [] : [userId]
  const { credentials, policy } = await op.snapshot({ clients: [clientId], users })
  const credential = credentials.get(clientId)
  if (!credential) return []
  const scopes = String(claims.scope)
    .split(' ')
    .filter((scope) => scope !== '')
  const answered = userId && (await op.consents.find(userId, credential.application.id))
  const withheld = answered ? unanswered(scopes, answered) : null
  return decideAgain(op, policy, credential, { userId, scopes, withheld })
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
  if (!credential || !(await isStillAdmitted(op, { clientId, userId }, answered))) return []
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
  if (!credential) return false
  const { requiredScopes: scopes } = credential.application
  if (scopes.length === 0) return true
  const required = { userId, scopes, withheld: saidNo(answered) }
  return (await decideAgain(op, policy, credential, required)).length === scopes.length
}

type Question = {
  userId: string | null
  scopes: readonly string[]
  withheld: ReadonlySet<string> | null
}

async function decideAgain(
  op: Provider,
  policy: Policy,
  credential: Credential,
  question: Question,
): Promise<string[]> {
  const decisions = await decideInTurns(policy, {
    ...question,
    audiences: [],
    context: contextOf(op, credential, question.userId),
    ...askedBy(credential),
  })
  return decisions
    .filter((decision) => decision.granted || OF_THE_OCCASION.has(decision.code))
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
