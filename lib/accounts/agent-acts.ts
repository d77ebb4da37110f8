import type { TokenAct } from '../store/tokens/token-acts'

/** What an agent did lately, and to whom it passed what it may do. */

export type AgentAct = { at: Date; decisionId: string | null; scopes: readonly string[] }

/** A service that got a token of its own by exchanging one of the agent. */
export type PassedToken = { id: string; name: string | null; at: Date; scopes: readonly string[] }

const MAX_ACTS = 3
const MAX_PASSED = 5

export function actsOf(acts: readonly TokenAct[], applicationId: string): AgentAct[] {
  return acts
    .filter((act) => act.applicationId === applicationId)
    .slice(0, MAX_ACTS)
    .map(({ at, decisionId, scopes }) => ({ at, decisionId, scopes }))
}

/** Each service once, with its newest token. */
export function passedOn(acts: readonly TokenAct[], applicationId: string): PassedToken[] {
  const passed = new Map<string, PassedToken>()
  for (const { at, scopes, cameThrough, ...act } of acts) {
    const { applicationId: id, applicationName: name } = act
    if (!cameThrough.includes(applicationId) || passed.has(id)) continue
    passed.set(id, { id, name, at, scopes })
  }
  return [...passed.values()].slice(0, MAX_PASSED)
}
