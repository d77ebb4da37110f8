import { decideInTurns, type Question } from '../access/decide-scopes'
import type { Context, Policy } from '../access/policy'
import { PROFILE_CLAIMS } from './claims'
import type { Client } from './client'
import type { NamedClaims, RequestedClaims } from './requested-claims'
import { askedBy } from './scopes'
import type { Answers } from './stores'

/**
 * The claims of `profile` can be asked for by name, without the scope (OpenID Connect Core §5.5). The
 * limits of the application and the consent of the user are those of the scope, which no token gets
 * by this. Contact data, groups and roles are given only with their own scope.
 */

const NAMEABLE = 'profile'

function scopesBehind(named: NamedClaims, scopes: readonly string[]): string[] {
  if (!scopes.includes('openid') || scopes.includes(NAMEABLE)) return []
  return PROFILE_CLAIMS.some((name) => Object.hasOwn(named, name)) ? [NAMEABLE] : []
}

/** What the user is asked besides the scopes of the request. `granted`: those among them. */
export function scopesForNames(
  policy: Policy,
  question: Question,
  { userinfo, id_token }: RequestedClaims,
  granted: readonly string[],
): Promise<string[]> {
  const scopes = scopesBehind({ ...userinfo, ...id_token }, granted)
  return grantedAmong(policy, { ...question, scopes })
}

type Agreed = {
  client: Pick<Client, 'application' | 'accessKey'>
  userId: string
  answered: Answers
  context: Context
}

/** Of these, what the user agreed to and the application may still have. */
export function agreedForNames(
  policy: Policy,
  { client, userId, answered, context }: Agreed,
  named: NamedClaims,
  granted: readonly string[],
): Promise<string[]> {
  const scopes = scopesBehind(named, granted).filter((scope) => answered.get(scope))
  const whose = { ...askedBy(client), userId, withheld: null, audiences: [] }
  return grantedAmong(policy, { ...whose, scopes, context })
}

async function grantedAmong(policy: Policy, question: Question): Promise<string[]> {
  const decisions = await decideInTurns(policy, question)
  return decisions.filter(({ granted }) => granted).map(({ scope }) => scope)
}
