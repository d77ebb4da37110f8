import type { Violation } from './model-facts'

/** What a person asked for is given by others, whom the rule names. */

const CLAUSE = '14 asked for'

export type RequestDecision = {
  voter: string
  asker: string
  /** Null where it cannot be told from outside. */
  approvers: readonly string[] | null
  /** Not in person, but by an application with their token. */
  isToken: boolean
}

export function beyondDecided({ voter, asker, approvers, isToken }: RequestDecision): Violation[] {
  const said = (what: string) => ({ clause: CLAUSE, what: `${voter}, for ${asker}: ${what}` })
  return [
    ...(voter === asker ? [said('decides about their own request')] : []),
    ...(isToken ? [said('an application decides')] : []),
    ...(approvers?.includes(voter) === false ? [said('is no approver')] : []),
  ]
}

export type ReviewVote = {
  voter: string
  /** Whose access they decided about. */
  subjects: readonly string[]
  reviewers: readonly string[]
  isToken: boolean
}

export function beyondReviewed({ voter, subjects, reviewers, isToken }: ReviewVote): Violation[] {
  const said = (what: string) => ({ clause: '15 reviewed by others', what: `${voter} ${what}` })
  return [
    ...(subjects.includes(voter) ? [said('decides about their own access')] : []),
    ...(subjects.length > 0 && isToken ? [said('lets an application decide')] : []),
    ...(subjects.length > 0 && !reviewers.includes(voter) ? [said('is no reviewer')] : []),
  ]
}

export type TakenBack = {
  by: string
  asker: string
  held: ReadonlySet<string>
  /** Of the API. */
  governors: readonly string[]
}

export function beyondTakenBack({ by, asker, held, governors }: TakenBack): Violation[] {
  const may = by === asker || held.has('assignments:write') || governors.includes(by)
  return may ? [] : [{ clause: CLAUSE, what: `${by} takes away what ${asker} was given` }]
}
