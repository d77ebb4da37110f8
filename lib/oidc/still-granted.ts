import { decideInTurns, type Refusal } from '../access/decide-scopes'
import type { Context } from '../access/policy'
import type { Credential } from './client'
import { clientContext } from './context'
import type { Provider } from './provider'
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
  const decisions = await decideInTurns(policy, {
    scopes,
    userId,
    withheld: userId === null ? null : await withheldBy(op, userId, credential, scopes),
    audiences: [],
    context: contextOf(op, credential, userId),
    ...askedBy(credential),
  })
  return decisions
    .filter((decision) => decision.granted || OF_THE_OCCASION.has(decision.code))
    .map(({ scope }) => scope)
}

async function withheldBy(
  op: Provider,
  userId: string,
  { application }: Credential,
  scopes: string[],
) {
  const answered = await op.consents.find(userId, application.id)
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
