import { type Decision, decideInTurns, type Question } from '../access/decide-scopes'
import { type Next, nextForScope } from '../access/next-action'
import type { Policy } from '../access/policy'
import { audienceOf } from '../access/resource'
import type { Application } from './client'
import { requiredOf } from './scopes'

/** What a user lacks and may ask for. */

export type RequestableScope = { scope: string; next: Next; audience: string }

export function requestableIn(
  policy: Policy,
  question: Question,
  decisions: readonly Decision[],
): RequestableScope[] {
  return decisions.flatMap((decision) => {
    const api = policy.items.get(decision.scope)?.api
    if (decision.granted || !api) return []
    const next = nextForScope(policy, question, decision)
    if (next.action !== 'request') return []
    return [{ scope: decision.scope, next, audience: audienceOf(policy, api, question.audiences) }]
  })
}

type Outcome = { admitted: boolean; granted: readonly string[]; refused: readonly string[] }

/** Whether less than everything is too little. */
export function isTooLittle(
  { strictScopes }: Pick<Application, 'strictScopes'>,
  { granted, refused }: Pick<Outcome, 'granted' | 'refused'>,
): boolean {
  return granted.length === 0 || (strictScopes && refused.length > 0)
}

/**
 * What keeps the user out of the application, if they may ask for all of it; otherwise nothing,
 * because to ask would not help.
 */
export async function missingFrom(
  policy: Policy,
  application: Application,
  question: Question,
  decisions: readonly Decision[],
  outcome: Outcome,
): Promise<RequestableScope[]> {
  if (outcome.admitted && !isTooLittle(application, outcome)) return []
  const asked = outcome.admitted ? question : requiredOf(application, question)
  const needed = outcome.admitted ? decisions : await decideInTurns(policy, asked)
  return wholeRequestable(policy, asked, needed)
}

/** All that is refused, if the user may ask for all of it. */
function wholeRequestable(
  policy: Policy,
  asked: Question,
  decisions: readonly Decision[],
): RequestableScope[] {
  const found = requestableIn(policy, asked, decisions)
  return found.length === decisions.filter(({ granted }) => !granted).length ? found : []
}

/** The required scopes that a user who is not admitted lacks, and whether asking for them helps. */
export async function keptOutBy(
  policy: Policy,
  application: Application,
  question: Question,
): Promise<{ lacked: string[]; canAsk: boolean }> {
  const asked = requiredOf(application, question)
  const decisions = await decideInTurns(policy, asked)
  const lacked = decisions.filter(({ granted }) => !granted).map(({ scope }) => scope)
  return { lacked, canAsk: wholeRequestable(policy, asked, decisions).length > 0 }
}
