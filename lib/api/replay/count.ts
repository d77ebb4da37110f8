import { type Outcome, replayDecision, type UndecidableReason } from '../../access/replay'
import type { Draft } from './draft'
import { type LookAt, lookAt, type PastDecisionToReplay, worldOf } from './pass'
import type { FlipLine } from './sum'

/** Counts what a draft changes; the number of different flips that are kept has a limit. */

const MAX_KEPT = 2_000

type Told = Exclude<Outcome, { untold: UndecidableReason }>

type ReplayCounts = {
  scopes: number
  same: number
  toAllowed: number
  toRefused: number
  /** Today's policy, without the draft, already answers differently. */
  changedSince: number
  tokensGained: number
  tokensLost: number
  untold: Map<UndecidableReason, number>
  flips: Map<string, FlipLine>
  unlisted: number
}

export function newCount(): ReplayCounts {
  return {
    scopes: 0,
    same: 0,
    toAllowed: 0,
    toRefused: 0,
    changedSince: 0,
    tokensGained: 0,
    tokensLost: 0,
    unlisted: 0,
    untold: new Map(),
    flips: new Map(),
  }
}

export function countingWith(draft: Draft, counted: ReplayCounts): LookAt {
  let known: { seen: unknown; after: ReturnType<Draft['after']> } | null = null
  return (one, seen) => {
    if (known?.seen !== seen) known = { seen, after: draft.after(seen) }
    const { past, clientId, row } = one
    if (!past) return addTo(counted.untold, 'unreadable')
    const [before, after] = [seen, known.after].map((world) => worldOf(world, clientId, row.at))
    if (!before || !after) return
    return lookAt(past, replayDecision(past, before, after), (outcomes) =>
      count(counted, one, outcomes),
    )
  }
}

function count(
  counted: ReplayCounts,
  one: PastDecisionToReplay,
  outcomes: readonly Outcome[],
): void {
  for (const outcome of outcomes) {
    if ('untold' in outcome) addTo(counted.untold, outcome.untold)
    else countTold(counted, one, outcome)
  }
  const told = outcomes.filter((outcome): outcome is Told => !('untold' in outcome))
  if (told.length < outcomes.length) return
  const [had, has] = [told.some(({ before }) => before), told.some(({ after }) => after)]
  if (!had && has) counted.tokensGained += 1
  if (had && !has) counted.tokensLost += 1
}

function countTold(counted: ReplayCounts, one: PastDecisionToReplay, outcome: Told): void {
  const { past, before, after } = outcome
  counted.scopes += 1
  if (past !== before) counted.changedSince += 1
  if (before === after) {
    counted.same += 1
    return
  }
  if (after) counted.toAllowed += 1
  else counted.toRefused += 1
  addFlip(counted, one, outcome)
}

function addFlip(
  counted: ReplayCounts,
  { row, clientId }: PastDecisionToReplay,
  outcome: Told,
): void {
  const to = outcome.after ? 'allowed' : 'refused'
  const { scope, code } = outcome
  const id = row.userId ?? clientId
  const key = `${to} ${scope} ${id} ${row.applicationId}`
  const known = counted.flips.get(key)
  if (!known && counted.flips.size >= MAX_KEPT) {
    counted.unlisted += 1
    return
  }
  counted.flips.set(key, {
    to,
    scope,
    code,
    subject: { type: row.userId === null ? 'client' : 'user', id, name: null },
    application: { id: row.applicationId ?? '', name: null },
    times: (known?.times ?? 0) + 1,
    lastAt: new Date(row.at).toISOString(),
  })
}

export function addTo<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
