/** Adding up the parts of a replay. Imports nothing that a browser could not have. */

export type FlipLine = {
  to: 'allowed' | 'refused'
  scope: string
  /** Why it is refused: before the draft if it becomes allowed, otherwise with the draft. */
  code: string | null
  subject: { type: 'user' | 'client'; id: string; name: string | null }
  application: { id: string; name: string | null }
  times: number
  lastAt: string
}

export type ReplaySum = {
  decisions: number
  scopes: number
  same: number
  toAllowed: number
  toRefused: number
  changedSince: number
  tokensGained: number
  tokensLost: number
  untold: { reason: string; times: number }[]
  flips: FlipLine[]
  unlisted: number
  /** Since the first part: a later part knows it. */
  policyChanged?: boolean
}

export const MAX_FLIPS = 200

export function addReplays<T extends ReplaySum>(before: ReplaySum, part: T): T {
  const flips = addedUp([...before.flips, ...part.flips], keyOf)
  const listed = flips.slice(0, MAX_FLIPS)
  const dropped = flips.slice(MAX_FLIPS).reduce((sum, { times }) => sum + times, 0)
  return {
    ...part,
    decisions: before.decisions + part.decisions,
    scopes: before.scopes + part.scopes,
    same: before.same + part.same,
    toAllowed: before.toAllowed + part.toAllowed,
    toRefused: before.toRefused + part.toRefused,
    changedSince: before.changedSince + part.changedSince,
    tokensGained: before.tokensGained + part.tokensGained,
    tokensLost: before.tokensLost + part.tokensLost,
    untold: addedUp([...before.untold, ...part.untold], ({ reason }) => reason),
    flips: listed,
    unlisted: before.unlisted + part.unlisted + dropped,
  }
}

function keyOf({ to, scope, subject, application }: FlipLine): string {
  return `${to} ${scope} ${subject.id} ${application.id}`
}

/** The most frequent first. */
function addedUp<T extends { times: number }>(
  lines: readonly T[],
  keyOfLine: (line: T) => string,
): T[] {
  const sums = new Map<string, T>()
  for (const line of lines) {
    const known = sums.get(keyOfLine(line))
    const times = (known?.times ?? 0) + line.times
    sums.set(keyOfLine(line), { ...line, times })
  }
  return [...sums.values()].sort((a, b) => b.times - a.times)
}

export type SettlingLine = {
  do: 'add_to_role' | 'grant_application' | 'widen_key'
  id: string
  name: string | null
  space: string | null
  /** How many of the refusals it settles. */
  times: number
  newlyAllows: number | null
  atLeast: boolean
}

export type RefusalLine = { scope: string; times: number; settlings: SettlingLine[] }

const MAX_REFUSALS = 100
/** More than one part lists, so that adding up loses little. */
const MAX_SETTLINGS = 50

export function addRefusals(
  before: readonly RefusalLine[],
  part: readonly RefusalLine[],
): RefusalLine[] {
  const byScope = new Map<string, RefusalLine>()
  for (const line of [...before, ...part]) {
    const known = byScope.get(line.scope)
    const settlings = addedUp([...(known?.settlings ?? []), ...line.settlings], settlingKey)
    byScope.set(line.scope, {
      scope: line.scope,
      times: (known?.times ?? 0) + line.times,
      settlings: settlings.slice(0, MAX_SETTLINGS),
    })
  }
  return [...byScope.values()].sort((a, b) => b.times - a.times).slice(0, MAX_REFUSALS)
}

function settlingKey({ do: what, id }: SettlingLine): string {
  return `${what} ${id}`
}
