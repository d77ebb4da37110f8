import type { TokenAct } from '../store/token-acts'

/** What an agent did lately, and to whom it passed what it may do. */

export type AgentAct = { at: Date; decisionId: string | null; scopes: readonly string[] }

/** A service that got a token of its own by exchanging one of the agent. */
export type Passed = { id: string; name: string | null; at: Date; scopes: readonly string[] }

const MOST_ACTS = 3
const MOST_PASSED = 5

export function actsOf(acts: readonly TokenAct[], applicationId: string): AgentAct[] {
  return acts
    .filter((act) => act.applicationId === applicationId)
    .slice(0, MOST_ACTS)
    .map(({ at, decisionId, scopes }) => ({ at, decisionId, scopes }))
}

/** Each service once, with its newest token. */
export function passedOn(acts: readonly TokenAct[], applicationId: string): Passed[] {
  const passed = new Map<string, Passed>()
  for (const { at, scopes, cameThrough, ...act } of acts) {
    const { applicationId: id, applicationName: name } = act
    if (!cameThrough.includes(applicationId) || passed.has(id)) continue
    passed.set(id, { id, name, at, scopes })
  }
  return [...passed.values()].slice(0, MOST_PASSED)
}
